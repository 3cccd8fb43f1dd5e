// Answers HTTP requests.
#pragma once

#include "sinew/live/connection.h"
#include "sinew/live/stream.h"

namespace sinew::live {

// Answers the requests that arrive over a socket, one after another. The last request may turn the socket into a
// viewer's WebSocket. If has_place is false, each request is refused with status 503.
void serve_requests(ServerContext& context, Socket socket, bool has_place);

}  // namespace sinew::live

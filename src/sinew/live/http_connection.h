// Answers HTTP requests.
#pragma once

#include "sinew/live/connection.h"
#include "sinew/live/stream.h"

namespace sinew::live {

// Answers the requests that come over a socket, one after another, the last of which may turn it into a viewer's.
// Without a place for it, each is refused with status 503.
void serve_requests(ServerContext& context, Socket socket, bool has_place);

}  // namespace sinew::live

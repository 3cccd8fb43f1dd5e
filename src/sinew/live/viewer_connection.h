// Opens the WebSocket of a viewer.
#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include "sinew/live/connection.h"
#include "sinew/live/stream.h"

namespace sinew::live {

// Opens the WebSocket that `request` asked for on its socket, and adds a viewer.
void open_viewer(ServerContext& context, Socket socket, const beast::http::request<beast::http::empty_body>& request);

}  // namespace sinew::live

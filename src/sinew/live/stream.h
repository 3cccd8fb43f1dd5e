// The TCP stream of a connection: its type, and how it closes.
#pragma once

#include <memory>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/role.hpp>

namespace sinew::live {

namespace net = boost::asio;
namespace beast = boost::beast;
using beast::error_code;
using tcp = net::ip::tcp;
using Executor = net::io_context::executor_type;
using Socket = net::basic_stream_socket<tcp, Executor>;

struct Stream : beast::basic_stream<tcp, Executor> {
  using basic_stream::basic_stream;
};

// Beast calls this to end a WebSocket. Beast's own version (1.74) closes after the first read. If bytes are then still
// unread, the viewer loses the close reason. This version lets the connection linger.
template <class Handler>
void async_teardown(beast::role_type, Stream& stream, Handler&& handler) {
  error_code error;
  stream.socket().shutdown(tcp::socket::shutdown_send, error);
  net::post(stream.get_executor(), beast::bind_front_handler(std::forward<Handler>(handler), error_code()));
}

// Stops sending, and closes the stream once the other side closes, at the latest after a second. Closing earlier, with
// unread bytes, would drop data on its way to a client that is still sending. owner: keeps the stream alive.
void linger(std::shared_ptr<void> owner, Stream& stream);

// Returns a handler that calls a member function and keeps its object alive.
template <class Object, class... Args>
auto holding(std::shared_ptr<Object> object, void (Object::*handler)(Args...)) {
  return [object = std::move(object), handler](Args... args) { (object.get()->*handler)(args...); };
}

}  // namespace sinew::live

// The TCP stream of a connection: its type, and how it ends.
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

// How Beast ends a WebSocket. Its own way (1.74) closes after the first bytes that it reads, and where others are
// unread that takes away from the viewer why it was closed: the connection lingers instead.
template <class Handler>
void async_teardown(beast::role_type, Stream& stream, Handler&& handler) {
  error_code error;
  stream.socket().shutdown(tcp::socket::shutdown_send, error);
  net::post(stream.get_executor(), beast::bind_front_handler(std::forward<Handler>(handler), error_code()));
}

// Sends no more, and closes the stream when the other side has hung up, after a second at the latest. (Closing with
// bytes unread would take what was sent away from a client that is still sending.) owner: holds the stream.
void linger(std::shared_ptr<void> owner, Stream& stream);

// A member function as a handler that holds its object.
template <class Object, class... Args>
auto holding(std::shared_ptr<Object> object, void (Object::*handler)(Args...)) {
  return [object = std::move(object), handler](Args... args) { (object.get()->*handler)(args...); };
}

}  // namespace sinew::live

#include "sinew/live/server.h"

#include <thread>
#include <utility>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/live/connection.h"
#include "sinew/live/http_connection.h"
#include "sinew/live/request_target.h"

namespace sinew::live {
namespace {

using Clock = std::chrono::steady_clock;
using Timer = net::basic_waitable_timer<Clock, net::wait_traits<Clock>, Executor>;
using Acceptor = net::basic_socket_acceptor<tcp, Executor>;

constexpr std::chrono::milliseconds farewell_limit{250};  // for viewers that take leave when the server stops
constexpr std::chrono::milliseconds beat_interval{250};   // of Service::beat
constexpr std::chrono::milliseconds accept_pause{100};    // when there are no more sockets

// Not inherited by programs that are started: a browser would keep the port.
void keep_from_children(int socket) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

std::string host_text(const net::ip::address& address) {
  return address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
}

net::ip::address address_of(const ServerSettings& settings) {
  error_code error;
  const net::ip::address address = net::ip::make_address(settings.address, error);
  if (error) {
    fail_input(code::live_address, "cannot listen on {}: expected a numeric address, for example 127.0.0.1 or 0.0.0.0",
               settings.address);
  }
  if (!address.is_loopback() && settings.token.empty()) {
    fail_input(code::live_address,
               "cannot listen on {} without a token: others could reach it; give one with --token, or listen on "
               "127.0.0.1",
               settings.address);
  }
  if (settings.port < 0 || settings.port > 65535)
    fail_input(code::live_address, "port: expected 0 to 65535, found {}", settings.port);
  return address;
}

// Returns the port.
int listen(const net::ip::address& address, int port, Acceptor& acceptor) {
  const tcp::endpoint endpoint(address, static_cast<std::uint16_t>(port));
  error_code error;
  const auto check = [&] {
    if (!error) return;
    fail_input(code::live_address, "cannot listen on {}:{}: {}; choose another with --port, 0 for any free one",
               host_text(address), port, error.message());
  };
  acceptor.open(endpoint.protocol(), error);
  check();
  keep_from_children(acceptor.native_handle());
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);  // after an earlier one on this port
  check();
  acceptor.bind(endpoint, error);
  check();
  acceptor.listen(net::socket_base::max_listen_connections, error);
  check();
  return acceptor.local_endpoint().port();
}

}  // namespace

struct Server::Impl {
  Impl(ServerSettings settings, Service& service)
      : context(std::move(settings), service),
        address(address_of(context.settings)),
        port(listen(address, context.settings.port, acceptor)) {
    context.access = {host_text(address), address.is_loopback(), port, context.settings.token,
                      context.settings.origins};
  }

  void serve();
  void go_on(std::chrono::milliseconds limit);
  void accept();
  void welcome(Socket socket);
  void beat();
  template <class Call>
  void with_viewer(Client client, Call call);

  ServerContext context;
  net::io_context io{1};
  Acceptor acceptor{io.get_executor()};
  Timer pause{io.get_executor()}, pulse{io.get_executor()};
  const net::ip::address address;
  const int port;
  std::thread thread;
};

void Server::Impl::serve() {
  accept();
  beat();
  while (!guarded([&] { io.run(); })) {
  }
  error_code error;
  acceptor.close(error);
  pause.cancel();
  pulse.cancel();
  for (Connection* connection : context.connections) connection->end(websocket::close_code::going_away);
  go_on(farewell_limit);
  for (Connection* connection : context.connections) connection->cut();
  go_on(farewell_limit);
  while (!context.viewers.empty()) context.viewers.begin()->second->leave();
}

// After stop(): until there is nothing left to wait for.
void Server::Impl::go_on(std::chrono::milliseconds limit) {
  const Clock::time_point until = Clock::now() + limit;
  io.restart();
  while (!guarded([&] { io.run_until(until); })) {
  }
}

void Server::Impl::accept() {
  acceptor.async_accept([this](error_code error, Socket socket) {
    if (!acceptor.is_open()) return;
    if (!error) {
      guarded([&] { welcome(std::move(socket)); });
      return accept();
    }
    pause.expires_after(accept_pause);
    pause.async_wait([this](error_code cancelled) {
      if (!cancelled) accept();
    });
  });
}

void Server::Impl::beat() {
  pulse.expires_after(beat_interval);
  pulse.async_wait([this](error_code cancelled) {
    if (cancelled) return;
    guarded([&] { context.service.beat(); });
    beat();
  });
}

// Who finds no place is told so, unless there are too many of those too.
void Server::Impl::welcome(Socket socket) {
  const std::size_t most = context.settings.most_connections;
  if (context.connections.size() >= 2 * most) return;
  keep_from_children(socket.native_handle());
  error_code error;
  socket.set_option(tcp::no_delay(true), error);
  serve_requests(context, std::move(socket), /*has_place=*/context.connections.size() < most);
}

// On the server's thread, if the viewer is still there.
template <class Call>
void Server::Impl::with_viewer(Client client, Call call) {
  net::post(io, [this, client, call] {
    if (const auto viewer = context.viewers.find(client); viewer != context.viewers.end()) call(*viewer->second);
  });
}

Server::Server(ServerSettings settings, Service& service)
    : impl_(std::make_unique<Impl>(std::move(settings), service)) {}

Server::~Server() {
  stop();
}

void Server::start() {
  impl_->thread = std::thread([this] { impl_->serve(); });
}

void Server::stop() {
  if (!impl_->thread.joinable()) return;
  impl_->io.stop();
  impl_->thread.join();
}

int Server::port() const {
  return impl_->port;
}

std::string Server::url() const {
  const net::ip::address& address = impl_->address;
  const std::string host = address.is_unspecified() ? (address.is_v6() ? "[::1]" : "127.0.0.1") : host_text(address);
  const std::string& token = impl_->context.settings.token;
  return fmt::format("http://{}:{}/{}", host, impl_->port, token.empty() ? "" : "?token=" + encoded(token));
}

void Server::send(Client client, std::shared_ptr<const std::string> text) {
  if (impl_->context.outboxes.add_text(client, std::move(text)))
    impl_->with_viewer(client, [](Viewer& viewer) { viewer.send_next(); });
}

void Server::set_frame(Client client, std::shared_ptr<const std::string> bytes) {
  if (impl_->context.outboxes.set_frame(client, std::move(bytes)))
    impl_->with_viewer(client, [](Viewer& viewer) { viewer.send_next(); });
}

void Server::close(Client client) {
  impl_->with_viewer(client, [](Viewer& viewer) { viewer.end(websocket::close_code::normal); });
}

std::vector<Client> Server::clients() const {
  return impl_->context.outboxes.clients();
}

}  // namespace sinew::live

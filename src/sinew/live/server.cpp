#include "sinew/live/server.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/live/request_target.h"

namespace sinew::live {
namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

namespace {

using tcp = net::ip::tcp;
using Executor = net::io_context::executor_type;
using Socket = net::basic_stream_socket<tcp, Executor>;
struct Stream : beast::basic_stream<tcp, Executor> {
  using basic_stream::basic_stream;
};
using Clock = std::chrono::steady_clock;
using Timer = net::basic_waitable_timer<Clock, net::wait_traits<Clock>, Executor>;
using beast::error_code;

constexpr std::uint32_t longest_head = 16384;             // bytes of a request
constexpr std::size_t chunk_size = 65536;                 // of a file
constexpr std::chrono::milliseconds farewell_limit{250};  // for viewers that take leave when the server stops
constexpr std::chrono::milliseconds beat_interval{250};   // of Service::beat
constexpr std::chrono::milliseconds accept_pause{100};    // when there are no more sockets
constexpr std::chrono::milliseconds linger_limit{1000};   // until who was answered hangs up

// How Beast ends a WebSocket. Its own way (1.74) closes after the first bytes that it reads, and where others are
// unread that takes away from the viewer why it was closed: the connection lingers instead.
template <class Handler>
void async_teardown(beast::role_type, Stream& stream, Handler&& handler) {
  error_code error;
  stream.socket().shutdown(tcp::socket::shutdown_send, error);
  net::post(stream.get_executor(), beast::bind_front_handler(std::forward<Handler>(handler), error_code()));
}

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

// Not inherited by programs that are started: a browser would keep the port.
void keep_from_children(int socket) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

// In a time that tells nothing of the token but its length.
bool same_secret(std::string_view given, std::string_view token) {
  unsigned difference = given.size() != token.size();
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i % token.size()]);
  return difference == 0;
}

std::string host_text(const net::ip::address& address) {
  return address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
}

// False when it threw.
template <class F>
bool guarded(F&& call) {
  try {
    call();
    return true;
  } catch (const std::exception& error) {
    log::warning("a request from a browser failed: {}", error.what());
    return false;
  }
}

}  // namespace

// What waits for a viewer.
struct Server::Outbox {
  std::deque<std::shared_ptr<const std::string>> texts;
  std::shared_ptr<const std::string> frame;
  std::size_t unsent = 0;  // bytes of texts, with the one on its way
  bool woken = false;      // the connection will look here
  bool full = false;
};

// All but `outboxes` belongs to the thread, once it runs.
struct Server::Impl {
  Impl(ServerSettings s, Service& served);

  void serve();
  void go_on(std::chrono::milliseconds limit);
  void accept();
  void welcome(Socket socket);
  void beat();
  template <class Change>
  void put(Client client, Change&& change);
  bool is_own_host(std::string_view host) const;
  bool is_allowed_origin(std::string_view origin, std::string_view host) const;

  ServerSettings settings;
  Service& service;
  net::ip::address address;
  int port = 0;
  Client last_client = 0;
  std::set<Connection*> connections;
  std::map<Client, Connection*> viewers;
  mutable std::mutex mutex;
  std::map<Client, Outbox> outboxes;  // under the mutex
  net::io_context io{1};
  net::basic_socket_acceptor<tcp, Executor> acceptor{io.get_executor()};
  Timer pause{io.get_executor()}, pulse{io.get_executor()};
  std::thread thread;
};

// One connection: requests, one after another, the last of which may turn it into a WebSocket. Operations that are
// under way hold it.
class Server::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Impl& server, Socket socket, bool has_place)
      : server_(server), has_place_(has_place), websocket_(std::move(socket)), timer_(server.io.get_executor()) {
    server_.connections.insert(this);
  }
  ~Connection() {
    leave();
    server_.connections.erase(this);
  }

  void read_request();
  void send_next();                      // of the outbox, unless something is on its way
  void end(websocket::close_code code);  // in good manners
  void cut();                            // at once
  bool leave();                          // is no viewer from now on; whether it was one

 private:
  using Request = http::request<http::empty_body>;

  Stream& stream() { return websocket_.next_layer(); }
  // A member function as a handler that holds this connection.
  template <class... Args>
  auto then(void (Connection::*handler)(Args...)) {
    return [self = shared_from_this(), handler](Args... args) { (self.get()->*handler)(args...); };
  }

  void on_request(error_code error, std::size_t);
  void answer(const Request& request);
  std::optional<http::status> refusal(const Request& request, const std::optional<RequestTarget>& target) const;
  void refuse(http::status status);
  void send_head(http::status status, const std::string& type, std::uint64_t length);
  void on_head_sent(error_code error, std::size_t);
  void send_body();
  void on_body_sent(error_code error, std::size_t size);
  void finish();
  void linger();
  void on_lingered(error_code error, std::size_t);

  void on_opened(error_code error);
  void read_message();
  void on_message(error_code error, std::size_t);
  void on_sent(error_code error, std::size_t);
  void on_ended(error_code error);

  Impl& server_;
  const bool has_place_;
  // From the start: what it adds to a stream is small.
  websocket::stream<Stream, false> websocket_;
  Timer timer_;

  beast::flat_buffer received_{4 * longest_head};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::empty_body> head_;  // the body is sent apart, each part with its own time limit
  bool with_body_ = false;
  std::shared_ptr<const std::string> bytes_;
  std::ifstream file_;
  std::uint64_t file_remaining_ = 0;
  std::vector<char> chunk_;
  std::string_view body_;  // what is left of the bytes or the chunk

  Client client_ = 0;  // a viewer where > 0
  bool ending_ = false;
  beast::flat_buffer message_;
  std::shared_ptr<const std::string> on_its_way_;
  std::size_t text_on_its_way_ = 0;  // bytes
};

void Server::Connection::read_request() {
  parser_.emplace();
  parser_->header_limit(longest_head);
  stream().expires_after(server_.settings.request_limit);
  http::async_read_header(stream(), received_, *parser_, then(&Connection::on_request));
}

void Server::Connection::on_request(error_code error, std::size_t) {
  head_ = {};
  head_.keep_alive(false);
  if (error == http::error::header_limit) return refuse(http::status::request_header_fields_too_large);
  if (error == http::error::body_limit) return refuse(http::status::payload_too_large);
  if (error == http::error::end_of_stream || error == http::error::partial_message) return;
  if (error.category() == http::make_error_code(http::error::bad_target).category())
    return refuse(http::status::bad_request);
  if (error) return;
  if (!guarded([&] { answer(parser_->get()); })) refuse(http::status::internal_server_error);
}

void Server::Connection::answer(const Request& request) {
  const std::optional<RequestTarget> target = parse_target(view(request.target()));
  if (const std::optional<http::status> status = refusal(request, target)) return refuse(*status);
  if (websocket::is_upgrade(request) && target->path == server_.settings.socket_path) {
    stream().expires_never();  // the WebSocket has its own limits
    websocket_.set_option(
        websocket::stream_base::timeout{server_.settings.request_limit, server_.settings.idle_limit, true});
    websocket_.read_message_max(server_.settings.most_message);
    websocket_.auto_fragment(false);
    return websocket_.async_accept(request, then(&Connection::on_opened));
  }
  std::optional<Answer> answer = server_.service.get(target->path, target->query);
  if (!answer) return refuse(http::status::not_found);
  std::uint64_t length = 0;
  if (answer->bytes) {
    bytes_ = std::move(answer->bytes);
    body_ = *bytes_;
    length = body_.size();
  } else {
    std::error_code error;
    file_ = std::ifstream(answer->file, std::ios::binary);
    length = std::filesystem::file_size(answer->file, error);
    if (!file_ || error) return refuse(http::status::not_found);
    file_remaining_ = length;
  }
  head_.version(request.version());
  head_.keep_alive(request.keep_alive());
  with_body_ = request.method() == http::verb::get;
  if (const auto origin = request.find(http::field::origin); origin != request.end()) {
    head_.set(http::field::access_control_allow_origin, origin->value());
    head_.set(http::field::vary, "Origin");
  }
  send_head(http::status::ok, answer->content_type, length);
}

std::optional<http::status> Server::Connection::refusal(const Request& request,
                                                        const std::optional<RequestTarget>& target) const {
  if (!has_place_) return http::status::service_unavailable;
  if (!target || request.count(http::field::host) > 1 || request.count(http::field::origin) > 1)
    return http::status::bad_request;
  const std::string_view host = view(request[http::field::host]);
  if (!server_.is_own_host(host)) return http::status::forbidden;
  if (const auto origin = request.find(http::field::origin);
      origin != request.end() && !server_.is_allowed_origin(view(origin->value()), host)) {
    return http::status::forbidden;
  }
  if (!server_.settings.token.empty()) {
    const std::optional<std::string> token = query_value(target->query, "token");
    if (!token || !same_secret(*token, server_.settings.token)) return http::status::forbidden;
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return http::status::method_not_allowed;
  if (!parser_->is_done()) return http::status::payload_too_large;  // a body follows
  return std::nullopt;
}

void Server::Connection::refuse(http::status status) {
  bytes_ = std::make_shared<const std::string>(
      fmt::format("{} {}\n", static_cast<unsigned>(status), view(http::obsolete_reason(status))));
  body_ = *bytes_;
  file_remaining_ = 0;
  with_body_ = parser_->get().method() != http::verb::head;
  head_.keep_alive(false);
  if (status == http::status::method_not_allowed) head_.set(http::field::allow, "GET, HEAD");
  send_head(status, "text/plain; charset=utf-8", body_.size());
}

void Server::Connection::send_head(http::status status, const std::string& type, std::uint64_t length) {
  head_.result(status);
  head_.set(http::field::content_type, type);
  head_.set(http::field::cache_control, "no-store");
  head_.set("X-Content-Type-Options", "nosniff");
  head_.set("Cross-Origin-Resource-Policy", "same-origin");
  head_.set("Referrer-Policy", "same-origin");  // the address may hold the token
  head_.content_length(length);
  stream().expires_after(server_.settings.request_limit);
  http::async_write(stream(), head_, then(&Connection::on_head_sent));
}

void Server::Connection::on_head_sent(error_code error, std::size_t) {
  if (error) return;
  if (with_body_) return send_body();
  finish();
}

void Server::Connection::send_body() {
  if (body_.empty() && file_remaining_ > 0) {
    chunk_.resize(chunk_size);
    file_.read(chunk_.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(chunk_size, file_remaining_)));
    body_ = {chunk_.data(), static_cast<std::size_t>(file_.gcount())};
    if (body_.empty()) return;  // the file has become shorter
    file_remaining_ -= body_.size();
  }
  if (body_.empty()) return finish();
  stream().expires_after(server_.settings.request_limit);
  stream().async_write_some(net::buffer(body_.data(), body_.size()), then(&Connection::on_body_sent));
}

void Server::Connection::on_body_sent(error_code error, std::size_t size) {
  if (error) return;
  body_.remove_prefix(size);
  send_body();
}

void Server::Connection::finish() {
  body_ = {};
  bytes_.reset();
  chunk_ = {};
  file_.close();
  file_remaining_ = 0;
  if (head_.keep_alive()) return read_request();
  linger();
}

// Closing with bytes unread would take what was sent away from a client that is still sending.
void Server::Connection::linger() {
  error_code error;
  stream().socket().shutdown(tcp::socket::shutdown_send, error);
  stream().expires_after(linger_limit);
  on_lingered(error, 0);
}

void Server::Connection::on_lingered(error_code error, std::size_t) {
  if (error) return cut();
  chunk_.resize(1024);
  stream().async_read_some(net::buffer(chunk_), then(&Connection::on_lingered));
}

void Server::Connection::on_opened(error_code error) {
  if (error) return;
  client_ = ++server_.last_client;
  server_.viewers[client_] = this;
  {
    const std::scoped_lock lock(server_.mutex);
    server_.outboxes[client_];
  }
  if (!guarded([&] { server_.service.opened(client_); })) return end(websocket::close_code::internal_error);
  read_message();
}

void Server::Connection::read_message() {
  websocket_.async_read(message_, then(&Connection::on_message));
}

void Server::Connection::on_message(error_code error, std::size_t) {
  if (error) {  // to a fault of the viewer Beast has answered already
    if (leave()) linger();
    return;
  }
  if (ending_) return message_.clear();
  if (websocket_.got_binary()) return end(websocket::close_code::unknown_data);
  const auto data = message_.cdata();
  const std::string_view text(static_cast<const char*>(data.data()), data.size());
  if (!guarded([&] { server_.service.message(client_, text); })) return end(websocket::close_code::internal_error);
  message_.clear();
  read_message();
}

void Server::Connection::send_next() {
  {
    const std::scoped_lock lock(server_.mutex);
    const auto found = server_.outboxes.find(client_);
    if (found == server_.outboxes.end()) return;
    Outbox& box = found->second;
    box.woken = false;
    if (box.full) return cut();
    if (on_its_way_ || ending_) return;
    const bool is_text = !box.texts.empty();
    if (is_text) {
      on_its_way_ = std::move(box.texts.front());
      box.texts.pop_front();
      text_on_its_way_ = on_its_way_->size();
    } else if (box.frame) {
      on_its_way_ = std::move(box.frame);
      text_on_its_way_ = 0;
    } else {
      return;
    }
    websocket_.text(is_text);
  }
  websocket_.async_write(net::buffer(*on_its_way_), then(&Connection::on_sent));
}

void Server::Connection::on_sent(error_code error, std::size_t) {
  on_its_way_.reset();
  if (error) return cut();  // which ends the reading
  {
    const std::scoped_lock lock(server_.mutex);
    if (const auto found = server_.outboxes.find(client_); found != server_.outboxes.end())
      found->second.unsent -= text_on_its_way_;
  }
  send_next();
}

void Server::Connection::end(websocket::close_code code) {
  if (client_ == 0) return cut();
  if (std::exchange(ending_, true)) return;
  timer_.expires_after(server_.settings.request_limit);
  timer_.async_wait([weak = weak_from_this()](error_code error) {
    const std::shared_ptr<Connection> self = weak.lock();
    if (self && !error) self->cut();
  });
  websocket_.async_close(code, then(&Connection::on_ended));
}

void Server::Connection::on_ended(error_code error) {
  const bool was_viewer = leave();
  if (error) return cut();
  if (was_viewer) linger();
}

void Server::Connection::cut() {
  timer_.cancel();
  stream().close();
}

bool Server::Connection::leave() {
  const Client client = std::exchange(client_, 0);
  if (client == 0) return false;
  timer_.cancel();
  server_.viewers.erase(client);
  {
    const std::scoped_lock lock(server_.mutex);
    server_.outboxes.erase(client);
  }
  guarded([&] { server_.service.closed(client); });
  return true;
}

Server::Impl::Impl(ServerSettings s, Service& served) : settings(std::move(s)), service(served) {
  error_code error;
  address = net::ip::make_address(settings.address, error);
  if (error) {
    fail_input("cannot listen on {}: expected a numeric address, for instance 127.0.0.1 or 0.0.0.0", settings.address);
  }
  if (!address.is_loopback() && settings.token.empty()) {
    fail_input(
        "cannot listen on {} without a token: others could reach it; give one with --token, or listen on "
        "127.0.0.1",
        settings.address);
  }
  if (settings.port < 0 || settings.port > 65535) fail_input("port: expected 0 to 65535, found {}", settings.port);
  const tcp::endpoint endpoint(address, static_cast<std::uint16_t>(settings.port));
  const auto check = [&] {
    if (!error) return;
    fail_input("cannot listen on {}:{}: {}; choose another with --port, 0 for any free one", host_text(address),
               settings.port, error.message());
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
  port = acceptor.local_endpoint().port();
}

void Server::Impl::serve() {
  accept();
  beat();
  while (!guarded([&] { io.run(); })) {
  }
  error_code error;
  acceptor.close(error);
  pause.cancel();
  pulse.cancel();
  for (Connection* connection : connections) connection->end(websocket::close_code::going_away);
  go_on(farewell_limit);
  for (Connection* connection : connections) connection->cut();
  go_on(farewell_limit);
  while (!viewers.empty()) viewers.begin()->second->leave();
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
    guarded([&] { service.beat(); });
    beat();
  });
}

// Who finds no place is told so, unless there are too many of those too.
void Server::Impl::welcome(Socket socket) {
  if (connections.size() >= 2 * settings.most_connections) return;
  keep_from_children(socket.native_handle());
  error_code error;
  socket.set_option(tcp::no_delay(true), error);
  const bool has_place = connections.size() < settings.most_connections;
  std::make_shared<Connection>(*this, std::move(socket), has_place)->read_request();
}

template <class Change>
void Server::Impl::put(Client client, Change&& change) {
  {
    const std::scoped_lock lock(mutex);
    const auto found = outboxes.find(client);
    if (found == outboxes.end()) return;
    change(found->second);
    if (std::exchange(found->second.woken, true)) return;
  }
  net::post(io, [this, client] {
    if (const auto viewer = viewers.find(client); viewer != viewers.end()) viewer->second->send_next();
  });
}

bool Server::Impl::is_own_host(std::string_view host) const {
  if (host.empty()) return false;
  if (!address.is_loopback()) return true;
  for (const std::string& name : {host_text(address), std::string("localhost")}) {
    if (host == fmt::format("{}:{}", name, port) || (port == 80 && host == name)) return true;
  }
  return false;
}

bool Server::Impl::is_allowed_origin(std::string_view origin, std::string_view host) const {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme) && origin.substr(scheme.size()) == host) return true;
  }
  return std::ranges::find(settings.origins, origin) != settings.origins.end();
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
  const std::string& token = impl_->settings.token;
  return fmt::format("http://{}:{}/{}", host, impl_->port, token.empty() ? "" : "?token=" + encoded(token));
}

void Server::send(Client client, std::shared_ptr<const std::string> text) {
  impl_->put(client, [&](Outbox& box) {
    box.full = box.full || box.unsent + text->size() > impl_->settings.most_unsent;
    if (box.full) return;
    box.unsent += text->size();
    box.texts.push_back(std::move(text));
  });
}

void Server::set_frame(Client client, std::shared_ptr<const std::string> bytes) {
  impl_->put(client, [&](Outbox& box) { box.frame = std::move(bytes); });
}

void Server::close(Client client) {
  net::post(impl_->io, [impl = impl_.get(), client] {
    if (const auto viewer = impl->viewers.find(client); viewer != impl->viewers.end())
      viewer->second->end(websocket::close_code::normal);
  });
}

std::vector<Client> Server::clients() const {
  const std::scoped_lock lock(impl_->mutex);
  std::vector<Client> result;
  for (const auto& [client, box] : impl_->outboxes) result.push_back(client);
  return result;
}

}  // namespace sinew::live

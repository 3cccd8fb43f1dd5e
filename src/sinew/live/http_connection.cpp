#include "sinew/live/http_connection.h"

#include <optional>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include "sinew/live/answer_body.h"
#include "sinew/live/request_target.h"
#include "sinew/live/viewer_connection.h"

namespace sinew::live {
namespace {

namespace http = beast::http;

constexpr std::uint32_t longest_head = 16384;  // bytes of a request

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

class HttpConnection : public Connection, public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(ServerContext& context, Socket socket, bool has_place)
      : Connection(context), has_place_(has_place), stream_(std::move(socket)) {}

  void read_request();
  void end(websocket::close_code) override { cut(); }  // HTTP has no farewell
  void cut() override { stream_.close(); }

 private:
  using Request = http::request<http::empty_body>;

  void on_request(error_code error, std::size_t);
  void answer(const Request& request);
  std::optional<http::status> refusal(const Request& request, const std::optional<RequestTarget>& target) const;
  void refuse(http::status status);
  void send_head(http::status status, const std::string& type);
  void on_head_sent(error_code error, std::size_t);
  void send_body();
  void on_body_sent(error_code error, std::size_t size);
  void finish();

  const bool has_place_;
  Stream stream_;
  beast::flat_buffer received_{4 * longest_head};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::empty_body> head_;  // the body is sent apart, each part with its own time limit
  bool with_body_ = false;
  AnswerBody body_;
};

void HttpConnection::read_request() {
  parser_.emplace();
  parser_->header_limit(longest_head);
  stream_.expires_after(context_.settings.request_limit);
  http::async_read_header(stream_, received_, *parser_, holding(shared_from_this(), &HttpConnection::on_request));
}

void HttpConnection::on_request(error_code error, std::size_t) {
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

void HttpConnection::answer(const Request& request) {
  const std::optional<RequestTarget> target = parse_target(view(request.target()));
  if (const std::optional<http::status> status = refusal(request, target)) return refuse(*status);
  if (websocket::is_upgrade(request) && target->path == context_.settings.socket_path)
    return open_viewer(context_, stream_.release_socket(), request);
  const std::optional<Answer> answer = context_.service.get(target->path, target->query);
  if (!answer || !body_.open(*answer)) return refuse(http::status::not_found);
  head_.version(request.version());
  head_.keep_alive(request.keep_alive());
  with_body_ = request.method() == http::verb::get;
  if (const auto origin = request.find(http::field::origin); origin != request.end()) {
    head_.set(http::field::access_control_allow_origin, origin->value());
    head_.set(http::field::vary, "Origin");
  }
  send_head(http::status::ok, answer->content_type);
}

std::optional<http::status> HttpConnection::refusal(const Request& request,
                                                    const std::optional<RequestTarget>& target) const {
  if (!has_place_) return http::status::service_unavailable;
  if (!target || request.count(http::field::host) > 1 || request.count(http::field::origin) > 1)
    return http::status::bad_request;
  std::optional<std::string_view> origin;
  if (const auto given = request.find(http::field::origin); given != request.end()) origin = view(given->value());
  if (!context_.access.allows(view(request[http::field::host]), origin, target->query)) return http::status::forbidden;
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return http::status::method_not_allowed;
  if (!parser_->is_done()) return http::status::payload_too_large;  // a body follows
  return std::nullopt;
}

void HttpConnection::refuse(http::status status) {
  const std::string text = fmt::format("{} {}\n", static_cast<unsigned>(status), view(http::obsolete_reason(status)));
  body_.open({"", std::make_shared<const std::string>(text), ""});
  with_body_ = parser_->get().method() != http::verb::head;
  head_.keep_alive(false);
  if (status == http::status::method_not_allowed) head_.set(http::field::allow, "GET, HEAD");
  send_head(status, "text/plain; charset=utf-8");
}

void HttpConnection::send_head(http::status status, const std::string& type) {
  head_.result(status);
  head_.set(http::field::content_type, type);
  head_.set(http::field::cache_control, "no-store");
  head_.set("X-Content-Type-Options", "nosniff");
  head_.set("Cross-Origin-Resource-Policy", "same-origin");
  head_.set("Referrer-Policy", "same-origin");  // the address may hold the token
  head_.content_length(body_.left());
  stream_.expires_after(context_.settings.request_limit);
  http::async_write(stream_, head_, holding(shared_from_this(), &HttpConnection::on_head_sent));
}

void HttpConnection::on_head_sent(error_code error, std::size_t) {
  if (error) return;
  if (with_body_) return send_body();
  finish();
}

void HttpConnection::send_body() {
  const std::string_view part = body_.next();
  if (part.empty()) {
    if (body_.left() > 0) return;  // the file has become shorter
    return finish();
  }
  stream_.expires_after(context_.settings.request_limit);
  stream_.async_write_some(net::buffer(part.data(), part.size()),
                           holding(shared_from_this(), &HttpConnection::on_body_sent));
}

void HttpConnection::on_body_sent(error_code error, std::size_t size) {
  if (error) return;
  body_.sent(size);
  send_body();
}

void HttpConnection::finish() {
  body_.close();
  if (head_.keep_alive()) return read_request();
  linger(shared_from_this(), stream_);
}

}  // namespace

void serve_requests(ServerContext& context, Socket socket, bool has_place) {
  std::make_shared<HttpConnection>(context, std::move(socket), has_place)->read_request();
}

}  // namespace sinew::live

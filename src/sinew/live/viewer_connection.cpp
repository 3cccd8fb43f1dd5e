#include "sinew/live/viewer_connection.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace sinew::live {
namespace {

class ViewerConnection : public Viewer, public std::enable_shared_from_this<ViewerConnection> {
 public:
  ViewerConnection(ServerContext& context, Socket socket)
      : Viewer(context), websocket_(std::move(socket)), farewell_timer_(websocket_.get_executor()) {}
  ~ViewerConnection() override { ViewerConnection::leave(); }

  void open(const beast::http::request<beast::http::empty_body>& request);
  void send_next() override;
  void end(websocket::close_code code) override;
  void cut() override;
  bool leave() override;

 private:
  using Clock = std::chrono::steady_clock;

  void linger() { live::linger(shared_from_this(), websocket_.next_layer()); }
  void on_opened(error_code error);
  void read_message();
  void on_message(error_code error, std::size_t);
  void on_sent(error_code error, std::size_t);
  void on_ended(error_code error);

  websocket::stream<Stream, false> websocket_;
  net::basic_waitable_timer<Clock, net::wait_traits<Clock>, Executor> farewell_timer_;
  Client client_ = 0;  // 0: not open, or no longer
  bool ending_ = false;
  beast::flat_buffer message_;
  Outboxes::Parcel on_its_way_;
};

void ViewerConnection::open(const beast::http::request<beast::http::empty_body>& request) {
  const ServerSettings& settings = context_.settings;
  websocket_.set_option(websocket::stream_base::timeout{settings.request_limit, settings.idle_limit, true});
  websocket_.read_message_max(settings.most_message);
  websocket_.auto_fragment(false);
  websocket_.async_accept(request, holding(shared_from_this(), &ViewerConnection::on_opened));
}

void ViewerConnection::on_opened(error_code error) {
  if (error) return;
  client_ = ++context_.last_client;
  context_.viewers[client_] = this;
  context_.outboxes.open(client_);
  if (!guarded([&] { context_.service.opened(client_); })) return end(websocket::close_code::internal_error);
  read_message();
}

void ViewerConnection::read_message() {
  websocket_.async_read(message_, holding(shared_from_this(), &ViewerConnection::on_message));
}

void ViewerConnection::on_message(error_code error, std::size_t) {
  if (error) {  // to a fault of the viewer Beast has answered already
    if (leave()) linger();
    return;
  }
  if (ending_) return message_.clear();
  if (websocket_.got_binary()) return end(websocket::close_code::unknown_data);
  const auto data = message_.cdata();
  const std::string_view text(static_cast<const char*>(data.data()), data.size());
  if (!guarded([&] { context_.service.message(client_, text); })) return end(websocket::close_code::internal_error);
  message_.clear();
  read_message();
}

void ViewerConnection::send_next() {
  if (!context_.outboxes.look(client_)) return cut();
  if (on_its_way_.bytes || ending_) return;
  on_its_way_ = context_.outboxes.take(client_);
  if (!on_its_way_.bytes) return;
  websocket_.text(on_its_way_.is_text);
  websocket_.async_write(net::buffer(*on_its_way_.bytes), holding(shared_from_this(), &ViewerConnection::on_sent));
}

void ViewerConnection::on_sent(error_code error, std::size_t) {
  const Outboxes::Parcel parcel = std::exchange(on_its_way_, {});
  if (error) return cut();  // which ends the reading
  context_.outboxes.sent(client_, parcel);
  send_next();
}

void ViewerConnection::end(websocket::close_code code) {
  if (client_ == 0) return cut();
  if (std::exchange(ending_, true)) return;
  farewell_timer_.expires_after(context_.settings.request_limit);
  farewell_timer_.async_wait([weak = weak_from_this()](error_code error) {
    const std::shared_ptr<ViewerConnection> self = weak.lock();
    if (self && !error) self->cut();
  });
  websocket_.async_close(code, holding(shared_from_this(), &ViewerConnection::on_ended));
}

void ViewerConnection::on_ended(error_code error) {
  const bool was_viewer = leave();
  if (error) return cut();
  if (was_viewer) linger();
}

void ViewerConnection::cut() {
  farewell_timer_.cancel();
  websocket_.next_layer().close();
}

bool ViewerConnection::leave() {
  const Client client = std::exchange(client_, 0);
  if (client == 0) return false;
  farewell_timer_.cancel();
  context_.viewers.erase(client);
  context_.outboxes.close(client);
  guarded([&] { context_.service.closed(client); });
  return true;
}

}  // namespace

void open_viewer(ServerContext& context, Socket socket, const beast::http::request<beast::http::empty_body>& request) {
  std::make_shared<ViewerConnection>(context, std::move(socket))->open(request);
}

}  // namespace sinew::live

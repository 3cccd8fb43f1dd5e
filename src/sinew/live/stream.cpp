#include "sinew/live/stream.h"

#include <array>

namespace sinew::live {
namespace {

constexpr std::chrono::milliseconds linger_limit{1000};

struct Lingering : std::enable_shared_from_this<Lingering> {
  Lingering(std::shared_ptr<void> o, Stream& s) : owner(std::move(o)), stream(s) {}

  void read() { stream.async_read_some(net::buffer(unread), holding(shared_from_this(), &Lingering::on_read)); }
  void on_read(error_code error, std::size_t) {
    if (error) return stream.close();
    read();
  }

  std::shared_ptr<void> owner;
  Stream& stream;
  std::array<char, 1024> unread;
};

}  // namespace

void linger(std::shared_ptr<void> owner, Stream& stream) {
  error_code error;
  stream.socket().shutdown(tcp::socket::shutdown_send, error);
  if (error) return stream.close();
  stream.expires_after(linger_limit);
  std::make_shared<Lingering>(std::move(owner), stream)->read();
}

}  // namespace sinew::live

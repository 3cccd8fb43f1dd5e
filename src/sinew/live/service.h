// The interface from a server to its content: it answers requests and receives messages of viewers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::live {

// The answer to a GET: bytes, or a file.
struct Answer {
  std::string content_type;
  std::shared_ptr<const std::string> bytes;
  std::string file;  // path of a file, if bytes is null
};

using Client = std::uint32_t;  // a viewer with an open WebSocket: 1, 2, ...

// All functions are called on the server's thread, one at a time, and should be short. An exception ends the connection
// with status 500, or WebSocket code 1011.
class Service {
 public:
  virtual ~Service() = default;
  // Answers GET and HEAD; none gives status 404. `path` is decoded, `query` is not (see request_target.h).
  virtual std::optional<Answer> get(const std::string& path, const std::string& query) = 0;
  virtual void opened(Client /*client*/) {}
  virtual void message(Client /*client*/, std::string_view /*text*/) {}
  virtual void closed(Client /*client*/) {}  // called once for each opened viewer, also by Server::stop()
  virtual void beat() {}                     // called several times a second
};

}  // namespace sinew::live

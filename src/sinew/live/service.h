// What a server serves: answers to requests, and talks with viewers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::live {

// What is answered to GET: bytes, or those of a file.
struct Answer {
  std::string content_type;
  std::shared_ptr<const std::string> bytes;
  std::string file;  // where there are no bytes
};

using Client = std::uint32_t;  // a viewer with an open WebSocket: 1, 2, ...

// It is called on the server's thread, one call at a time, and should not take long. What it throws ends the one
// connection: with status 500, or the WebSocket's 1011.
class Service {
 public:
  virtual ~Service() = default;
  // Also for HEAD. None: 404. `path` is decoded, `query` as given (request_target.h reads it).
  virtual std::optional<Answer> get(const std::string& path, const std::string& query) = 0;
  virtual void opened(Client /*client*/) {}
  virtual void message(Client /*client*/, std::string_view /*text*/) {}
  virtual void closed(Client /*client*/) {}  // once for each opened one, by whatever it ended, stop() too
  virtual void beat() {}                     // some times a second
};

}  // namespace sinew::live

// Serves a page over HTTP and talks with its viewers over WebSockets.
//
// Built on Boost.Beast rather than CivetWeb: the worker threads of Debian's CivetWeb have stacks of 100 kB, of which
// the thread-local data of OpenBLAS and METIS take 90; and one asynchronous thread never blocks on a slow reader.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::live {

struct ServerSettings {
  std::string address = "127.0.0.1";  // numeric; another than of this machine alone needs a token
  int port = 0;                       // 0: any free one
  std::string token;                  // every request carries it as token=...; empty: none
  std::vector<std::string> origins;   // pages from elsewhere that may ask too: "https://hub.example:8000"
  std::string socket_path;            // where WebSockets are opened; empty: nowhere

  std::size_t most_message = 16384;                // bytes of a viewer's message
  std::size_t most_unsent = 8388608;               // bytes of text that wait for a viewer; who has more is cut off
  std::size_t most_connections = 64;               // of all kinds
  std::chrono::milliseconds request_limit{10000};  // for a request, each part of an answer, a handshake, a farewell
  std::chrono::milliseconds idle_limit{300000};    // a viewer silent for half of it is asked, for all of it cut off
};

// What is answered to GET: bytes, or those of a file.
struct Answer {
  std::string content_type;
  std::shared_ptr<const std::string> bytes;
  std::string file;  // where there are no bytes
};

using Client = std::uint32_t;  // a viewer with an open WebSocket: 1, 2, ...

// What a server serves. It is called on the server's thread, one call at a time, and should not take long. What it
// throws ends the one connection: with status 500, or the WebSocket's 1011.
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

// On 127.0.0.1 only requests addressed to this machine by its own name are answered, so that no web page reaches the
// server through a name of its own; elsewhere the token guards. Pages of other origins are refused but for those
// allowed.
class Server {
 public:
  // Listens, but answers from start() on. Throws InputError when the port cannot be had or a token is missing.
  Server(ServerSettings settings, Service& service);
  ~Server();  // stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start();
  // Says farewell to the viewers, for some tenths of a second, and ends the thread. Not from within the service.
  void stop();

  int port() const;
  std::string url() const;  // of the page, with the token; of this machine where the server listens on all addresses

  // From any thread, and never waiting. Viewers that are gone are passed over.
  void send(Client client, std::shared_ptr<const std::string> text);  // these arrive in order
  // One place a viewer: the latest takes that of one not yet on its way. Texts that were sent before arrive before.
  void set_frame(Client client, std::shared_ptr<const std::string> bytes);
  void close(Client client);
  std::vector<Client> clients() const;

 private:
  class Connection;
  struct Outbox;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::live

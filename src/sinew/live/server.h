// Serves a page over HTTP and connects its viewers by WebSockets.
//
// Uses Boost.Beast with one asynchronous thread, which never blocks on a slow reader.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sinew/live/service.h"

namespace sinew::live {

struct ServerSettings {
  std::string address = "127.0.0.1";  // numeric; an address other than loopback needs a token
  int port = 0;                       // 0: any free one
  std::string token;                  // every request must carry token=...; empty: none
  std::vector<std::string> origins;   // allowed foreign pages: "https://hub.example:8000"
  std::string socket_path;            // path of the WebSocket; empty: none

  std::size_t most_message = 16384;                // bytes of a viewer's message
  std::size_t most_unsent = 8388608;               // unsent text bytes of a viewer; more disconnect it
  std::size_t most_connections = 64;               // of all kinds
  std::chrono::milliseconds request_limit{10000};  // for a request, each part of an answer, a handshake, a closing
  std::chrono::milliseconds idle_limit{300000};  // a viewer silent for half of it is pinged, for all of it disconnected
};

// Answers requests that Access (access.h) allows.
class Server {
 public:
  // Listens; answers after start(). Throws InputError if the port is not available or a token is missing.
  Server(ServerSettings settings, Service& service);
  ~Server();  // stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start();
  // Closes viewers' connections, within some tenths of a second, and ends the thread. Do not call it from the service.
  void stop();

  int port() const;
  std::string url() const;  // of the page, with the token; of this machine if the server listens on all addresses

  // Callable from any thread; these never wait and ignore viewers that have left.
  void send(Client client, std::shared_ptr<const std::string> text);  // texts arrive in order
  // Replaces the viewer's unsent frame. Texts sent before arrive before.
  void set_frame(Client client, std::shared_ptr<const std::string> bytes);
  void close(Client client);
  std::vector<Client> clients() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::live

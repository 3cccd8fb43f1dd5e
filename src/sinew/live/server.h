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

  std::size_t most_message = 16384;                // largest message from a viewer [bytes]
  std::size_t most_unsent = 8388608;               // unsent text [bytes] for a viewer; above, it is disconnected
  std::size_t most_connections = 64;               // open connections of all kinds
  std::chrono::milliseconds request_limit{10000};  // time for a request, each part of an answer, a handshake, a closing
  // A viewer that is silent for half of this time is pinged; one silent for all of it is disconnected.
  std::chrono::milliseconds idle_limit{300000};
};

// Answers requests that Access (access.h) allows.
class Server {
 public:
  // Listens on the port; requests are answered after start(). Throws InputError if the port is not available or a token
  // is missing.
  Server(ServerSettings settings, Service& service);
  ~Server();  // stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start();
  // Closes viewers' connections, within some tenths of a second, and ends the thread. Must not be called from the
  // service.
  void stop();

  int port() const;
  // URL of the page, with the token. It names this machine if the server listens on all addresses.
  std::string url() const;

  // These functions may be called from any thread. They never wait, and ignore viewers that have left.
  void send(Client client, std::shared_ptr<const std::string> text);  // texts arrive in order
  // Replaces the viewer's unsent frame. Texts sent before the frame arrive before it.
  void set_frame(Client client, std::shared_ptr<const std::string> bytes);
  void close(Client client);
  std::vector<Client> clients() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::live

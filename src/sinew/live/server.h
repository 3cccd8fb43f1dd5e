// Serves a page over HTTP and talks with its viewers over WebSockets.
//
// Built on Boost.Beast rather than CivetWeb: the worker threads of Debian's CivetWeb have stacks of 100 kB, of which
// the thread-local data of OpenBLAS and METIS take 90; and one asynchronous thread never blocks on a slow reader.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sinew/live/service.h"

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

// Who may ask: access.h.
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
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::live

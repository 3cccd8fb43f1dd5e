// Connections of a server, and the context that they share.
#pragma once

#include <exception>
#include <map>
#include <set>
#include <utility>

#include <boost/beast/websocket/rfc6455.hpp>

#include "sinew/core/log.h"
#include "sinew/live/access.h"
#include "sinew/live/outboxes.h"
#include "sinew/live/server.h"

namespace sinew::live {

namespace websocket = boost::beast::websocket;

class Connection;
class Viewer;

// Once the server's thread runs, only that thread uses the context, except for the outboxes.
struct ServerContext {
  ServerContext(ServerSettings s, Service& served)
      : settings(std::move(s)), service(served), outboxes(settings.most_unsent) {}

  const ServerSettings settings;
  Service& service;
  Access access;
  Outboxes outboxes;
  std::set<Connection*> connections;
  std::map<Client, Viewer*> viewers;
  Client last_client = 0;
};

// Only its pending operations keep a connection alive.
class Connection {
 public:
  explicit Connection(ServerContext& context) : context_(context) { context_.connections.insert(this); }
  virtual ~Connection() { context_.connections.erase(this); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void end(websocket::close_code code) = 0;  // closes with a WebSocket handshake
  virtual void cut() = 0;                            // closes at once

 protected:
  ServerContext& context_;
};

class Viewer : public Connection {
 public:
  using Connection::Connection;
  virtual void send_next() = 0;  // sends the next message of its outbox, unless a send is pending
  virtual bool leave() = 0;      // stops being a viewer; returns whether it was a viewer
};

// Calls a function. Returns false if it threw an exception.
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

}  // namespace sinew::live

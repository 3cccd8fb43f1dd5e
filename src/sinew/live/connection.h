// The connections of a server, and their shared context.
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

// Only the server's thread uses this once it runs, except for outboxes.
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

// Only pending operations hold a connection.
class Connection {
 public:
  explicit Connection(ServerContext& context) : context_(context) { context_.connections.insert(this); }
  virtual ~Connection() { context_.connections.erase(this); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void end(websocket::close_code code) = 0;  // with a closing handshake
  virtual void cut() = 0;                            // at once

 protected:
  ServerContext& context_;
};

class Viewer : public Connection {
 public:
  using Connection::Connection;
  virtual void send_next() = 0;  // sends from its outbox, unless a send is pending
  virtual bool leave() = 0;      // stops being a viewer; returns whether it was one
};

// Calls a function and returns false if it threw.
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

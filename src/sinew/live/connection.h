// The connections of a server, as it sees them, and what they have of it.
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

// All but the outboxes belongs to the server's thread, once it runs.
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

// Operations that are under way hold a connection; nobody else does.
class Connection {
 public:
  explicit Connection(ServerContext& context) : context_(context) { context_.connections.insert(this); }
  virtual ~Connection() { context_.connections.erase(this); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void end(websocket::close_code code) = 0;  // in good manners
  virtual void cut() = 0;                            // at once

 protected:
  ServerContext& context_;
};

class Viewer : public Connection {
 public:
  using Connection::Connection;
  virtual void send_next() = 0;  // of its outbox, unless something is on its way
  virtual bool leave() = 0;      // is no viewer from now on; whether it was one
};

// Calls what may throw, such as the service. False when it threw.
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

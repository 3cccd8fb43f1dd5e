// Serves a live session over HTTP: page, mesh, weights and WebSocket.
#pragma once

#include <memory>
#include <string>

#include "sinew/live/server.h"
#include "sinew/live/session.h"

namespace sinew {

// Connects a session with its viewers through a server, which runs from start() on.
class LivePage : public LiveOutput, private live::Service {
 public:
  // Listens on the port. Throws InputError if the port is not available or a token is missing.
  explicit LivePage(live::ServerSettings settings);
  ~LivePage() override;

  std::string url() const { return server_.url(); }

  void start(LiveSession& session);  // `session` must live until stop()
  void stop();

  void send(int client, std::shared_ptr<const std::string> text) override;
  void set_frame(int client, std::shared_ptr<const std::string> bytes) override;

 private:
  std::optional<live::Answer> get(const std::string& path, const std::string& query) override;
  void opened(live::Client client) override;
  void message(live::Client client, std::string_view text) override;
  void closed(live::Client client) override;
  void beat() override;

  LiveSession* session_ = nullptr;
  std::shared_ptr<const std::string> page_;
  live::Server server_;
};

}  // namespace sinew

// What a live session serves: page, mesh, weights, and its WebSocket.
#pragma once

#include <memory>
#include <string>

#include "sinew/live/server.h"
#include "sinew/live/session.h"

namespace sinew {

// The session's viewers through a server. The server starts when the session is known.
class LivePage : public LiveOutput, private live::Service {
 public:
  // Listens. Throws InputError when the port cannot be had or a token is missing.
  explicit LivePage(live::ServerSettings settings);
  ~LivePage() override;

  std::string url() const { return server_.url(); }

  void start(LiveSession& session);  // it must outlive what follows, up to stop()
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

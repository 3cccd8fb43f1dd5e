#include "sinew/live/live_page.h"

#include "sinew/io/page_file.h"

namespace sinew {
namespace {

constexpr const char* socket_path = "/live/socket";

live::ServerSettings with_socket(live::ServerSettings settings) {
  settings.socket_path = socket_path;
  return settings;
}

}  // namespace

LivePage::LivePage(live::ServerSettings settings)
    : page_(std::make_shared<const std::string>(page_text(PageKind::live, {}, {}))),
      server_(with_socket(std::move(settings)), *this) {}

LivePage::~LivePage() {
  stop();
}

void LivePage::start(LiveSession& session) {
  session_ = &session;
  server_.start();
}

void LivePage::stop() {
  server_.stop();
}

void LivePage::send(int client, std::shared_ptr<const std::string> text) {
  server_.send(static_cast<live::Client>(client), std::move(text));
}

void LivePage::set_frame(int client, std::shared_ptr<const std::string> bytes) {
  server_.set_frame(static_cast<live::Client>(client), std::move(bytes));
}

std::optional<live::Answer> LivePage::get(const std::string& path, const std::string& /*query*/) {
  if (path == "/") return live::Answer{"text/html; charset=utf-8", page_, {}};
  if (path == "/live/mesh") return live::Answer{"application/json", session_->mesh(), {}};
  if (path == "/live/weights")
    if (auto weights = session_->weights()) return live::Answer{"application/octet-stream", std::move(weights), {}};
  return {};
}

void LivePage::opened(live::Client client) {
  session_->opened(static_cast<int>(client));
}

void LivePage::message(live::Client client, std::string_view text) {
  session_->message(static_cast<int>(client), text);
}

void LivePage::closed(live::Client client) {
  session_->closed(static_cast<int>(client));
}

void LivePage::beat() {
  session_->tell_waiting();
}

}  // namespace sinew

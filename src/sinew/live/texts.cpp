#include "sinew/live/texts.h"

#include "sinew/live/fields.h"

namespace sinew {
namespace {

constexpr int protocol_version = 1;
constexpr std::size_t most_rows = 256;  // that are sent at once; older ones are left out
constexpr std::chrono::milliseconds row_interval{50};

std::shared_ptr<const std::string> text_of(const Json& json) {
  return std::make_shared<const std::string>(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void LiveTexts::send(int client, const Json& message) {
  output_.send(client, text_of(message));
}

void LiveTexts::send_all(const Json& message) {
  const auto text = text_of(message);
  for (const int client : viewers_) output_.send(client, text);
}

void LiveTexts::open(int client) {
  viewers_.insert(client);
  newcomers_.insert(client);
  send(client, {{"type", "hello"}, {"version", protocol_version}, {"client", client}});
}

bool LiveTexts::close(int client) {
  newcomers_.erase(client);
  return viewers_.erase(client) > 0;
}

void LiveTexts::send_state(const Json& state) {
  send_all(state);
}

void LiveTexts::send_curves(const LiveControls& controls) {
  Json changed = Json::object(), all = Json::object();
  for (const auto& [name, version] : controls.drawn_versions()) {
    long& told = told_[name];
    if (told == version && newcomers_.empty()) continue;
    all[name] = controls.drawn(name);
    if (told != version) changed[name] = all[name];
    told = version;
  }
  for (const int client : viewers_) {
    const Json& materials = newcomers_.contains(client) ? all : changed;
    if (!materials.empty()) send(client, {{"type", "curves"}, {"materials", materials}});
  }
  newcomers_.clear();
}

void LiveTexts::add_row(Json row) {
  rows_.push_back(std::move(row));
  if (rows_.size() > most_rows) rows_.erase(rows_.begin());
}

void LiveTexts::send_rows(double rate) {
  const auto now = now_();
  if (rows_.empty() || now - rows_sent_ < row_interval) return;
  rows_sent_ = now;
  send_all({{"type", "rows"}, {"rate", rate}, {"rows", std::exchange(rows_, Json::array())}});
}

void LiveTexts::send_error(int client, const std::string& message) {
  send(client, {{"type", "error"}, {"message", message}});
}

void LiveTexts::send_error(const std::string& message) {
  send_all({{"type", "error"}, {"message", message}});
}

void LiveTexts::refuse(int client, const std::string& text, const std::string& why) {
  Json answer = {{"type", "error"}, {"message", why}};
  const Json message = parse_shallow(text);
  for (const char* name : {"key", "id"})
    if (message.is_object() && message.contains(name) && (message[name].is_string() || message[name].is_number()))
      answer[name] = message[name];
  if (message.is_object() && message.value("type", Json()) == "method") answer["key"] = "method";
  send(client, answer);
}

void LiveTexts::refuse_curves(int client, const std::string& material, const std::string& why) {
  send(client, {{"type", "error"}, {"material", material}, {"message", why}});
}

void LiveTexts::send_waiting(int client) {
  send(client, {{"type", "waiting"},
                {"message", "the simulation is still computing a step; your request takes effect after it"}});
}

void LiveTexts::end_waiting(int client) {
  send(client, {{"type", "waiting"}, {"message", nullptr}});
}

}  // namespace sinew

#include "sinew/live/events.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/utf8.h"
#include "sinew/live/fields.h"

namespace sinew {
namespace {

constexpr std::pair<LiveAction, const char*> actions[] = {
    {LiveAction::pull, "pull"},     {LiveAction::release, "release"}, {LiveAction::set, "set"},
    {LiveAction::method, "method"}, {LiveAction::curves, "curves"},   {LiveAction::edit, "edit"},
    {LiveAction::state, "state"}};

constexpr int most_steps = 2'000'000'000;

// -1 where it is something else.
int whole_or_zero(const Json& json, const char* name) {
  if (!json.contains(name)) return 0;
  const Json& value = json[name];
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= most_steps ? value.get<int>() : -1;
}

LiveEvent read_event(const Json& json) {
  const MessageFields fields(json);
  LiveEvent event;
  event.step = fields.whole("step", 0, most_steps);
  const std::string name = fields.text("type");
  const auto* known = std::ranges::find(actions, name, [](const auto& a) { return std::string(a.second); });
  if (known == std::end(actions))
    fail_input(code::live_event, "type: found \"{}\", expected pull, release, set, method, curves, edit or state",
               name);
  event.action = known->first;
  if (event.action == LiveAction::pull || event.action == LiveAction::release) {
    event.client = fields.whole("client", 0, most_steps);
    event.id = fields.whole("id", 0, most_steps);
  }
  if (event.action == LiveAction::pull) {
    event.vertex = fields.whole("vertex", 0, most_steps);
    event.target = fields.vector("target");
    event.stiffness = fields.number("stiffness");
  }
  if (event.action == LiveAction::set) {
    event.key = fields.text("key");
    event.value = fields.any("value");
  }
  if (event.action == LiveAction::method) event.key = fields.text("name");
  if (event.action == LiveAction::edit) event.value = fields.any("edit");
  if (event.action == LiveAction::state) event.key = fields.text("what");
  if (event.action == LiveAction::curves) read_curves(fields, event);
  return event;
}

}  // namespace

Json event_json(const LiveEvent& event) {
  const auto* known = std::ranges::find(actions, event.action, [](const auto& a) { return a.first; });
  Json json = {{"step", event.step}, {"type", known->second}};
  if (event.action == LiveAction::pull || event.action == LiveAction::release) {
    json["client"] = event.client;
    json["id"] = event.id;
  }
  if (event.action == LiveAction::pull) {
    json["vertex"] = event.vertex;
    json["target"] = {event.target[0], event.target[1], event.target[2]};
    json["stiffness"] = event.stiffness;
  }
  if (event.action == LiveAction::set) {
    json["key"] = event.key;
    json["value"] = event.value;
  }
  if (event.action == LiveAction::method) json["name"] = event.key;
  if (event.action == LiveAction::edit) json["edit"] = event.value;
  if (event.action == LiveAction::state) json["what"] = event.key;
  if (event.action == LiveAction::curves) {
    json["material"] = event.key;
    json["curves"] = event.value;
    if (event.value.contains("rest")) {
      json["curves"].erase("rest");
      json["rest"] = event.value["rest"];
    }
  }
  return json;
}

void read_curves(const MessageFields& fields, LiveEvent& event) {
  event.key = fields.text("material");
  event.value = fields.any("curves");
  if (!event.value.is_object() || event.value.contains("rest"))
    fail_input(code::live_event,
               "curves: found {}, expected curves by name, {{\"a\": {{\"x\": [...], \"dy\": [...]}}}}",
               shortened(event.value.dump(-1, ' ', false, Json::error_handler_t::replace)));
  if (fields.has("rest")) event.value["rest"] = fields.any("rest");
}

LiveScript read_live_script(const std::string& path) {
  require_fit(path);
  std::ifstream stream(path);
  if (!stream)
    fail_input(code::script, "{}: cannot be read; expected a script that a recording of sinew live wrote", path);
  const Json json = parse_shallow(stream);
  if (!json.is_object() || json.value("sinew_script", Json()) != 1 || !json.contains("events") ||
      !json["events"].is_array())
    fail_input(code::script, "{}: found no script, expected {{\"sinew_script\": 1, \"scene\": ..., \"events\": [...]}}",
               path);
  LiveScript script;
  script.scene = json.contains("scene") && json["scene"].is_string() ? json["scene"].get<std::string>() : "";
  const std::string start = json.contains("start") && json["start"].is_string() ? json["start"].get<std::string>() : "";
  if (!start.empty()) script.start = (std::filesystem::path(path).parent_path() / start).string();
  script.before_start = whole_or_zero(json, "before_start");
  script.steps = whole_or_zero(json, "steps");
  if (script.before_start < 0 || script.before_start > static_cast<int>(json["events"].size()) || script.steps < 0)
    fail_input(code::script, "{}: before_start and steps must be numbers of events and steps", path);
  int last = 0;
  for (std::size_t k = 0; k < json["events"].size(); ++k) {
    try {
      script.events.push_back(read_event(json["events"][k]));
    } catch (const InputError& error) {
      fail_input(error.code(), "{}: events[{}].{}", path, k, error.what());
    }
    if (script.events.back().step < last)
      fail_input(code::script, "{}: events[{}].step: found {} after {}, expected ascending steps", path, k,
                 script.events.back().step, last);
    last = script.events.back().step;
  }
  return script;
}

void write_live_script(const std::string& path, const LiveScript& script) {
  Json json = {{"sinew_script", 1}, {"scene", script.scene}};
  if (!script.start.empty()) json["start"] = script.start;
  json["before_start"] = script.before_start;
  json["steps"] = script.steps;
  json["events"] = Json::array();
  for (const LiveEvent& event : script.events) json["events"].push_back(event_json(event));
  write_file_atomically(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace sinew

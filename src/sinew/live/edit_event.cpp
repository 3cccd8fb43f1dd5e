#include "sinew/live/edit_event.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/model/live_scalars.h"

namespace sinew {
namespace {

constexpr const char* minus_infinity = "-inf";
constexpr const char* plus_infinity = "inf";
constexpr const char *numbers = "numbers", *integers = "integers", *indices = "indices", *text = "text";

// JSON has no infinity, which stands for "never".
Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return value > 0 ? plus_infinity : minus_infinity;
}

Json entry_json(const MemoryArchive::Entry& entry) {
  return std::visit(
      [](const auto& values) -> Json {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::string>) {
          return {{text, values}};
        } else if constexpr (std::is_same_v<Values, std::vector<double>>) {
          Json list = Json::array();
          for (const double value : values) list.push_back(number_json(value));
          return {{numbers, list}};
        } else {
          return {{std::is_same_v<Values, std::vector<std::int64_t>> ? integers : indices, values}};
        }
      },
      entry);
}

[[noreturn]] void refuse(const std::string& name) {
  fail_input(code::live_event, "edit.{}: found no list of numbers or text that a recording wrote", name);
}

double number_from(const Json& value, const std::string& name) {
  if (value == plus_infinity) return std::numeric_limits<double>::infinity();
  if (value == minus_infinity) return -std::numeric_limits<double>::infinity();
  if (!value.is_number()) refuse(name);
  return value.get<double>();
}

template <class Number>
std::vector<Number> whole_from(const Json& list, const std::string& name) {
  std::vector<Number> values;
  for (const Json& value : list) {
    if (!value.is_number_integer()) refuse(name);
    const auto whole = value.get<std::int64_t>();
    if (whole < std::numeric_limits<Number>::min() || whole > std::numeric_limits<Number>::max()) refuse(name);
    values.push_back(static_cast<Number>(whole));
  }
  return values;
}

MemoryArchive::Entry entry_from(const Json& json, const std::string& name) {
  if (!json.is_object() || json.size() != 1) refuse(name);
  const std::string& kind = json.begin().key();
  const Json& value = json.begin().value();
  if (kind == text && value.is_string()) return value.get<std::string>();
  if (!value.is_array()) refuse(name);
  if (kind == integers) return whole_from<std::int64_t>(value, name);
  if (kind == indices) return whole_from<std::int32_t>(value, name);
  if (kind != numbers) refuse(name);
  std::vector<double> values;
  for (const Json& each : value) values.push_back(number_from(each, name));
  return values;
}

LiveEvent pull_event(const PullEdit& edit, const System& system) {
  LiveEvent event;
  event.action = edit.pull ? LiveAction::pull : LiveAction::release;
  event.client = edit.who.client;
  event.id = edit.who.id;
  if (!edit.pull) return event;
  event.vertex = system.vertex_to_user[edit.pull->vertex];
  event.target = edit.pull->target;
  event.stiffness = edit.pull->stiffness;
  return event;
}

LiveEvent scalar_event(const ScalarEdit& edit) {
  LiveEvent event;
  event.action = LiveAction::set;
  event.key = edit.key;
  const LiveScalar* scalar = find_live_scalar(edit.key);
  if (edit.value.size() > 1)
    event.value = edit.value;
  else
    event.value = scalar && scalar->whole ? Json(static_cast<std::int64_t>(edit.value[0])) : Json(edit.value[0]);
  return event;
}

}  // namespace

LiveEvent event_of_edits(std::span<const Edit> edits, const System& system) {
  if (edits.size() == 1) {
    if (const auto* pull = std::get_if<PullEdit>(&edits[0])) return pull_event(*pull, system);
    if (const auto* scalar = std::get_if<ScalarEdit>(&edits[0])) return scalar_event(*scalar);
  }
  Edits all;
  for (const Edit& edit : edits) all.add(edit);
  MemoryArchive archive;
  ArchiveWriter writer(archive);
  all.save(writer, "", system);
  LiveEvent event;
  event.action = LiveAction::edit;
  event.value = Json::object();
  for (const auto& [name, entry] : archive.entries) event.value[name] = entry_json(entry);
  return event;
}

std::vector<Edit> edits_of_event(const LiveEvent& event, const System& system) {
  if (!event.value.is_object()) fail_input(code::live_event, "edit: found {}, expected an object", event.value.dump());
  MemoryArchive archive;
  for (const auto& [name, json] : event.value.items()) archive.entries[name] = entry_from(json, name);
  return Edits::load(ArchiveReader(archive, "edit"), "", system).all();
}

}  // namespace sinew

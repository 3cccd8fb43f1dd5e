#include "sinew/live/fields.h"

#include <cmath>

#include "sinew/core/error.h"

namespace sinew {

using Object = nlohmann::ordered_json;

namespace {

std::string shown(const Object& value) {
  std::string text = value.dump(-1, ' ', false, Object::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

}  // namespace

MessageFields::MessageFields(const Object& object) : object_(object) {
  if (!object.is_object()) fail_input(code::live_event, "found {}, expected an object", shown(object));
}

const Object& MessageFields::any(const char* name) const {
  const auto member = object_.find(name);
  if (member == object_.end()) fail_input(code::live_event, "{}: is missing", name);
  return *member;
}

std::string MessageFields::text(const char* name) const {
  const Object& value = any(name);
  if (!value.is_string()) fail_input(code::live_event, "{}: found {}, expected a text", name, shown(value));
  return value.get<std::string>();
}

int MessageFields::whole(const char* name, int least, int most) const {
  const Object& value = any(name);
  // Numbers beyond 64 bits are floating-point ones.
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > 0x7fffffff) ||
      value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
    fail_input(code::live_event, "{}: found {}, expected a whole number from {} to {}", name, shown(value), least,
               most);
  return value.get<int>();
}

double MessageFields::number(const char* name) const {
  const Object& value = any(name);
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    fail_input(code::live_event, "{}: found {}, expected a finite number", name, shown(value));
  return value.get<double>();
}

Vec3 MessageFields::vector(const char* name) const {
  const Object& value = any(name);
  const auto good = [](const Object& v) { return v.is_number() && std::isfinite(v.get<double>()); };
  if (!value.is_array() || value.size() != 3 || !std::ranges::all_of(value, good))
    fail_input(code::live_event, "{}: found {}, expected three finite numbers", name, shown(value));
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

bool MessageFields::flag(const char* name) const {
  const Object& value = any(name);
  if (!value.is_boolean()) fail_input(code::live_event, "{}: found {}, expected true or false", name, shown(value));
  return value.get<bool>();
}

}  // namespace sinew

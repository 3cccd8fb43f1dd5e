// Reads members of a JSON object that comes from outside, with errors that name the member.
#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "sinew/core/types.h"

namespace sinew {

inline constexpr int deepest_json = 32;  // levels

// Parses JSON. Returns a discarded value if it is invalid or nested so deeply that recursion could exhaust the stack.
template <class Input>
nlohmann::ordered_json parse_shallow(Input&& input) {
  using Json = nlohmann::ordered_json;
  bool deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > deepest_json;
    return !deep;
  };
  Json json = Json::parse(std::forward<Input>(input), look, /*allow_exceptions=*/false);
  return deep ? Json(Json::value_t::discarded) : json;
}

class MessageFields {
 public:
  // Throws InputError unless the value is an object.
  explicit MessageFields(const nlohmann::ordered_json& object);

  // Each function throws InputError naming the member if it is missing or of another type.
  std::string text(const char* name) const;
  int whole(const char* name, int least, int most) const;
  double number(const char* name) const;  // finite
  Vec3 vector(const char* name) const;    // three finite numbers
  bool flag(const char* name) const;
  const nlohmann::ordered_json& any(const char* name) const;
  bool has(const char* name) const { return object_.contains(name); }

 private:
  const nlohmann::ordered_json& object_;
};

}  // namespace sinew

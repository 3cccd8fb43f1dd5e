// The members of a JSON object that comes from outside, with errors that name them.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "sinew/core/types.h"

namespace sinew {

class MessageFields {
 public:
  // Throws InputError unless it is an object.
  explicit MessageFields(const nlohmann::ordered_json& object);

  // Each throws InputError naming the member where it is missing or something else.
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

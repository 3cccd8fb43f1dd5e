// A value of a completed scene with its JSON path, for reading the value and for errors about it.
#pragma once

#include <cmath>
#include <concepts>
#include <string>

#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/core/types.h"
#include "sinew/scene/complete.h"

namespace sinew {

inline constexpr double largest_number = 1e20;    // in any unit
inline constexpr double largest_length = 1e12;    // [m]
inline constexpr double largest_velocity = 1e12;  // [m/s]

// The scene has passed the schema, so the types of the values are known.
class Node {
 public:
  Node(const nlohmann::ordered_json& value, std::string path, const std::string& source)
      : value_(&value), path_(std::move(path)), source_(&source) {}

  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  Node operator[](const std::string& key) const { return {value_->at(key), key_path(path_, key), *source_}; }
  Node operator[](const char* key) const { return (*this)[std::string(key)]; }
  template <std::integral I>
  Node operator[](I i) const {
    return {value_->at(static_cast<std::size_t>(i)), item_path(path_, static_cast<std::size_t>(i)), *source_};
  }
  std::size_t size() const { return value_->size(); }

  // Returns a number. Throws InputError if its magnitude is above `largest`, because it would overflow somewhere in the
  // engine.
  double number(double largest = largest_number, const char* unit = "") const {
    const double value = value_->get<double>();
    if (!(std::abs(value) <= largest)) {
      fail(code::scene_value, "found {}, expected a magnitude of at most {:g}{}{}", found_text(*value_), largest,
           *unit ? " " : "", unit);
    }
    return value;
  }
  int integer() const { return value_->get<int>(); }
  bool flag() const { return value_->get<bool>(); }
  std::string text() const { return value_->get<std::string>(); }
  Vec3 vector(double largest = largest_number, const char* unit = "") const {
    return {(*this)[0].number(largest, unit), (*this)[1].number(largest, unit), (*this)[2].number(largest, unit)};
  }

  const nlohmann::ordered_json& json() const { return *value_; }
  const std::string& path() const { return path_; }
  const std::string& source() const { return *source_; }

  // Returns a place like "scene.json: bodies[0].mesh", for errors that other code throws.
  std::string place() const { return *source_ + ": " + path_; }

  template <class... Args>
  [[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) const {
    throw InputError(code, place() + ": " + fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  const nlohmann::ordered_json* value_;
  std::string path_;
  const std::string* source_;
};

}  // namespace sinew

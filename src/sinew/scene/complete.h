// Checks a JSON document against a schema and fills in its defaults, with errors made for people: the JSON path, what
// was found, what was expected, the nearest known name. Understands the part of JSON Schema that scene_schema() uses.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/core/utf8.h"

namespace sinew {

// The document with all defaults, its keys in the order of the schema and integers as integers. Throws InputError,
// which begins with `source` and names the path.
nlohmann::ordered_json complete(const nlohmann::json& document, const nlohmann::ordered_json& schema,
                                const std::string& source);

// "path.key", or path["key"] where the key is no plain name.
std::string key_path(const std::string& path, const std::string& key);

// "path[3]"
std::string item_path(const std::string& path, std::size_t index);

// A value as it is quoted in messages: shortened JSON.
template <class AnyJson>
std::string found_text(const AnyJson& value) {
  if (value.is_number_float() && !std::isfinite(value.template get<double>())) {
    return fmt::format("{}", value.template get<double>());  // JSON has no name for it
  }
  return shortened(value.dump(-1, ' ', false, AnyJson::error_handler_t::replace));
}

}  // namespace sinew

// Checks a JSON document against a schema and fills in its defaults. Error messages give the JSON path, what was found,
// what was expected, and the nearest known name. Supports the part of JSON Schema that scene_schema() uses.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/core/utf8.h"

namespace sinew {

// Returns the document with all defaults, keys in the order of the schema, and integers as integers. Throws InputError;
// the message begins with `source` and names the path.
nlohmann::ordered_json complete(const nlohmann::json& document, const nlohmann::ordered_json& schema,
                                const std::string& source);

// Returns "path.key", or path["key"] if the key is not a plain name.
std::string key_path(const std::string& path, const std::string& key);

// Returns "path[3]".
std::string item_path(const std::string& path, std::size_t index);

// Returns a value as messages quote it: shortened JSON.
template <class AnyJson>
std::string found_text(const AnyJson& value) {
  if (value.is_number_float() && !std::isfinite(value.template get<double>())) {
    return fmt::format("{}", value.template get<double>());  // JSON has no literal for it
  }
  return shortened(value.dump(-1, ' ', false, AnyJson::error_handler_t::replace));
}

}  // namespace sinew

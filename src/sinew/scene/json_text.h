// Writes JSON as people write it: a value that fits into a line stays on one line.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sinew {

// Returns the text of a JSON value, indented by two spaces, with keys in their order. The top level has one line for
// each item. Below it, an object or array is spread over lines only if it does not fit into `width` columns. Numbers of
// a long array share lines.
std::string json_text(const nlohmann::ordered_json& value, std::size_t width = 100);

}  // namespace sinew

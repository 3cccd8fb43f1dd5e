// JSON as people write it: what fits into a line stays on one line.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sinew {

// The text of a JSON value, indented by two blanks, keys in their order. The top level is spread over lines. Below it,
// an object or array is spread only if it does not fit into `width` columns. Numbers of a long array share lines.
std::string json_text(const nlohmann::ordered_json& value, std::size_t width = 100);

}  // namespace sinew

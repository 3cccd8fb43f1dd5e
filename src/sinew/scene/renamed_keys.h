// Former names of keys of the scene format, so that errors can give the current names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Returns the current name of key `old` in an object with the keys `known`; empty if no key ever had this name.
std::string renamed_key(std::string_view old, const std::vector<std::string>& known);

}  // namespace sinew

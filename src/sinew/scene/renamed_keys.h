// Keys of the scene format that have another name now, so that errors can give it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The name that key `old` has now in an object that knows the keys `known`, or empty where it never was one.
std::string renamed_key(std::string_view old, const std::vector<std::string>& known);

}  // namespace sinew

// Former names of keys of the scene format, so that errors can give the present ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The name that key `old` has now in an object that knows the keys `known`, or empty where it never was one.
std::string renamed_key(std::string_view old, const std::vector<std::string>& known);

}  // namespace sinew

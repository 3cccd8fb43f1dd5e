// The text of docs/errors.md. CMake embeds it: cmake/SinewPages.cmake.
#pragma once

#include <string_view>

namespace sinew::app {

std::string_view error_page();

}  // namespace sinew::app

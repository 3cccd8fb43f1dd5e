// The kinds of elements of a body made of tets.
#pragma once

#include <array>
#include <string_view>

namespace sinew {

// linear: F is constant in a tet. quadratic: ten-node tets, F is linear. The mixed kinds average the volume change
// around vertices (potential/nodal_volume.h), so that solids that hardly change their volume do not lock.
enum class Elements { linear, linear_mixed, quadratic, quadratic_mixed };

inline constexpr std::array<std::string_view, 4> element_names{"linear", "linear_mixed", "quadratic",
                                                               "quadratic_mixed"};

constexpr std::string_view element_name(Elements elements) {
  return element_names[static_cast<std::size_t>(elements)];
}

constexpr bool is_quadratic(Elements elements) {
  return elements == Elements::quadratic || elements == Elements::quadratic_mixed;
}
constexpr bool is_mixed(Elements elements) {
  return elements == Elements::linear_mixed || elements == Elements::quadratic_mixed;
}

}  // namespace sinew

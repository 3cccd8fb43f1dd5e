// Maps from values to colours, with a lightness that people with any kind of colour vision read as an order.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

using Rgb = Eigen::Vector3f;  // of sRGB, 0 to 1

enum class ColorMap { viridis, cividis, coolwarm };

// In the order of the enumeration.
const std::vector<std::string>& color_map_names();

// The colour at a value from 0 to 1; beyond, that of the nearer end.
Rgb map_color(ColorMap map, double value);

// A colour "#rrggbb". Throws InputError naming `what` for another text.
Rgb color_of_hex(const std::string& text, const char* what);

}  // namespace sinew

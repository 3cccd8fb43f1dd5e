// The meaning of a picture's colours: a bar with numbers, as on the page of a run.
#pragma once

#include <string>

#include "sinew/render/renderer.h"

namespace sinew {

struct ColorBar {
  std::string title, unit;  // unit: of SI, gets a prefix; empty: none
  double low = 0, high = 1;
  ColorMap map = ColorMap::viridis;
  bool dark = false;  // the picture: letters are light
};

// In the lower left corner.
void draw_color_bar(ColorImage& image, const ColorBar& bar);

// A factor and its prefix for a size, "k" and 1000 for 2500 Pa. Units with a power or of kg have none.
std::pair<double, std::string> unit_prefix(double size, const std::string& unit);

}  // namespace sinew

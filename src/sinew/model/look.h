// How a material looks on pages, in pictures and in exported files. The physics does not know it.
#pragma once

#include <string>

namespace sinew {

struct Look {
  std::string color;         // "#rrggbb", sRGB; empty: of the palette, in the order of bodies or materials
  double roughness = 0.55;   // 0: a mirror, 1: matt
  double metalness = 0;      // 1: mirrors in its own colour
  double opacity = 1;        // below 1: light passes, tinted by the colour
  std::string texture = {};  // image file (sRGB) that multiplies the colour; empty: none
  double texture_size = 0;   // length of an image in the rest state where the surface has no texture coordinates [m]

  bool operator==(const Look&) const = default;
};

}  // namespace sinew

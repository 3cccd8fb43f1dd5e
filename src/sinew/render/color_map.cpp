#include "sinew/render/color_map.h"

#include <algorithm>
#include <array>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using Colors = std::array<unsigned, 17>;

constexpr std::array<Colors, 3> maps = {
    {{0x440154, 0x481467, 0x482576, 0x453781, 0x404688, 0x39558c, 0x33638d, 0x2d718e, 0x287d8e, 0x238a8d, 0x1f968b,
      0x29af7f, 0x3fbc73, 0x6ccd5a, 0x9bd93c, 0xcde11d, 0xfde725},
     {0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x535a6d, 0x61656f, 0x6f7073, 0x7d7c78, 0x8c8878, 0x9b9476,
      0xaba072, 0xbcae6c, 0xcdbb63, 0xdec958, 0xf0d846, 0xfee838},
     {0x3b4cc0, 0x4e68d8, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe, 0xb9d0f9, 0xccd9ed, 0xdddcdc, 0xecd3c5, 0xf5c4ac,
      0xf7b093, 0xf4987a, 0xeb7d62, 0xdd5f4b, 0xca3b37, 0xb40426}}};

Rgb rgb_of(unsigned hex) {
  return Rgb(static_cast<float>(hex >> 16 & 255u), static_cast<float>(hex >> 8 & 255u),
             static_cast<float>(hex & 255u)) /
         255.0f;
}

}  // namespace

const std::vector<std::string>& color_map_names() {
  static const std::vector<std::string> names{"viridis", "cividis", "coolwarm"};
  return names;
}

Rgb map_color(ColorMap map, double value) {
  const Colors& colors = maps[static_cast<std::size_t>(map)];
  const double place = std::clamp(value, 0.0, 1.0) * (colors.size() - 1);
  const auto k = std::min<std::size_t>(static_cast<std::size_t>(place), colors.size() - 2);
  const auto t = static_cast<float>(place - static_cast<double>(k));
  return (1 - t) * rgb_of(colors[k]) + t * rgb_of(colors[k + 1]);
}

Rgb color_of_hex(const std::string& text, const char* what) {
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  if (text.size() != 7 || text[0] != '#' || !std::all_of(text.begin() + 1, text.end(), is_digit))
    fail_input(code::argument, "{}: found \"{}\", expected a colour \"#rrggbb\"", what, text);
  return rgb_of(static_cast<unsigned>(std::stoul(text.substr(1), nullptr, 16)));
}

}  // namespace sinew

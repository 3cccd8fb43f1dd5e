#include "sinew/render/color_bar.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/render/lettering.h"

namespace sinew {
namespace {

// Round values that divide an interval into about four parts.
std::vector<double> ticks_between(double low, double high) {
  const double span = high - low;
  if (!(span > 0)) return {low};
  const double rough = span / 4, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double m : {5.0, 2.5, 2.0, 1.0})
    if (m * power >= 0.999 * rough) step = m * power;
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k) ticks.push_back(k * step);
  return ticks;
}

std::string tick_text(double value, double span) {
  if (std::abs(value) < 1e-9 * span) return "0";
  const double size = std::abs(value);
  return size >= 1e5 || size < 1e-3 ? fmt::format("{:.2e}", value) : fmt::format("{:.4g}", value);
}

void fill(ColorImage& image, int left, int top, int right, int bottom, const auto& color_at) {
  for (int row = std::max(0, top); row < std::min(bottom, image.height); ++row)
    for (int column = std::max(0, left); column < std::min(right, image.width); ++column) {
      const Rgb color = color_at(column);
      std::uint8_t* pixel = image.values.data() + 3 * (static_cast<std::size_t>(row) * image.width + column);
      for (int k = 0; k < 3; ++k) pixel[k] = static_cast<std::uint8_t>(std::lround(255 * color[k]));
    }
}

}  // namespace

std::pair<double, std::string> unit_prefix(double size, const std::string& unit) {
  const bool plain = unit.empty() || unit.starts_with("kg") || unit.find('^') < unit.find('/');
  if (plain || !(size > 0) || !std::isfinite(size)) return {1, ""};
  constexpr std::pair<double, const char*> prefixes[] = {{1e9, "G"},  {1e6, "M"},     {1e3, "k"}, {1, ""},
                                                         {1e-3, "m"}, {1e-6, "\xb5"}, {1e-9, "n"}};
  for (const auto& [factor, name] : prefixes)
    if (size >= 0.9995 * factor) return {factor, name};
  return {1, ""};
}

void draw_color_bar(ColorImage& image, const ColorBar& bar) {
  const double size = std::max(6.0, 0.0165 * std::min(image.height, 3 * image.width / 4));
  const int margin = static_cast<int>(2.4 * size), thickness = std::max(3, static_cast<int>(0.9 * size));
  const int width = std::min(image.width - 2 * margin, static_cast<int>(22 * size));
  const int bottom = image.height - margin - static_cast<int>(2.2 * size), top = bottom - thickness;
  if (width < 8 || top < 0) return;
  const Rgb ink = bar.dark ? Rgb(0.90f, 0.92f, 0.94f) : Rgb(0.17f, 0.20f, 0.25f);
  const int left = margin;
  fill(image, left, top, left + width, bottom,
       [&](int column) { return map_color(bar.map, (column + 0.5 - left) / width); });
  const auto [factor, prefix] = unit_prefix(std::max(std::abs(bar.low), std::abs(bar.high)), bar.unit);
  const double low = bar.low / factor, high = bar.high / factor;
  const std::string unit = bar.unit.empty() ? "" : fmt::format(" [{}{}]", prefix, bar.unit);
  draw_text(image, bar.title + unit, left, top - 0.9 * size, size, ink);
  for (const double tick : ticks_between(low, high)) {
    const double place = left + (high > low ? (tick - low) / (high - low) : 0) * width;
    const int column = std::clamp(static_cast<int>(place), left, left + width - 1);
    const int line = std::max(1, static_cast<int>(0.14 * size));
    fill(image, column, bottom, column + line, bottom + static_cast<int>(0.45 * size), [&](int) { return ink; });
    const std::string text = tick_text(tick, high - low);
    const double half = 0.5 * text_width(text, 0.85 * size);
    draw_text(image, text, std::max(place - half, 0.5 * margin), bottom + 1.75 * size, 0.85 * size, ink);
  }
}

}  // namespace sinew

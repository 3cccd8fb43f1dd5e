// Charts as SVG: axes with round ticks, lines, points and a key.
#pragma once

#include <string>
#include <vector>

namespace sinew::app {

// Values of a logarithmic axis must be positive.
struct ChartAxis {
  std::string label;
  std::string unit;  // with an SI prefix if linear; empty: plain numbers
  bool logarithmic = false;
  std::vector<double> marks;  // values whose grid lines stand out, such as a rest state; the axis contains them
};

// The colour of the k-th curve of a chart, as in CSS. Colours repeat after six.
const char* chart_color(std::size_t k);

// Points joined by a line, or single points.
struct ChartSeries {
  enum class Kind { line, dashed, circles, squares } kind = Kind::line;
  std::string color;  // as in CSS
  std::vector<double> x, y;
};

// A line of the key. It shows the symbols of all `kinds`.
struct ChartKey {
  std::string text, color;
  std::vector<ChartSeries::Kind> kinds;
};

struct Chart {
  std::string title;
  ChartAxis x, y;
  std::vector<ChartSeries> series;
  std::vector<ChartKey> keys;
};

// Round values within [low, high] that divide it into about `count` parts: multiples of 1, 2, 2.5 or 5 times a power of
// 10. On a logarithmic axis: powers of 10, with 2 and 5 times them if few, or multiples if the range is short.
std::vector<double> linear_ticks(double low, double high, int count);
std::vector<double> logarithmic_ticks(double low, double high, int count);

// "0.25", "−3", "2·10⁵"
std::string tick_text(double value);

// Returns one SVG document with the charts below each other. It needs no other file. Texts may contain any bytes.
std::string svg_of(const std::vector<Chart>& charts);

}  // namespace sinew::app

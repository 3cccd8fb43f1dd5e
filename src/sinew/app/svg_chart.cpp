#include "sinew/app/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/utf8.h"

namespace sinew::app {
namespace {

// Sizes in pixels.
constexpr double page_width = 760, plot_height = 320, padding = 24;
constexpr double title_height = 30, key_height = 20, below_axis = 46, between_charts = 22;
constexpr double beside_ticks = 34;     // for the label of the y axis
constexpr double width_of_digit = 6.8;  // upper bound
constexpr std::size_t longest_text = 96;
constexpr double margin = 0.04;  // of the range of an axis, around the values
constexpr int x_ticks = 8, y_ticks = 6;

// Colours as in web/src/style.css.
constexpr const char* style = R"(
  text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #556070; }
  .title { font-size: 15px; font-weight: 600; fill: #1c2430; }
  .key { fill: #1c2430; }
  .grid { stroke: #e6eaf0; }
  .minor { stroke: #f3f5f8; }
  .axis { stroke: #a9b3c0; }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
  .dashed { stroke-dasharray: 5 5; }
  .point { fill: #fff; stroke-width: 1.4; }
)";

// As in web/src/plots.js.
constexpr std::array series_colors{"#2d75c2", "#fb9131", "#1da7b2", "#f55470", "#6b3384", "#536b13"};

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : as_utf8(text)) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ')
      escaped += ' ';  // XML has no control characters
    else
      escaped += c;
  }
  return escaped;
}

std::string text_at(double x, double y, const char* anchor, const char* kind, const std::string& text,
                    const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\"{}>{}</text>\n", x, y, anchor,
                     kind, more, xml_text(text));
}

std::string straight(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2,
                     y2);
}

std::string point(ChartSeries::Kind kind, const std::string& color, double x, double y) {
  constexpr double radius = 3.2, half = 2.8;
  if (kind == ChartSeries::Kind::squares)
    return fmt::format("<rect class=\"point\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" stroke=\"{}\"/>\n",
                       x - half, y - half, 2 * half, 2 * half, color);
  return fmt::format("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" stroke=\"{}\"/>\n", x, y, radius,
                     color);
}

bool is_points(ChartSeries::Kind kind) {
  return kind == ChartSeries::Kind::circles || kind == ChartSeries::Kind::squares;
}

bool is_plain(double value) {
  return std::abs(value) >= 1e-3 && std::abs(value) < 99999;
}

// 2·10⁵ for 2e5. Numbers from 0.1 to below 100 stay as they are.
std::string power_text(double value) {
  const double size = std::abs(value);
  const std::string sign = value < 0 ? "−" : "";
  const auto power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  if (power >= -1 && power <= 1) return sign + fmt::format("{:.6g}", size);
  std::string raised;
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (const char c : std::to_string(power)) raised += c == '-' ? "⁻" : digits[c - '0'];
  const std::string mantissa = fmt::format("{:.4g}", size / std::pow(10, power));
  return sign + (mantissa == "1" ? "" : mantissa + "·") + "10" + raised;
}

// Of UTF-8, where bytes 10xxxxxx continue a character.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

// The largest of 1, 1000, ... that is not above the size, and its prefix.
std::pair<double, const char*> prefix_for(double size) {
  constexpr std::pair<double, const char*> prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}};
  for (const auto& [factor, name] : prefixes)
    if (size >= 0.9995 * factor) return {factor, name};
  return {1, ""};
}

// A prefix of m^2 would be squared, and kg has one already (as in web/src/units.js).
bool takes_prefix(const std::string& unit) {
  const auto power = unit.find('^');
  const bool first_symbol_has_power = power != std::string::npos && unit.find_first_of(" /") > power;
  return !unit.empty() && !unit.starts_with("kg") && !first_symbol_has_power;
}

// Values along an axis: their range, ticks, and where they lie between 0 and 1.
class Scale {
 public:
  Scale(const ChartAxis& axis, std::vector<double> values, int count) : axis_(axis) {
    values.insert(values.end(), axis.marks.begin(), axis.marks.end());
    const auto [low, high] = std::ranges::minmax(values);
    ends_ = {bent(low), bent(high)};
    const double span = ends_.second - ends_.first, room = margin * (span > 0 ? span : 1);
    ends_ = {ends_.first - room, ends_.second + room};
    // Ticks are round numbers in the unit that the label shows: kPa, not Pa.
    const double first = unbent(ends_.first), last = unbent(ends_.second);
    if (takes_prefix(axis.unit) && !axis.logarithmic)
      std::tie(factor_, prefix_) = prefix_for(std::max(std::abs(first), std::abs(last)));
    const auto choose = axis.logarithmic ? logarithmic_ticks : linear_ticks;
    for (const double t : choose(first / factor_, last / factor_, count)) ticks_.push_back(t * factor_);
    // Minor lines at 1 to 9 times each power of ten.
    if (!axis.logarithmic) return;
    for (double decade = std::pow(10, std::floor(std::log10(first))); decade < last; decade *= 10)
      for (int k = 1; k < 10; ++k)
        if (k * decade > first && k * decade < last) minor_.push_back(k * decade);
  }

  double share(double value) const { return (bent(value) - ends_.first) / (ends_.second - ends_.first); }
  const std::vector<double>& ticks() const { return ticks_; }
  const std::vector<double>& minor() const { return minor_; }
  // Powers of ten for all ticks of a logarithmic axis if one needs them.
  std::string text(double tick) const {
    const bool powers = axis_.logarithmic && !std::ranges::all_of(ticks_, is_plain);
    return powers ? power_text(tick) : tick_text(tick / factor_);
  }
  bool is_mark(double tick) const {
    return std::ranges::any_of(axis_.marks, [&](double m) { return std::abs(share(m) - share(tick)) < 1e-9; });
  }
  std::string label() const {
    return axis_.unit.empty() ? axis_.label : fmt::format("{} [{}{}]", axis_.label, prefix_, axis_.unit);
  }

 private:
  double bent(double value) const { return axis_.logarithmic ? std::log10(value) : value; }
  double unbent(double value) const { return axis_.logarithmic ? std::pow(10, value) : value; }

  const ChartAxis& axis_;
  std::pair<double, double> ends_;
  double factor_ = 1;
  std::string prefix_;
  std::vector<double> ticks_, minor_;
};

std::vector<double> gathered(const std::vector<ChartSeries>& series, std::vector<double> ChartSeries::*values) {
  std::vector<double> all;
  for (const ChartSeries& s : series) all.insert(all.end(), (s.*values).begin(), (s.*values).end());
  return all;
}

// One chart: title and keys, then the grid with its ticks, lines under points, labels of the axes.
class Drawing {
 public:
  // top: of the chart on the page [px]
  Drawing(const Chart& chart, double top)
      : chart_(chart),
        x_(chart.x, gathered(chart.series, &ChartSeries::x), x_ticks),
        y_(chart.y, gathered(chart.series, &ChartSeries::y), y_ticks),
        top_(top) {
    std::size_t longest = 0;
    for (const double t : y_.ticks()) longest = std::max(longest, characters(y_.text(t)));
    left_ = padding + beside_ticks + width_of_digit * static_cast<double>(longest);
    plot_top_ = top + title_height + key_height * static_cast<double>(chart.keys.size());
  }

  double bottom() const { return plot_top_ + plot_height + below_axis; }
  std::string text() const { return heading() + grid() + lines() + points() + labels(); }

 private:
  double right() const { return page_width - padding; }
  double at_x(double value) const { return left_ + x_.share(value) * (right() - left_); }
  double at_y(double value) const { return plot_top_ + (1 - y_.share(value)) * plot_height; }

  std::string heading() const {
    std::string text = text_at(padding, top_ + 14, "start", "title", shortened(chart_.title, longest_text));
    double y = top_ + title_height;
    for (const ChartKey& key : chart_.keys) {
      constexpr double width = 30;  // of the symbol
      for (const ChartSeries::Kind kind : key.kinds)
        text += is_points(kind) ? point(kind, key.color, padding + width / 2, y)
                                : line(kind, key.color, fmt::format("M{:.1f},{:.1f}h{}", padding, y, width));
      text += text_at(padding + width + 8, y + 4, "start", "key", shortened(key.text, longest_text));
      y += key_height;
    }
    return text;
  }

  std::string grid() const {
    std::string text;
    const double bottom = plot_top_ + plot_height;
    for (const double v : x_.minor()) text += straight("minor", at_x(v), plot_top_, at_x(v), bottom);
    for (const double v : y_.minor()) text += straight("minor", left_, at_y(v), right(), at_y(v));
    for (const double v : x_.ticks()) text += straight("grid", at_x(v), plot_top_, at_x(v), bottom);
    for (const double v : y_.ticks()) text += straight("grid", left_, at_y(v), right(), at_y(v));
    for (const double v : chart_.x.marks) text += straight("axis", at_x(v), plot_top_, at_x(v), bottom);
    for (const double v : chart_.y.marks) text += straight("axis", left_, at_y(v), right(), at_y(v));
    for (const double v : x_.ticks()) text += text_at(at_x(v), bottom + 17, "middle", "tick", x_.text(v));
    for (const double v : y_.ticks()) text += text_at(left_ - 8, at_y(v) + 4, "end", "tick", y_.text(v));
    return text;
  }

  std::string labels() const {
    const double x = padding + 10, y = plot_top_ + plot_height / 2;
    return text_at((left_ + right()) / 2, plot_top_ + plot_height + 38, "middle", "label", x_.label()) +
           text_at(x, y, "middle", "label", y_.label(), fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y));
  }

  static std::string line(ChartSeries::Kind kind, const std::string& color, const std::string& path) {
    return fmt::format("<path class=\"line{}\" stroke=\"{}\" d=\"{}\"/>\n",
                       kind == ChartSeries::Kind::dashed ? " dashed" : "", color, path);
  }

  std::string lines() const {
    std::string text;
    for (const ChartSeries& s : chart_.series) {
      if (is_points(s.kind) || s.x.empty()) continue;
      std::string path;
      for (std::size_t i = 0; i < s.x.size(); ++i)
        path += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "M" : "L", at_x(s.x[i]), at_y(s.y[i]));
      text += line(s.kind, s.color, path);
    }
    return text;
  }

  std::string points() const {
    std::string text;
    for (const ChartSeries& s : chart_.series)
      for (std::size_t i = 0; is_points(s.kind) && i < s.x.size(); ++i)
        text += point(s.kind, s.color, at_x(s.x[i]), at_y(s.y[i]));
    return text;
  }

  const Chart& chart_;
  Scale x_, y_;
  double top_, left_ = 0, plot_top_ = 0;
};

}  // namespace

const char* chart_color(std::size_t k) {
  return series_colors[k % series_colors.size()];
}

std::vector<double> linear_ticks(double low, double high, int count) {
  const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double m : {5.0, 2.5, 2.0, 1.0})
    if (m * power >= 0.999 * rough) step = m * power;
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * (high - low); ++k) ticks.push_back(k * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, int count) {
  const auto first = static_cast<int>(std::floor(std::log10(low))),
             last = static_cast<int>(std::ceil(std::log10(high)));
  const auto multiples = [&](std::initializer_list<int> of, int every) {
    std::vector<double> ticks;
    for (int p = first; p <= last; ++p)
      for (const int k : of)
        if (const double value = k * std::pow(10, p); p % every == 0 && value >= low && value <= high)
          ticks.push_back(value);
    return ticks;
  };
  constexpr std::size_t few = 3;
  const int every = 1 + (last - first) / (count + 2);
  if (const std::vector<double> decades = multiples({1}, every); decades.size() >= few) return decades;
  if (const std::vector<double> some = multiples({1, 2, 5}, 1); some.size() >= few) return some;
  return linear_ticks(low, high, count);
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  return is_plain(value) ? (value < 0 ? "−" : "") + fmt::format("{:.6g}", std::abs(value)) : power_text(value);
}

std::string svg_of(const std::vector<Chart>& charts) {
  std::string body;
  double y = padding;
  for (const Chart& chart : charts) {
    if (&chart != &charts.front()) y += between_charts;
    const Drawing drawing(chart, y);
    body += drawing.text();
    y = drawing.bottom();
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} {1:.0f}\">\n"
      "<style>{2}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#fff\"/>\n{3}</svg>\n",
      page_width, y + padding / 2, style, body);
}

}  // namespace sinew::app

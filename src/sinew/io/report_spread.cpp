#include "sinew/io/report_spread.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double negligible = 1e-6;  // of the largest value
constexpr double usual_low = 0.02, usual_high = 0.98;

// `values` ascending, not empty.
double quantile(const std::vector<double>& values, double level) {
  const double place = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

// Where the parts of all spreads together reach `level`: between two of `places` (ascending) they grow evenly.
double quantile(std::span<const Spread> spreads, const std::vector<double>& places, double level) {
  double total = 0;
  for (const Spread& s : spreads) total += s.count;
  const auto part = [&](double value) {
    double sum = 0;
    for (const Spread& s : spreads) sum += s.count * s.below(value);
    return sum / total;
  };
  const auto at = std::partition_point(places.begin(), places.end(), [&](double v) { return part(v) < level; });
  if (at == places.begin() || at == places.end()) return at == places.end() ? places.back() : places.front();
  const double low = part(at[-1]), high = part(at[0]);
  return std::lerp(at[-1], at[0], high > low ? (level - low) / (high - low) : 0.0);
}

}  // namespace

double Spread::below(double value) const {
  if (value < values.front()) return 0;
  if (value >= values.back()) return 1;
  const auto next = std::upper_bound(values.begin(), values.end(), value) - values.begin();
  const double t = (value - values[next - 1]) / (values[next] - values[next - 1]);
  return std::lerp(spread_levels[next - 1], spread_levels[next], t);
}

Spread spread_of(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  const double largest = values.empty() ? 0 : *std::ranges::max_element(values);
  std::erase_if(values, [&](double v) { return v <= negligible * largest; });
  Spread spread;
  if (values.empty()) return spread;
  std::ranges::sort(values);
  spread.count = static_cast<double>(values.size());
  for (std::size_t k = 0; k < spread_levels.size(); ++k) spread.values[k] = quantile(values, spread_levels[k]);
  return spread;
}

ValueRange usual_range(std::span<const Spread> spreads) {
  std::vector<double> places;
  for (const Spread& s : spreads) {
    if (s.count > 0) places.insert(places.end(), s.values.begin(), s.values.end());
  }
  if (places.empty()) return {};
  std::ranges::sort(places);
  return {quantile(spreads, places, usual_low), quantile(spreads, places, usual_high)};
}

}  // namespace sinew

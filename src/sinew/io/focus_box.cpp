#include "sinew/io/focus_box.h"

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

constexpr double left_out = 0.04;  // of the weight, at each end

struct WeightedValue {
  double value, weight;
};

// Returns the smallest value up to which more than a share of the weight lies.
double quantile(std::vector<WeightedValue> values, double share) {
  std::ranges::stable_sort(values, {}, &WeightedValue::value);
  double whole = 0, sum = 0;
  for (const WeightedValue& v : values) whole += v.weight;
  for (const WeightedValue& v : values) {
    sum += v.weight;
    if (sum > share * whole) return v.value;
  }
  return values.back().value;
}

}  // namespace

std::array<ValueRange, 3> focus_box(std::span<const WeightedBox> boxes) {
  std::array<ValueRange, 3> focus;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<WeightedValue> lows, highs;
    for (const WeightedBox& b : boxes) {
      lows.push_back({b.box[axis].low, b.weight});
      highs.push_back({b.box[axis].high, b.weight});
    }
    focus[axis] = {quantile(lows, left_out), quantile(highs, 1 - left_out)};
  }
  return focus;
}

}  // namespace sinew

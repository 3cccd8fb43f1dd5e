#include "sinew/io/action_box.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sinew {
namespace {

constexpr double rest_weight = 0.2;  // of a frame in which nothing moves, beside the mean motion of a frame
constexpr double left_out_share = 0.08;

// The value below which a share of the weight lies.
double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, double share) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return values[k]; });
  const double whole = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (const std::size_t k : order) {
    sum += weights[k];
    if (sum >= share * whole) return values[k];
  }
  return values[order.back()];
}

}  // namespace

RenderBox action_box(std::span<const RenderBox> frames) {
  std::vector<double> weights(frames.size());
  for (std::size_t k = 1; k < frames.size(); ++k)
    weights[k] = (frames[k].low - frames[k - 1].low).norm() + (frames[k].high - frames[k - 1].high).norm();
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(frames.size());
  for (double& weight : weights) weight += rest_weight * mean + 1e-300;
  RenderBox box;
  std::vector<double> values(frames.size());
  for (int axis = 0; axis < 3; ++axis) {
    std::ranges::transform(frames, values.begin(), [&](const RenderBox& frame) { return frame.low[axis]; });
    box.low[axis] = weighted_quantile(values, weights, left_out_share);
    std::ranges::transform(frames, values.begin(), [&](const RenderBox& frame) { return frame.high[axis]; });
    box.high[axis] = weighted_quantile(values, weights, 1 - left_out_share);
  }
  return box;
}

}  // namespace sinew

#include "sinew/sound/excitation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Implicit steps spread a hard impact over up to three of them.
constexpr std::size_t impact_window = 4;

// The share of a pulse that is over at time t after its middle.
double pulse_done(double t, double duration) {
  const double u = std::clamp(t / duration + 0.5, 0.0, 1.0);
  return u - std::sin(2 * std::numbers::pi * u) / (2 * std::numbers::pi);
}

}  // namespace

// max and min over few steps: O(window^2) a step, without a queue.
std::vector<double> opening(std::span<const double> f, std::size_t window) {
  const std::size_t n = f.size(), w = std::min(window, n);
  std::vector<double> result(n, 0.0);
  for (std::size_t begin = 0; begin + w <= n; ++begin) {
    const auto [least, most] = std::ranges::minmax(f.subspan(begin, w));
    // Of the positive part the least is above zero where all are, of the negative one the greatest below.
    const double level = least > 0 ? least : most < 0 ? most : 0;
    for (std::size_t i = begin; i < begin + w; ++i)
      if (std::abs(level) > std::abs(result[i])) result[i] = level;
  }
  return result;
}

Excitation::Excitation(std::span<const double> times, std::span<const double> forces, double impact_time)
    : impact_time_(impact_time) {
  double shortest = times[1] - times[0];
  for (std::size_t n = 0; n < forces.size(); ++n) {
    middles_.push_back((times[n] + times[n + 1]) / 2);
    shortest = std::min(shortest, times[n + 1] - times[n]);
  }
  lasting_ = opening(forces, shortest > impact_time / 2 ? impact_window : 1);
  // Peaks of one sign that follow each other are one impact. There are fewer than the window's steps in it: the least
  // force of a window is its own opening.
  for (std::size_t n = 0; n < forces.size(); ++n) {
    const double sign = forces[n] - lasting_[n];
    if (sign == 0) continue;
    Impact impact;
    std::size_t end = n;
    for (; end < forces.size() && (sign > 0 ? forces[end] > lasting_[end] : forces[end] < lasting_[end]); ++end) {
      const double impulse = (times[end + 1] - times[end]) * (forces[end] - lasting_[end]);
      impact.impulse += impulse;
      impact.time += impulse * middles_[end];
    }
    impact.time /= impact.impulse;
    if (std::isfinite(impact.time)) impacts_.push_back(impact);  // not where the impulse vanishes to rounding
    n = end - 1;
  }
}

std::vector<double> Excitation::sample(double start, double dt, std::size_t count) const {
  std::vector<double> signal(count);
  std::size_t next = 0;  // the first middle behind the sample
  for (std::size_t k = 0; k < count; ++k) {
    const double t = start + static_cast<double>(k) * dt;
    while (next < middles_.size() && middles_[next] <= t) ++next;
    if (next == 0 || next == middles_.size()) {
      signal[k] = next == 0 ? lasting_.front() : lasting_.back();
      continue;
    }
    const double u = (t - middles_[next - 1]) / (middles_[next] - middles_[next - 1]);
    signal[k] = (1 - u) * lasting_[next - 1] + u * lasting_[next];
  }
  for (const Impact& impact : impacts_) add_pulse(impact, start, dt, signal);
  return signal;
}

// Samples k whose interval (k - 1/2, k + 1/2) dt meets the pulse.
void Excitation::add_pulse(const Impact& impact, double start, double dt, std::vector<double>& signal) const {
  const double middle = (impact.time - start) / dt, half = impact_time_ / (2 * dt);  // in samples
  const double first = std::max(0.0, std::ceil(middle - half - 0.5));
  const double last = std::min(static_cast<double>(signal.size()) - 1, std::floor(middle + half + 0.5));
  for (double k = first; k <= last; ++k) {
    const double before = (k - 0.5 - middle) * dt, after = (k + 0.5 - middle) * dt;
    signal[static_cast<std::size_t>(k)] +=
        impact.impulse * (pulse_done(after, impact_time_) - pulse_done(before, impact_time_)) / dt;
  }
}

}  // namespace sinew

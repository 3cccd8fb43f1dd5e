#include "sinew/model/bolt.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

// Tets of a cut stay between this share of their height and its inverse.
constexpr double least_height = 0.1;

// The largest component of grad H along `direction`.
double steepest(const Bolt& bolt, const Vec3& direction) {
  return std::max((direction.transpose() * bolt.gradient).maxCoeff(), std::numeric_limits<double>::min());
}

}  // namespace

double bolt_target(const Bolt& bolt, const TimeSetup& setup, double time, double ramp) {
  const bool ramped_to_lock = setup.integrator == Integrator::statics && setup.ramp && bolt.setup.locked_after < 1;
  return bolt.setup.at(time, ramped_to_lock ? std::min(1.0, ramp / bolt.setup.locked_after) : ramp);
}

bool keeps_force(const Bolt& bolt, double time) {
  return bolt.setup.by_force && time <= bolt.setup.locked_after * (1 + 1e-12);
}

// det M = 1 - s n . grad H
double largest_shortening(const Bolt& bolt) {
  return (1 - least_height) / steepest(bolt, bolt.setup.normal);
}

double smallest_shortening(const Bolt& bolt) {
  return -(1 / least_height - 1) / steepest(bolt, bolt.setup.normal);
}

}  // namespace sinew

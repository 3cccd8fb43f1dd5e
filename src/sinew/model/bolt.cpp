#include "sinew/model/bolt.h"

#include <algorithm>
#include <limits>

#include "sinew/mesh/quality.h"
#include "sinew/model/element_parameters.h"

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
  return bolt.setup.by_force && time < bolt.setup.locked_after * (1 - 1e-12);
}

// det M = 1 - s n . grad H
double largest_shortening(const Bolt& bolt) {
  return (1 - least_height) / steepest(bolt, bolt.setup.normal);
}

double smallest_shortening(const Bolt& bolt) {
  return -(1 / least_height - 1) / steepest(bolt, bolt.setup.normal);
}

double cut_stiffness(const System& system, const Bolt& bolt) {
  double sum = 0;
  for (std::size_t k = 0; k < bolt.tets.size(); ++k) {
    const Index t = bolt.tets[k];
    const auto group = std::ranges::find_if(system.groups, [&](const ElasticGroup& g) { return t < g.tet_end; });
    const LameParameters lame =
        group->model->linearized(element_parameters(*group, static_cast<std::size_t>(t - group->tet_begin)).kernel);
    const double young = lame.mu * (3 * lame.lambda + 2 * lame.mu) / (lame.lambda + lame.mu);
    const double slope = bolt.setup.normal.dot(bolt.gradient.col(static_cast<Index>(k)));
    sum += young * tet_volume(system.rest, system.tets, t) * slope * slope;
  }
  return sum;
}

}  // namespace sinew

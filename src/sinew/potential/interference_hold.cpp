#include "sinew/potential/interference_hold.h"

#include <cmath>

#include <Eigen/Dense>

#include "sinew/model/external_force.h"

namespace sinew {

InterferenceHold::InterferenceHold(const System& system) : system_(system) {
  if (system.interference_steps.empty()) return;
  std::vector<double> of_body(system.bodies.size(), 0.0);
  stiffness_.assign(static_cast<std::size_t>(system.dynamic_count), 0.0);
  for (Index t = 0; t < system.tet_count(); ++t) {
    Mat3 edges;
    for (int k = 0; k < 3; ++k)
      edges.col(k) = system.rest.col(system.tets(k + 1, t)) - system.rest.col(system.tets(0, t));
    const double volume = std::abs(edges.determinant()) / 6;
    of_body[system.tet_body[t]] += volume;
    for (int k = 0; k < 4; ++k) stiffness_[system.tets(k, t)] += volume / 4;
  }
  for (Index i = 0; i < system.dynamic_count; ++i) {
    const Index b = system.vertex_body[i];
    const double young = of_body[b] > 0 ? system.bodies[b].stiffness / of_body[b] : 0;
    stiffness_[i] = system.interference_steps[b] > 0 ? young * std::cbrt(stiffness_[i]) : 0;
  }
}

void InterferenceHold::begin_step(const StepContext& context) {
  held_.clear();
  for (std::size_t i = 0; i < stiffness_.size(); ++i) {
    if (!(stiffness_[i] > 0)) continue;
    const double factor = interference_factor(system_, system_.vertex_body[i], context.time_end);
    if (factor > 0) held_.push_back({static_cast<Index>(i), factor * stiffness_[i]});
  }
}

double InterferenceHold::value(const Points& x) const {
  double sum = 0;
  for (const auto& [i, k] : held_)
    sum += k / 2 * (x.col(i) - system_.rest.col(i) - system_.interference_start.col(i)).squaredNorm();
  return sum;
}

void InterferenceHold::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const auto& [i, k] : held_)
    values[i] += scale * k / 2 * (x.col(i) - system_.rest.col(i) - system_.interference_start.col(i)).squaredNorm();
}

void InterferenceHold::add_gradient(const Points& x, double scale, Points& g) const {
  for (const auto& [i, k] : held_)
    g.col(i) += scale * k * (x.col(i) - system_.rest.col(i) - system_.interference_start.col(i));
}

void InterferenceHold::add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  for (const auto& [i, k] : held_) Eigen::Map<Mat3>(H.block(H.pattern().find(i, i))) += scale * k * Mat3::Identity();
}

}  // namespace sinew

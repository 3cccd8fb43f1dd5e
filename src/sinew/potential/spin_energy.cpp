#include "sinew/potential/spin_energy.h"

#include "sinew/core/parallel.h"

namespace sinew {

SpinEnergy::SpinEnergy(const System& system)
    : mass_(system.mass), center_(system.setup.spin->center), across_(system.setup.spin->across()) {}

double SpinEnergy::value(const Points& x) const {
  return -0.5 * context_->spin2 *
         parallel_sum(mass_.size(), [&](std::size_t i) { return mass_[i] * arm(x, i).squaredNorm(); });
}

void SpinEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  const double factor = -0.5 * scale * context_->spin2;
  parallel_for(
      mass_.size(), [&](std::size_t i) { values[i] += factor * mass_[i] * arm(x, i).squaredNorm(); }, 4096);
}

// The centrifugal force is m w^2 P (x - c).
void SpinEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  const double factor = -scale * context_->spin2;
  parallel_for(
      mass_.size(), [&](std::size_t i) { g.col(i) += factor * mass_[i] * arm(x, i); }, 4096);
}

// With inertia, H has M too: M - a h^2 w^2 M P is positive where a h^2 w^2 < 1.
void SpinEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                 SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  const double factor = scale * context_->spin2;
  if (projection == Projection::psd && !(context_->inertia && factor < 1)) return;
  const BlockPattern& pattern = H.pattern();
  parallel_for(
      mass_.size(),
      [&](std::size_t i) { Eigen::Map<Mat3>(H.block(pattern.row_begin[i])) -= factor * mass_[i] * across_; }, 4096);
}

}  // namespace sinew

#include "sinew/potential/pseudo_inertia.h"

#include <utility>

#include "sinew/core/parallel.h"

namespace sinew {

// 1/2 sum_i k_i |x_i - y_i|^2 about the positions y of the round before: the proximal point method (Rockafellar 1976;
// theory, section 2, "Statics"), for bodies that contact and friction alone hold.
void PseudoInertiaEnergy::hold(std::vector<double> stiffness, const Points& x) {
  stiffness_ = std::move(stiffness);
  place_ = x;
}

// 1/2 sum k_i |x_i - y_i|^2. k falls from round to round, so that the equilibrium does not depend on it.
double PseudoInertiaEnergy::value(const Points& x) const {
  return 0.5 * parallel_sum(stiffness_.size(),
                            [&](std::size_t i) { return stiffness_[i] * (x.col(i) - place_.col(i)).squaredNorm(); });
}

void PseudoInertiaEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  parallel_for(
      stiffness_.size(),
      [&](std::size_t i) { values[i] += 0.5 * scale * stiffness_[i] * (x.col(i) - place_.col(i)).squaredNorm(); },
      4096);
}

void PseudoInertiaEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  parallel_for(
      stiffness_.size(), [&](std::size_t i) { g.col(i) += scale * stiffness_[i] * (x.col(i) - place_.col(i)); }, 4096);
}

void PseudoInertiaEnergy::add_derivatives(const Points& x, double scale, Projection, Points& g,
                                          SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  const BlockPattern& pattern = H.pattern();
  parallel_for(
      stiffness_.size(),
      [&](std::size_t i) {
        double* block = H.block(pattern.row_begin[i]);
        for (int k = 0; k < 9; k += 4) block[k] += scale * stiffness_[i];
      },
      4096);
}

}  // namespace sinew

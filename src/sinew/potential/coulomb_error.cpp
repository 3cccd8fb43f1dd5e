#include "sinew/potential/coulomb_error.h"

#include <algorithm>

namespace sinew {

// Errors that change a body's velocity by less than a tenth of the tolerance do not count: m tolerance h / (a h^2)
// [N].
std::span<const double> CoulombError::least(const System& system, bool inertia, double step, double contact_scale) {
  constexpr double counted_share = 0.1;  // of the tolerance
  if (mass_.empty()) {
    mass_.assign(system.bodies.size(), 0);
    for (Index i = 0; i < system.dynamic_count; ++i) mass_[system.vertex_body[i]] += system.mass[i];
  }
  const double force = inertia ? counted_share * system.setup.solver.tolerance * step / contact_scale : 0;
  least_.resize(mass_.size());
  for (std::size_t b = 0; b < least_.size(); ++b) least_[b] = force * mass_[b];
  return least_;
}

// Largest over the bodies of (theory, section 3, "Rounds")
//
//   sum_v (max(0, used_v - limit_v) + max(0, slipping_v - used_v)) / sum_v limit_v,
//
// limit = mu lambda at x. A contact that sticks is wrong only above its limit, since its force follows from balance;
// one that slips is wrong by any difference.
double CoulombError::largest(const FrictionEnergy& lagged, const FrictionEnergy& anew, const Points& x,
                             std::span<const Index> body, std::span<const double> least) {
  if (lagged.empty() && anew.empty()) return 0;
  lagged.use(x, lagged_);
  anew.use(x, anew_);
  error_.assign(least.size(), 0);
  limit_.assign(least.size(), 0);
  vertices_ = lagged_.vertices;
  vertices_.insert(anew_.vertices);
  vertices_.for_each([&](Index v) {
    const double used = lagged_.used[v];
    error_[body[v]] += std::max(0.0, used - anew_.limit[v]) + std::max(0.0, anew_.slipping[v] - used);
    limit_[body[v]] += anew_.limit[v];
  });
  double largest = 0;
  for (std::size_t b = 0; b < least.size(); ++b) {
    if (error_[b] > least[b]) largest = std::max(largest, error_[b] / std::max(error_[b], limit_[b]));
  }
  return largest;
}

}  // namespace sinew

// The forces of single terms of the incremental potential, for reports and tests of balance.
#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

// -grad of each term over a h^2 [N], for diagnoses and for balance in statics.
std::vector<TermForce> IncrementalPotential::forces_by_term(const Points& x) const {
  std::vector<TermForce> forces;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Energy& term = *terms_[t];
    if (term.empty()) continue;
    forces.push_back({term.name(), Points::Zero(3, system_->dynamic_count)});
    add_term_gradient(t, x, -weight(term) / context_->scale, forces.back().force);
  }
  return forces;
}

std::vector<TermForce> IncrementalPotential::forces_by_all(const Points& x) const {
  std::vector<TermForce> forces;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Energy& term = *terms_[t];
    if (term.empty()) continue;
    forces.push_back({term.name(), Points::Zero(3, system_->dynamic_count)});
    begin_point_sum();
    term.add_gradient(x, -weight(term) / context_->scale, of_points_[t] ? g_points_ : forces.back().force);
    add_from_points(forces.back().force);
  }
  return forces;
}

// Largest force of one term on a vertex [N], the scale for balance in statics.
double IncrementalPotential::largest_force(const Points& x) const {
  Points force;
  double largest = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (terms_[t]->empty()) continue;
    force.setZero(3, system_->dynamic_count);
    add_term_gradient(t, x, terms_[t]->weight(context_->scale) / context_->scale, force);
    largest = std::max(largest, parallel_max(force.cols(), 0.0, [&](std::size_t i) { return force.col(i).norm(); }));
  }
  return largest;
}

}  // namespace sinew

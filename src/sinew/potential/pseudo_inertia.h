// Holds bodies that only contact keeps from moving rigidly, by a small mass over pseudo time in load steps. Adds 1/2
// sum_i k_i |x_i - y_i|^2, where y are the positions at the end of the previous round. Rounds end at x = y, so the
// equilibrium does not depend on k (proximal point method; Rockafellar 1976).
#pragma once

#include <span>
#include <vector>

#include "sinew/potential/energy.h"

namespace sinew {

class PseudoInertiaEnergy : public Energy {
 public:
  // Starts a round. stiffness: k_i of every vertex [N/m]. x: the positions y (3 x n_all).
  void hold(std::vector<double> stiffness, const Points& x);
  void release() { stiffness_.clear(); }
  // Distance of a vertex from y [m], and the force of this term on it [N].
  double displacement(const Points& x, Index vertex) const { return (x.col(vertex) - place_.col(vertex)).norm(); }
  double force(const Points& x, Index vertex) const { return stiffness_[vertex] * displacement(x, vertex); }

  std::string_view name() const override { return "pseudo inertia"; }
  bool empty() const override { return stiffness_.empty(); }
  void begin_step(const StepContext&) override { release(); }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  std::vector<double> stiffness_;  // k_i [N/m]
  Points place_;
};

}  // namespace sinew

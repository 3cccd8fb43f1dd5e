// The elastic energy of bodies with material mass_spring: sum k/2 (|u| - l)^2, u = x_a - x_b, over System::edge_springs
// (Liu, Bouaziz, Kavan 2017, equation 5; theory, section 1).
//
//   gradient at a: k (|u| - l) n, at b its negative,   n = u / |u|
//   Hessian: blocks +-A, A = k (n n^T + c (I - n n^T)), c = 1 - l / |u|
//
// The projected Hessian has max(c, 0) for c. This projects the whole stencil, because [A -A; -A A] has the eigenvalues
// 0 and 2 k, 2 k c, 2 k c. A spring of length zero in space (|u| = 0) has no direction, no force and no Hessian.
//
// Springs with a limit (EdgeSpring::longest) have the barrier B(|u|) of potential/stretch_limit.h as well. It adds the
// force B' n, and B'' n n^T + B'/|u| (I - n n^T) to A, which is positive semidefinite.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

// Every vertex adds up its own springs in a fixed order, so one thread writes each row. The results are the same, bit
// for bit, for any number of threads, but every spring is computed twice, from both ends. O(springs); nothing is
// allocated after the first call with a pattern. No concurrent calls on one object.
class EdgeSpringEnergy final : public Energy {
 public:
  // Stiffnesses are read from the system at each call. The system must outlive this.
  explicit EdgeSpringEnergy(const System& system);

  EnergyKind kind() const override { return EnergyKind::elastic; }
  bool empty() const override { return system_.edge_springs.empty(); }
  std::string_view name() const override { return "edge springs"; }
  double value(const Points& x) const override;
  double value_rounding(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

  // H += Hessian of the springs without their limits, those of each body times its weight.
  void add_hessian(const Points& x, std::span<const double> body_weight, Projection projection,
                   SymBlockMatrix& H) const;

 private:
  struct End {
    Index spring, other;
  };

  void find_slots(const SymBlockMatrix& H) const;
  template <class Scale, class Stiffness>
  void add_rows(const Points& x, Scale&& scale, Stiffness&& stiffness, SymBlockMatrix& H) const;

  const System& system_;
  // Springs at vertex vertices_[v]: ends_[begin_[v]] .. ends_[begin_[v + 1] - 1], ascending.
  std::vector<Index> vertices_, begin_;
  std::vector<End> ends_;
  mutable std::shared_ptr<const BlockPattern> slot_pattern_;
  mutable std::vector<std::int64_t> slots_;  // block of each spring in slot_pattern_
};

}  // namespace sinew

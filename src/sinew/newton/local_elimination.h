// Nonlinear elimination (Cai and Keyes 2002, "Nonlinearly preconditioned inexact Newton algorithms"). If a few
// vertices hold most of the descent of a direction, Newton's method on these few brings them to balance.
//
// In contact, directions are poor at few places: the exact Hessian of the barrier is indefinite where contacts slide
// over edges, and projected there, steps advance slowly. One such place holds back the iteration of all vertices.
#pragma once

#include <memory>
#include <vector>

#include "sinew/potential/patch.h"
#include "sinew/solver/elimination.h"

namespace sinew {

class LocalElimination final : public Elimination {
 public:
  // The potential must outlive this; its system must have patches (PatchMaker::possible).
  explicit LocalElimination(const IncrementalPotential& potential);

  EliminationReport eliminate(const Points& g, const Points& d, Points& x) override;

 private:
  std::vector<Index> choose(const Points& g, const Points& d);
  double reach_of(const std::vector<Index>& moving, const Points& d) const;

  const IncrementalPotential& potential_;
  PatchMaker maker_;
  std::vector<double> descent_;  // by vertex: |g_i . d_i|
  std::vector<Index> order_;
};

}  // namespace sinew

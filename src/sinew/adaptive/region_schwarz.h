// A two-level Schwarz preconditioner for the block H_x of the enriched vertices, for when it is too large to factor
// (theory, section 8).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/row_elimination.h"
#include "sinew/model/system.h"
#include "sinew/multilevel/subspace_level.h"

namespace sinew {

// Vertices in contact are eliminated, as in MultilevelPreconditioner. The other vertices are corrected by
//
//   B = sum over regions l of S_l (S_l^T H_x S_l)^{-1} S_l^T + U A^{-1} U^T,   A = U^T H_bodies U,
//
// where S_l selects the vertices of region l, U are the affine motions of the regions, and H_bodies is H_x without
// contacts. It is additive Schwarz with a coarse space by aggregation (Toselli and Widlund 2005, chapter 3). The
// condition number depends on the size of a region in tets, not on the number of regions.
class RegionSchwarz : public Preconditioner {
 public:
  explicit RegionSchwarz(std::shared_ptr<const System> system);

  // Forgets the data of earlier matrices that affects later results.
  void reset();

  // vertices (ascending): those of the rows of the next systems. region: by vertex of the whole system.
  void set_vertices(const std::vector<Index>& vertices, std::span<const Index> region);

  // system.fixed, 3 flags for each row, is kept. Returns false if a region's block is not positive definite, or if A is
  // indefinite although H is not projected.
  bool compute(const NewtonSystem& system) override;
  void apply(const double* r, double* z) const override;

 private:
  void take_blocks(const SymBlockMatrix& H);

  std::shared_ptr<const System> system_;
  std::vector<Index> vertices_, group_;  // group_ numbers the regions of vertices_ from 0 on
  std::unique_ptr<SubspaceLevel> level_;
  SymBlockMatrix blocks_;  // H_x without couplings between regions
  mutable std::optional<SparseCholesky> regions_;
  mutable RowElimination elimination_;
  mutable std::vector<double> t_;
};

}  // namespace sinew

// A two-level Schwarz preconditioner for the block of the enriched vertices when it is too large to factor (theory,
// section 8).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/row_elimination.h"
#include "sinew/model/system.h"
#include "sinew/multilevel/subspace_level.h"

namespace sinew {

// Vertices in contact are eliminated, as in MultilevelPreconditioner; the others are corrected by
//
//   B = sum over regions l of S_l (S_l^T H_x S_l)^{-1} S_l^T + U A^{-1} U^T,   A = U^T H_bodies U,
//
// with S_l the vertices of a region, U the affine motions of the regions and H_bodies = H_x without contacts. Additive
// Schwarz with a coarse space by aggregation: Toselli and Widlund 2005, chapter 3. The condition depends
// on the size of a region in tets, not on the number of regions.
class RegionSchwarz : public Preconditioner {
 public:
  explicit RegionSchwarz(std::shared_ptr<const System> system);

  // Forgets everything from earlier matrices that influences later results.
  void reset();

  // The vertices (ascending) of the rows of the next systems; region: by vertex of the system.
  void set_vertices(const std::vector<Index>& vertices, std::span<const Index> region);

  // system.fixed, 3 flags a row, is kept. False if a region's block is not positive definite, or if H is not projected
  // and A is found indefinite.
  bool compute(const NewtonSystem& system) override;
  void apply(const double* r, double* z) const override;

 private:
  void take_blocks(const SymBlockMatrix& H);

  std::shared_ptr<const System> system_;
  std::vector<Index> vertices_, group_;  // the second numbers their regions from 0 on
  std::unique_ptr<SubspaceLevel> level_;
  SymBlockMatrix blocks_;  // H_x without what couples two regions
  mutable SparseCholesky regions_;
  mutable RowElimination elimination_;
  mutable std::vector<double> t_;
};

}  // namespace sinew

// The linear system of an adaptive subspace: active modes beside enriched vertices (TS, sections 3.8 and 3.10; theory,
// section 8).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/adaptive/basis_rows.h"
#include "sinew/adaptive/enriched_block.h"
#include "sinew/adaptive/enriched_coupling.h"
#include "sinew/adaptive/region_hessians.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/pcg.h"
#include "sinew/model/system.h"
#include "sinew/subspace/mode_basis.h"

namespace sinew {

// Displacements are d = S' U q + S d_x, where U are the active modes, S selects the enriched vertices and S' all other
// vertices, both without fixed coordinates. With H = grad^2 E,
//
//   [ H_q  J   ] [ q   ]   [ b_q ]     H_q = (S'U)^T H S'U,  J = (S'U)^T H S,  H_x = S^T H S,
//   [ J^T  H_x ] [ d_x ] = [ b_x ]     b_q = (S'U)^T b,  b_x = S^T b.
//
// H_q has three parts: soft tets by regions (RegionHessians), inertia, and the exact rest, a sparse matrix over the
// vertices that it touches. H_q is factored. d_x comes from conjugate gradients on the Schur complement H_x - J^T
// H_q^-1 J, with the preconditioner of H_x (enriched_block.h).
class EnrichedSystem {
 public:
  // most_flops: see EnrichedBlock.
  explicit EnrichedSystem(std::shared_ptr<const System> system, double most_flops = 8e9)
      : system_(system), enriched_(std::move(system), most_flops) {}
  void set_regions(std::vector<Index> region) { enriched_.set_regions(std::move(region)); }
  void set_mesh(std::shared_ptr<const BlockPattern> mesh) { enriched_.set_mesh(std::move(mesh)); }
  bool wants_bodies(Index vertices) { return enriched_.wants_bodies(vertices); }
  bool has_bodies() const { return enriched_.has_bodies(); }

  // Forgets everything from earlier steps that affects results, so that a resumed run gives the same bits.
  void begin_step();

  // basis and fixed are kept by reference. fixed: 3 dynamic_count flags; dense columns of the basis must be zero there.
  void set_basis(const ModeBasis& basis, std::span<const char> fixed);

  // H: the exact part. bodies: null, or H without contacts in the same pattern. exact: whether H is not projected.
  // inertia: whether H has inertia on the diagonal of every vertex.
  //
  // enriched: dynamic_count flags.
  void set(const SymBlockMatrix& H, const SymBlockMatrix* bodies, bool exact, const RegionHessians& regions,
           bool inertia, std::span<const char> enriched);

  // Factors U^T H U and solves with it: q (12 for each block of U). Returns false if the matrix is not positive
  // definite.
  bool solve_modes_alone(const Points& b, VecX& q);
  // u (3 x dynamic_count) = U q, zero at fixed coordinates.
  void lift(const VecX& q, Points& u);

  // u (3 x dynamic_count) = U q, the displacement nearest to d (3 x dynamic_count or more) in the mass norm, zero at
  // fixed coordinates.
  void fit(const Points& d, Points& u);

  // Factors H_q. solve() may then be called for several b (3 x dynamic_count); it gives q and the whole displacement d.
  bool factor();
  LinearSolveReport solve(const Points& b, double tolerance, int most_iterations, VecX& q, Points& d);

 private:
  class Schur;
  void find_touched(const SymBlockMatrix& H, std::span<const char> enriched, std::vector<Index>& inner,
                    std::vector<Index>& modal);
  void reduce_inertia();
  void assemble_modes(bool masked, SymBlockMatrix& A);
  void project(const Points& b, VecX& r, std::span<const Index> without = {});

  std::shared_ptr<const System> system_;
  const ModeBasis* basis_ = nullptr;
  std::span<const char> fixed_;
  std::unique_ptr<ModeTransfer> transfer_;  // over all vertices
  const RegionHessians* regions_ = nullptr;
  bool inertia_ = true;
  bool modes_factored_ = false;  // factor_all_ belongs to the current system

  // Enriched vertices, and vertices with an exact Hessian beyond inertia, ascending.
  std::vector<Index> touched_;
  std::vector<char> is_enriched_;  // by touched vertex
  BasisRows all_, modal_;          // rows at touched vertices, and at those of them that are not enriched
  SymBlockMatrix C_all_;
  SymBlockMatrix inertia_modes_, A_all_, A_modal_;  // by q
  // Made anew in each step, since their orders depend on earlier matrices.
  std::optional<SparseCholesky> factor_all_{std::in_place}, factor_modal_{std::in_place};

  bool exact_ = false;      // H is not projected
  EnrichedBlock enriched_;  // H_x
  EnrichedCoupling coupling_;
  ConjugateGradients iterations_;
  mutable Points p_, b_;  // work arrays, over the vertices of modal_
  mutable VecX r_, z_;    // work arrays, over q
  Points masked_;
  std::vector<double> rhs_, x_;
};

}  // namespace sinew

// The linear system of an adaptive subspace: active modes beside enriched vertices (TS, sections 3.8 and 3.10; theory,
// section 8).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/adaptive/region_hessians.h"
#include "sinew/adaptive/region_schwarz.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/pcg.h"
#include "sinew/model/system.h"
#include "sinew/subspace/mode_basis.h"

namespace sinew {

// Displacements are d = S' U q + S d_x: U the active modes, S the enriched vertices, S' all others, both without the
// fixed coordinates. With H = grad^2 E,
//
//   [ H_q  J   ] [ q   ]   [ b_q ]     H_q = (S'U)^T H S'U,  J = (S'U)^T H S,  H_x = S^T H S,
//   [ J^T  H_x ] [ d_x ] = [ b_x ]     b_q = (S'U)^T b,  b_x = S^T b.
//
// H_q has three parts: soft tets by regions (RegionHessians), inertia, and the exact rest, a sparse matrix over the
// vertices that it touches. H_q is factored; d_x comes from conjugate gradients on
// the Schur complement H_x - J^T H_q^-1 J, whose preconditioner is a factor of H_x, or where that is too large its
// factors by regions with a coarse level (region_schwarz.h).
class EnrichedSystem {
 public:
  // H_x is factored where that takes up to most_flops. Of a solid these are some 8,000 vertices: with 5,000 it is
  // faster than the Schwarz preconditioner by a third, with 12,000 slower 3 times, with 35,000 5 times.
  explicit EnrichedSystem(std::shared_ptr<const System> system, double most_flops = 8e9)
      : system_(system), most_flops_(most_flops), schwarz_(std::move(system)) {}
  // The region of each vertex (dynamic_count).
  void set_regions(std::vector<Index> region) { region_ = std::move(region); }
  // The pattern of the bodies' elastic Hessian.
  void set_mesh(std::shared_ptr<const BlockPattern> mesh) {
    if (mesh != mesh_) mesh_flops_ = -1;
    mesh_ = std::move(mesh);
  }
  // Whether so many enriched vertices want H without contacts as well: those whose H_x is not factored.
  bool wants_bodies(Index vertices);
  bool has_bodies() const { return has_bodies_; }

  // Nothing that influences bits outlives a step, so that a resumed run repeats them.
  void begin_step();

  // Both are kept by reference. fixed: 3 dynamic_count flags; dense columns of the basis are zero there.
  void set_basis(const ModeBasis& basis, std::span<const char> fixed);

  // H: the exact part, with inertia on the diagonal of every vertex where `inertia`. enriched: dynamic_count flags.
  // bodies: H without contacts, of the same pattern, or null. exact: whether H is not projected.
  void set(const SymBlockMatrix& H, const SymBlockMatrix* bodies, bool exact, const RegionHessians& regions,
           bool inertia, std::span<const char> enriched);

  // Factors (U^T H U) and solves with it: q (12 a block of U). False where it is not positive definite.
  bool solve_modes_alone(const Points& b, VecX& q);
  // u (3 x dynamic_count) = U q without fixed coordinates.
  void lift(const VecX& q, Points& u);

  // u (3 x dynamic_count) = U q next to d (3 x dynamic_count or more) by the mass, without fixed coordinates.
  void fit(const Points& d, Points& u);

  // Factors H_q; then solve() may be called for several b (3 x dynamic_count): q and the whole displacement d.
  bool factor();
  LinearSolveReport solve(const Points& b, double tolerance, int most_iterations, VecX& q, Points& d);

 private:
  // A subset of the vertices with rows of U of its own.
  struct Part {
    std::vector<Index> vertices;  // ascending
    ModeBasis basis;              // its dense columns are zero at fixed coordinates
    Points rest;
    std::vector<char> fixed;  // 3 a vertex
    std::unique_ptr<ModeTransfer> transfer;
  };
  class Schur;
  bool factor_vertices();
  // M = H_x, factored in single precision.
  class Factored : public Preconditioner {
   public:
    Factored() : solver_(options()) {}
    bool compute(const NewtonSystem& system) override { return solver_.compute(system); }
    void apply(const double* r, double* z) const override { solver_.solve(r, z); }

   private:
    static CholeskyOptions options();
    mutable SparseCholesky solver_;  // solves in its own work space
  };

  void make_part(std::vector<Index> vertices, Part& part) const;
  std::vector<Index> find_touched(const SymBlockMatrix& H);
  void take_inner(const SymBlockMatrix& H, const SymBlockMatrix* bodies);
  void couple();
  void reduce_inertia();
  void assemble_modes(bool masked, SymBlockMatrix& A);
  void project(const Points& b, std::span<const char> without, VecX& r);

  std::shared_ptr<const System> system_;
  double most_flops_;
  std::shared_ptr<const BlockPattern> mesh_;
  double mesh_flops_ = -1;     // of a factorisation of mesh_; negative: not known yet
  std::vector<Index> region_;  // by vertex
  const ModeBasis* basis_ = nullptr;
  std::span<const char> fixed_;
  std::unique_ptr<ModeTransfer> transfer_;  // of all vertices
  const RegionHessians* regions_ = nullptr;
  bool inertia_ = true;
  bool modes_factored_ = false;  // factor_all_ is of the present system

  std::vector<Index> touched_;  // vertices with an exact Hessian beyond inertia, and enriched ones, ascending
  std::vector<char> enriched_;
  Part all_, modal_;  // touched vertices; those of them that are not enriched
  SymBlockMatrix C_all_;
  SymBlockMatrix inertia_modes_, A_all_, A_modal_;  // of q
  SparseCholesky factor_all_, factor_modal_;

  std::vector<Index> inner_;  // the enriched vertices, ascending
  SymBlockMatrix Hx_, bodies_x_;
  bool exact_ = false, has_bodies_ = false;
  std::vector<char> inner_fixed_;  // 3 an enriched vertex
  std::vector<Index> touching_;    // places in inner_ of those in contact
  // J^T by blocks: for row r of inner_ the blocks (modal vertex, values of H at (r, it)).
  std::vector<std::int64_t> coupling_begin_;
  std::vector<Index> coupling_column_;
  std::vector<double> coupling_value_;                            // 9 each, column-major
  std::vector<std::int64_t> transposed_begin_, transposed_slot_;  // by modal vertex
  std::vector<Index> transposed_row_;
  Factored factored_;
  RegionSchwarz schwarz_;
  const Preconditioner* preconditioner_ = nullptr;
  ConjugateGradients iterations_;
  mutable Points p_, b_;  // work, over the modal part
  mutable VecX r_, z_;    // work, over q
  Points masked_;
  std::vector<double> rhs_, x_;
};

}  // namespace sinew

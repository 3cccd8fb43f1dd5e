// H_x, the Hessian of the enriched vertices, and its preconditioner (theory, section 8).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/adaptive/region_schwarz.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/model/system.h"

namespace sinew {

class EnrichedBlock {
 public:
  // The diagonal entry of prescribed coordinates, which have no coupling.
  static constexpr double fixed_diagonal = 1;

  // H_x is factored if that costs at most most_flops. Otherwise the preconditioner has factors by region and a coarse
  // level (region_schwarz.h). The default of 8e9 is reached at about 8,000 vertices of a solid. Compared with the
  // Schwarz preconditioner, a factor is faster by a third at 5,000 vertices, and slower by 3 times at 12,000, by 5
  // times at 35,000. With solver.adaptive.preconditioner "block_jacobi", as in the paper, it is the 3 x 3 diagonal
  // blocks of H_x.
  EnrichedBlock(std::shared_ptr<const System> system, double most_flops);

  // Sets the region of each vertex (dynamic_count entries).
  void set_regions(std::vector<Index> region) { region_ = std::move(region); }
  // Sets the pattern of the bodies' elastic Hessian.
  void set_mesh(std::shared_ptr<const BlockPattern> mesh);
  // Whether this number of enriched vertices also needs H without contacts, because H_x is not factored.
  bool wants_bodies(Index vertices);
  bool has_bodies() const { return has_bodies_; }
  void begin_step() {
    factored_.reset();
    schwarz_.reset();
  }

  // vertices: the enriched vertices, ascending; if there are none, the other arguments are ignored. fixed: 3
  // dynamic_count flags. H and bodies: as in EnrichedSystem::set(). exact: whether H is not projected.
  void set(std::vector<Index> vertices, std::span<const char> fixed, const SymBlockMatrix& H,
           const SymBlockMatrix* bodies, bool exact);
  // Returns false if H_x is not positive definite.
  bool factor();

  const std::vector<Index>& vertices() const { return vertices_; }
  bool empty() const { return vertices_.empty(); }
  const std::vector<char>& fixed() const { return fixed_; }  // 3 flags for each enriched vertex
  const SymBlockMatrix& matrix() const { return H_; }
  const Preconditioner& preconditioner() const { return *preconditioner_; }

 private:
  // H_x in single precision.
  class Factor : public Preconditioner {
   public:
    Factor() { reset(); }
    void reset() { solver_.emplace(options()); }  // its order depends on earlier matrices
    bool compute(const NewtonSystem& system) override { return solver_->compute(system); }
    void apply(const double* r, double* z) const override { solver_->solve(r, z); }

   private:
    static CholeskyOptions options();
    mutable std::optional<SparseCholesky> solver_;  // solves in its own work space
  };

  bool make_preconditioner();

  std::shared_ptr<const System> system_;
  double most_flops_;
  std::shared_ptr<const BlockPattern> mesh_;
  double mesh_flops_ = -1;     // flops to factor a matrix of pattern mesh_; negative: not computed yet
  std::vector<Index> region_;  // by vertex

  std::vector<Index> vertices_;
  std::vector<char> fixed_;
  SymBlockMatrix H_, bodies_;
  bool exact_ = false, has_bodies_ = false;
  std::vector<Index> touching_;  // indices in vertices_ of vertices in contact
  Factor factored_;
  RegionSchwarz schwarz_;
  BlockJacobi jacobi_;
  const Preconditioner* preconditioner_ = nullptr;
};

}  // namespace sinew

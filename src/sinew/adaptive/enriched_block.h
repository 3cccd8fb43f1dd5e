// H_x, the Hessian of the enriched vertices, and its preconditioner (theory, section 8).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/adaptive/region_schwarz.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/model/system.h"

namespace sinew {

class EnrichedBlock {
 public:
  // The diagonal entry of prescribed coordinates, which couple with no others.
  static constexpr double fixed_diagonal = 1;

  // H_x is factored if that takes up to most_flops. Else the preconditioner has factors by regions and a coarse level
  // (region_schwarz.h). The default of 8e9 is reached at some 8,000 vertices of a solid. A factor is faster than the
  // Schwarz preconditioner by a third with 5,000 vertices, and slower by 3 times with 12,000, by 5 with 35,000.
  EnrichedBlock(std::shared_ptr<const System> system, double most_flops);

  // The region of each vertex (dynamic_count).
  void set_regions(std::vector<Index> region) { region_ = std::move(region); }
  // The pattern of the bodies' elastic Hessian.
  void set_mesh(std::shared_ptr<const BlockPattern> mesh);
  // Whether this number of enriched vertices needs H without contacts too: if H_x is not factored.
  bool wants_bodies(Index vertices);
  bool has_bodies() const { return has_bodies_; }
  void begin_step() { schwarz_.reset(); }

  // vertices: the enriched ones, ascending; if there are none, the other arguments are ignored. fixed: 3 dynamic_count
  // flags. H and bodies as EnrichedSystem::set() has them. exact: whether H is not projected.
  void set(std::vector<Index> vertices, std::span<const char> fixed, const SymBlockMatrix& H,
           const SymBlockMatrix* bodies, bool exact);
  // False if H_x is not positive definite.
  bool factor();

  const std::vector<Index>& vertices() const { return vertices_; }
  bool empty() const { return vertices_.empty(); }
  const std::vector<char>& fixed() const { return fixed_; }  // 3 an enriched vertex
  const SymBlockMatrix& matrix() const { return H_; }
  const Preconditioner& preconditioner() const { return *preconditioner_; }

 private:
  // H_x in single precision.
  class Factor : public Preconditioner {
   public:
    Factor() : solver_(options()) {}
    bool compute(const NewtonSystem& system) override { return solver_.compute(system); }
    void apply(const double* r, double* z) const override { solver_.solve(r, z); }

   private:
    static CholeskyOptions options();
    mutable SparseCholesky solver_;  // solves in its own work space
  };

  bool make_preconditioner();

  std::shared_ptr<const System> system_;
  double most_flops_;
  std::shared_ptr<const BlockPattern> mesh_;
  double mesh_flops_ = -1;     // of a factorisation of mesh_; negative: not known yet
  std::vector<Index> region_;  // by vertex

  std::vector<Index> vertices_;
  std::vector<char> fixed_;
  SymBlockMatrix H_, bodies_;
  bool exact_ = false, has_bodies_ = false;
  std::vector<Index> touching_;  // places in vertices_ of those in contact
  Factor factored_;
  RegionSchwarz schwarz_;
  const Preconditioner* preconditioner_ = nullptr;
};

}  // namespace sinew

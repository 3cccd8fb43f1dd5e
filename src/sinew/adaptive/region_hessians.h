// Approximates elastic Hessians of a subspace by quasi-Newton updates, region by region (TS, section 3.9; theory,
// section 8).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/core/preparation.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/system.h"
#include "sinew/potential/linear_tet_energy.h"
#include "sinew/subspace/index_lists.h"
#include "sinew/subspace/mode_basis.h"

namespace sinew {

// The tets cut apart into regions, none of which shares a vertex with another. Their materials are those of the system
// at the time. With fibers that keyframes move, each RegionHessians has one of its own.
struct TornMesh {
  std::vector<Index> tet_region;                // by tet of the system
  std::vector<std::pair<Index, Index>> region;  // by region: its vertices, begin and end
  std::vector<Index> vertex_of;                 // by vertex: the vertex of the system that it copies
  std::vector<Index> tet_of;                    // by tet: the tet of the system that it copies
  IndexLists copies;                            // by vertex of the system: its copies
  std::unique_ptr<LinearTetEnergy> energy;
  std::shared_ptr<const BlockPattern> pattern;
};

// The tets are divided into regions. For each region l the reduced elastic Hessian of its soft tets T_l,
//
//   B_l ~ U^T (sum over e in T_l of grad^2 a h^2 Psi_e) U,
//
// starts from the exact Hessian and is updated by BFGS. The secant pair is s, the coordinates of the step in U, and y =
// U^T (f_l(x + U s) - f_l(x)), where f_l are the region's forces. In this partitioned quasi-Newton method (Griewank and
// Toint 1982), the sum of the B_l is exact along the last step in each region. Tets with a vertex that does not move by
// U are not soft; their Hessians belong to the exact part of the system.
//
// The forces of regions are computed on a torn mesh, in which no two regions share a vertex.
class RegionHessians {
 public:
  // tet_region: by tet, its region in [0, regions). torn: where copies of a simulation find the torn mesh.
  RegionHessians(std::shared_ptr<const System> system, std::vector<Index> tet_region, Index regions,
                 const std::shared_ptr<Shared<TornMesh>>& torn = std::make_shared<Shared<TornMesh>>());

  Index region_count() const { return static_cast<Index>(regions_.size()); }
  // torn: for changed materials, one without a mesh.
  void adapt(Change change, const std::shared_ptr<Shared<TornMesh>>& torn = std::make_shared<Shared<TornMesh>>());

  // Sets the fibers to those of a time [s].
  void set_time(double time);

  // Sets the columns of U, a basis over the vertices of the system, kept by reference. Fixed coordinates (3
  // dynamic_count flags, kept by reference) do not move by U; dense columns must be zero there. Marks every region to
  // be renewed.
  void set_basis(const ModeBasis& basis, std::span<const char> fixed);
  // Sets the vertices that do not move by U, dynamic_count flags. Marks regions whose soft tets change to be renewed.
  // With solver.adaptive.exact "regions", a region with such a vertex has no soft tets.
  void set_rigid(std::span<const char> other);

  // The following updates regions at x (3 x n_all). It computes all forces, and exact Hessians of the regions to be
  // renewed. Other regions take a secant. s: the coordinates in U (12 for each block) of the step from the last x;
  // empty: no step.
  //
  // strayed: dynamic_count flags of vertices that moved otherwise than by U s; their regions are renewed. Regions whose
  // model misses y by more than `trust` are renewed, too. With Projection::psd every B_l is positive semidefinite:
  // regions with another B_l are renewed.
  struct Report {
    Index renewed = 0;  // regions with a new exact Hessian
    Index updated = 0;  // regions that took a secant
  };
  Report evaluate(const Points& x, double scale, std::span<const double> s, std::span<const char> strayed, double trust,
                  Projection projection);
  // Marks all regions to be renewed.
  void forget();

  // g (3 x dynamic_count) += gradient of the soft tets at the last x.
  void add_gradient(Points& g) const;
  // The tets that are not soft, ascending.
  std::span<const Index> exact_tets() const { return exact_tets_; }
  bool is_soft(Index tet) const { return soft_[tet] != 0; }

  // pairs(): pairs of blocks of U (first <= second) that regions couple, sorted. The second function adds the sum of
  // all B_l to A, 4 block rows for each block.
  const std::vector<std::pair<Index, Index>>& pairs() const { return pairs_; }
  void add_to(SymBlockMatrix& A) const;

  std::size_t memory_bytes() const;

 private:
  struct Region {
    Index vertex_begin = 0, vertex_end = 0;  // torn vertices
    std::vector<Index> blocks;               // blocks of U, ascending: handles, then dense modes
    Index handles = 0;                       // how many of `blocks` are handles
    MatX B;                                  // 12 rows for each block
    VecX force, before;                      // U^T f_l at x, and at the previous x
    bool renew = true;
    bool indefinite = false;  // B may have negative eigenvalues
    bool any_soft = true;
  };

  void tear(Index regions, Shared<TornMesh>& torn);
  void gather(const Points& x);
  MatX weights(const Region& region) const;
  MatX dense_rows(const Region& region) const;
  // The rows of the region's dense block j at torn vertex r.
  auto dense_block(const Region& region, Index j, Index r) const {
    const Index block = region.blocks[region.handles + j] - basis_->handles.handle_count();
    return basis_->dense.block<12, 3>(12 * block, 3 * torn_->vertex_of[region.vertex_begin + r]);
  }
  bool is_fixed(Index torn, int axis) const {
    return fixed_[3 * static_cast<std::size_t>(torn_->vertex_of[torn]) + axis] != 0;
  }
  void reduce_force(Region& region) const;
  void reduce_hessian(Region& region) const;
  void reduce_dense(const MatX& W, Region& region) const;
  double update(Region& region, std::span<const double> s, bool definite);

  std::shared_ptr<const System> system_;
  std::vector<Region> regions_;
  std::vector<Index> tet_region_;               // by tet: its region
  std::vector<std::pair<Index, Index>> pairs_;  // pairs of blocks, of all regions
  std::shared_ptr<const TornMesh> torn_;
  const ModeBasis* basis_ = nullptr;
  std::span<const char> fixed_;
  std::vector<char> soft_;         // by tet
  std::vector<Index> exact_tets_;  // ascending
  std::vector<Index> soft_torn_;   // torn tets that are soft, ascending
  std::vector<double> ones_;
  Points x_, g_, unused_;  // over torn vertices
  SymBlockMatrix K_;       // over torn vertices: block-diagonal by region
};

}  // namespace sinew

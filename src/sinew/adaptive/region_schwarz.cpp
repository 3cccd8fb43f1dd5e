#include "sinew/adaptive/region_schwarz.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/linalg/block_submatrix.h"

namespace sinew {
namespace {

// Factors in single precision: half the bytes of a solve, and a preconditioner needs no more digits.
CholeskyOptions compact() {
  CholeskyOptions options;
  options.compact = true;
  return options;
}

// Coarse space: the affine functions of each region, weight 1 at its vertices and 0 elsewhere (aggregation).
HandleBasis affine_groups(const Points& rest, const std::vector<Index>& group) {
  const Index groups = group.empty() ? 0 : 1 + *std::max_element(group.begin(), group.end());
  HandleBasis basis;
  basis.center.assign(groups, Vec3::Zero());
  basis.radius.assign(groups, 0.0);
  std::vector<Index> size(groups, 0);
  for (std::size_t i = 0; i < group.size(); ++i) {
    basis.center[group[i]] += rest.col(i);
    ++size[group[i]];
  }
  for (Index k = 0; k < groups; ++k) basis.center[k] /= size[k];
  basis.begin.assign(1, 0);
  for (std::size_t i = 0; i < group.size(); ++i) {
    double& radius = basis.radius[group[i]];
    radius = std::max(radius, (rest.col(i) - basis.center[group[i]]).norm());
    basis.handle.push_back(group[i]);
    basis.weight.push_back(1.0);
    basis.begin.push_back(static_cast<std::int64_t>(i + 1));
  }
  for (double& radius : basis.radius)
    if (!(radius > 0)) radius = 1;  // of a single vertex, whose gradients are all zero
  return basis;
}

}  // namespace

RegionSchwarz::RegionSchwarz(std::shared_ptr<const System> system) : system_(std::move(system)) {
  reset();
}

void RegionSchwarz::reset() {
  vertices_.clear();
  regions_.emplace(compact());
  level_.reset();
  elimination_.reset();
}

void RegionSchwarz::set_vertices(const std::vector<Index>& vertices, std::span<const Index> region) {
  if (vertices == vertices_) return;
  vertices_ = vertices;
  std::vector<Index> number(1 + *std::max_element(region.begin(), region.end()), -1);
  Index groups = 0;
  group_.clear();
  Points rest(3, static_cast<Index>(vertices_.size()));
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    Index& group = number[region[vertices_[i]]];
    if (group < 0) group = groups++;
    group_.push_back(group);
    rest.col(i) = system_->rest.col(vertices_[i]);
  }
  level_ = std::make_unique<SubspaceLevel>(affine_groups(rest, group_), rest, SubspaceLevel::Solver::factor, 0.0);
  level_->reset(false);  // in double precision: a small stiff body must not seem to be at rest
  elimination_.reset();
}

// H_x without the blocks between two regions: S_l^T H_x S_l of all regions in one matrix.
void RegionSchwarz::take_blocks(const SymBlockMatrix& H) {
  const BlockPattern& from = H.pattern();
  const auto kept = [&](Index row, std::int64_t slot) { return group_[row] == group_[from.columns[slot]]; };
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = from.rows;
  pattern->row_begin.push_back(0);
  for (Index i = 0; i < from.rows; ++i) {
    for (auto slot = from.row_begin[i]; slot < from.row_begin[i + 1]; ++slot)
      if (kept(i, slot)) pattern->columns.push_back(from.columns[slot]);
    pattern->row_begin.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  keep_pattern(pattern, blocks_);
  parallel_for(
      from.rows,
      [&](std::size_t i) {
        auto to = blocks_.pattern().row_begin[i];
        for (auto slot = from.row_begin[i]; slot < from.row_begin[i + 1]; ++slot)
          if (kept(static_cast<Index>(i), slot)) std::copy_n(H.block(slot), 9, blocks_.block(to++));
      },
      1024);
}

// 1. The block diagonal of H_x by regions, factored as one matrix: its pattern falls apart.
// 2. A = U^T H_bodies U without contacts, which would glue regions together on the coarse level.
// 3. Contacts: their vertices are eliminated exactly.
bool RegionSchwarz::compute(const NewtonSystem& system) {
  take_blocks(system.H);
  if (!regions_->compute(blocks_)) return false;
  const SymBlockMatrix& bodies = system.bodies ? *system.bodies : system.H;
  if (!level_->compute(bodies, nullptr, system.fixed) && system.exact) return false;
  elimination_.compute(system.H, system.touching);
  t_.resize(3 * static_cast<std::size_t>(system.H.rows()));
  return true;
}

// z = B r as in RegionSchwarz, between the two halves of the elimination (see MultilevelPreconditioner::apply()).
void RegionSchwarz::apply(const double* r, double* z) const {
  const bool eliminate = !elimination_.empty();
  if (eliminate) elimination_.forward(r, t_.data());
  const double* rest = eliminate ? t_.data() : r;
  regions_->solve(rest, z);
  level_->add_correction(rest, z);
  if (eliminate) elimination_.backward(r, z);
}

}  // namespace sinew

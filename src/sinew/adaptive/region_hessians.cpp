#include "sinew/adaptive/region_hessians.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/model/muscle.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

// s^T y over |s| |y| below which a pair has no curvature that BFGS could learn from.
constexpr double least_pair_curvature = 1e-10;
// |r^T s| over |r| |s| below which symmetric rank one is skipped (Nocedal and Wright 2006, eq. 6.26).
constexpr double least_denominator = 1e-8;
// s^T B s over the bound on its rounding from which on it counts: two digits of it hold.
constexpr double resolved_curvature = 100;

// First-order bound on the rounding of s^T B s, two sums of n terms: 2 n u |s|^T |B| |s|, 2 u = eps (Higham 2002,
// section 3.1).
double curvature_rounding(const MatX& B, const VecX& s) {
  const VecX size = s.cwiseAbs();
  double sum = 0;
  for (Index j = 0; j < static_cast<Index>(s.size()); ++j) sum += size[j] * B.col(j).cwiseAbs().dot(size);
  return static_cast<double>(s.size()) * std::numeric_limits<double>::epsilon() * sum;
}

// The groups of the system at a time, in the order of the torn tets.
std::vector<ElasticGroup> torn_groups(const System& s, double time, const std::vector<Index>& tet_of) {
  std::vector<ElasticGroup> groups = groups_at(s, time);
  for (ElasticGroup& group : groups) {
    const auto permute = [&](auto& values) {
      if (values.size() <= 1) return;
      const auto old = values;
      for (Index t = group.tet_begin; t < group.tet_end; ++t)
        values[t - group.tet_begin] = old[tet_of[t] - group.tet_begin];
    };
    for (std::vector<double>& parameter : group.parameters) permute(parameter);
    permute(group.fiber_stiffness);
    permute(group.fiber_tension);
    if (group.fiber_direction.cols() > 1) {
      const Points old = group.fiber_direction;
      for (Index t = group.tet_begin; t < group.tet_end; ++t)
        group.fiber_direction.col(t - group.tet_begin) = old.col(tet_of[t] - group.tet_begin);
    }
  }
  return groups;
}

// The torn mesh, in which each region has vertices of its own:
//
//   f_l = sum over e in l of grad Psi_e   at the vertices of region l alone.
//
// On the common mesh the nodal forces of neighbouring regions add up at shared vertices, where tractions cancel. The
// paper divides such sums evenly (equation 20); U^T of a share is then no gradient of the region's energy, and y no
// secant of its Hessian. Tets lie by elastic group, as SIMD batches need them, and within a group by region.
std::shared_ptr<const TornMesh> torn_mesh(const System& s, const std::vector<Index>& tet_region, Index regions) {
  auto torn_mesh = std::make_shared<TornMesh>();
  TornMesh& mesh = *torn_mesh;
  mesh.tet_region = tet_region;
  const auto m = static_cast<Index>(tet_region.size());
  const IndexLists tets = grouped(tet_region, regions);
  std::vector<std::vector<Index>> vertices(regions);
  parallel_for(
      regions,
      [&](std::size_t l) {
        for (const Index t : tets[l])
          for (int k = 0; k < 4; ++k) vertices[l].push_back(s.tets(k, t));
        sort_unique(vertices[l]);
      },
      1);
  for (Index l = 0; l < regions; ++l) {
    const auto begin = static_cast<Index>(mesh.vertex_of.size());
    mesh.vertex_of.insert(mesh.vertex_of.end(), vertices[l].begin(), vertices[l].end());
    mesh.region.emplace_back(begin, static_cast<Index>(mesh.vertex_of.size()));
  }
  mesh.copies = grouped(mesh.vertex_of, s.dynamic_count);
  mesh.tet_of.resize(m);
  std::iota(mesh.tet_of.begin(), mesh.tet_of.end(), 0);
  for (const ElasticGroup& group : s.groups) {
    const auto first = mesh.tet_of.begin() + group.tet_begin, last = mesh.tet_of.begin() + group.tet_end;
    std::stable_sort(first, last, [&](Index a, Index b) { return tet_region[a] < tet_region[b]; });
  }
  Tets torn(4, m);
  Points rest(3, static_cast<Index>(mesh.vertex_of.size()));
  for (std::size_t v = 0; v < mesh.vertex_of.size(); ++v) rest.col(v) = s.rest.col(mesh.vertex_of[v]);
  parallel_for(
      m,
      [&](std::size_t t) {
        const auto& [first, last] = mesh.region[tet_region[mesh.tet_of[t]]];
        const auto begin = mesh.vertex_of.begin() + first, end = mesh.vertex_of.begin() + last;
        for (int k = 0; k < 4; ++k)
          torn(k, t) =
              static_cast<Index>(std::lower_bound(begin, end, s.tets(k, mesh.tet_of[t])) - mesh.vertex_of.begin());
      },
      1024);
  const auto n = static_cast<Index>(mesh.vertex_of.size());
  auto energy = std::make_unique<LinearTetEnergy>(rest, torn, torn_groups(s, 0, mesh.tet_of), n);
  std::vector<std::pair<Index, Index>> pairs;
  energy->collect_pairs(pairs);
  mesh.pattern = make_pattern(n, pairs);
  mesh.energy = std::move(energy);
  return torn_mesh;
}

}  // namespace

RegionHessians::RegionHessians(std::shared_ptr<const System> system, std::vector<Index> tet_region, Index regions,
                               const std::shared_ptr<Shared<TornMesh>>& torn)
    : system_(std::move(system)), tet_region_(std::move(tet_region)) {
  tear(regions, *torn);
  soft_.assign(tet_region_.size(), 1);
  soft_torn_.resize(tet_region_.size());
  std::iota(soft_torn_.begin(), soft_torn_.end(), 0);
  ones_.assign(tet_region_.size(), 1.0);
}

void RegionHessians::tear(Index regions, Shared<TornMesh>& torn) {
  const bool own = moves_fibers(*system_);
  torn_ = own ? nullptr : torn.get();
  if (!torn_ || torn_->tet_region != tet_region_) {
    torn_ = torn_mesh(*system_, tet_region_, regions);
    if (!own) torn.offer(torn_);
  }
  regions_.resize(regions);
  for (Index l = 0; l < regions; ++l) std::tie(regions_[l].vertex_begin, regions_[l].vertex_end) = torn_->region[l];
  const auto n = static_cast<Index>(torn_->vertex_of.size());
  K_.set_pattern(torn_->pattern);
  x_.resize(3, n);
  g_.setZero(3, n);
  unused_.resize(3, n);
}

void RegionHessians::adapt(Change change, const std::shared_ptr<Shared<TornMesh>>& torn) {
  if (change != Change::materials && change != Change::fibers) return;
  tear(region_count(), *torn);  // parameters live in the torn order
  forget();
}

void RegionHessians::set_time(double time) {
  if (moves_fibers(*system_)) torn_->energy->set_groups(torn_groups(*system_, time, torn_->tet_of));
}

// Which blocks of U move region l: B_l has 12 rows for each of them. Pairs of blocks that share a region give the
// pattern of sum_l B_l.
void RegionHessians::set_basis(const ModeBasis& basis, std::span<const char> fixed) {
  basis_ = &basis;
  fixed_ = fixed;
  const HandleBasis& handles = basis.handles;
  parallel_for(
      regions_.size(),
      [&](std::size_t l) {
        Region& region = regions_[l];
        region.blocks.clear();
        for (Index v = region.vertex_begin; v < region.vertex_end; ++v) {
          const Index i = torn_->vertex_of[v];
          for (auto e = handles.begin[i]; e < handles.begin[i + 1]; ++e) region.blocks.push_back(handles.handle[e]);
          if (region.blocks.size() > 4096) sort_unique(region.blocks);
        }
        sort_unique(region.blocks);
        region.handles = static_cast<Index>(region.blocks.size());
        // Dense modes of another body vanish here.
        for (Index j = 0; j < basis.dense_blocks(); ++j) {
          bool moves = false;
          for (Index v = region.vertex_begin; v < region.vertex_end && !moves; ++v)
            moves = !basis.dense.block<12, 3>(12 * j, 3 * torn_->vertex_of[v]).isZero(0);
          if (moves) region.blocks.push_back(handles.handle_count() + j);
        }
        const auto size = 12 * static_cast<Index>(region.blocks.size());
        region.B.setZero(size, size);
        region.force.setZero(size);
        region.before.setZero(size);
        region.renew = true;
      },
      1);
  pairs_.clear();
  for (const Region& region : regions_) {
    for (std::size_t i = 0; i < region.blocks.size(); ++i)
      for (std::size_t j = i; j < region.blocks.size(); ++j) pairs_.emplace_back(region.blocks[i], region.blocks[j]);
    if (pairs_.size() > 1 << 16) sort_unique(pairs_);
  }
  sort_unique(pairs_);
}

// Splits the tets into soft ones, all of whose vertices move by modes, and exact ones. A region whose soft tets
// change has another energy, for which no secant holds: it is formed anew (TS, section 3.9).
void RegionHessians::set_rigid(std::span<const char> other) {
  const System& s = *system_;
  std::vector<char> changed(regions_.size(), 0), hard(regions_.size(), 0);
  exact_tets_.clear();
  const auto has_rigid = [&](Index t) {
    return other[s.tets(0, t)] || other[s.tets(1, t)] || other[s.tets(2, t)] || other[s.tets(3, t)];
  };
  if (s.setup.solver.adaptive.whole_regions)
    for (Index t = 0; t < static_cast<Index>(soft_.size()); ++t)
      if (has_rigid(t)) hard[tet_region_[t]] = 1;
  for (Index t = 0; t < static_cast<Index>(soft_.size()); ++t) {
    const bool soft = !has_rigid(t) && !hard[tet_region_[t]];
    if (soft != (soft_[t] != 0)) changed[tet_region_[t]] = 1;
    soft_[t] = soft;
    if (!soft) exact_tets_.push_back(t);
  }
  soft_torn_.clear();
  for (Region& region : regions_) region.any_soft = false;
  for (Index t = 0; t < static_cast<Index>(torn_->tet_of.size()); ++t) {
    if (!soft_[torn_->tet_of[t]]) continue;
    soft_torn_.push_back(t);
    regions_[tet_region_[torn_->tet_of[t]]].any_soft = true;
  }
  for (std::size_t l = 0; l < regions_.size(); ++l) regions_[l].renew |= changed[l] != 0;
}

void RegionHessians::forget() {
  for (Region& region : regions_) region.renew = true;
}

// x at the torn vertices.
void RegionHessians::gather(const Points& x) {
  parallel_for(
      torn_->vertex_of.size(), [&](std::size_t v) { x_.col(v) = x.col(torn_->vertex_of[v]); }, 4096);
}

// Rows of W at the torn vertices of a region: n_l x 4 a handle, entries phi (1, (X - c)/r).
MatX RegionHessians::weights(const Region& region) const {
  const HandleBasis& handles = basis_->handles;
  const Index rows = region.vertex_end - region.vertex_begin;
  MatX W = MatX::Zero(rows, 4 * region.handles);
  for (Index r = 0; r < rows; ++r) {
    const Index i = torn_->vertex_of[region.vertex_begin + r];
    std::size_t at = 0;
    for (auto e = handles.begin[i]; e < handles.begin[i + 1]; ++e) {
      const Index h = handles.handle[e];
      while (region.blocks[at] != h) ++at;  // both ascending
      const auto w = handle_scalars(handles, e, system_->rest.col(i));
      for (int k = 0; k < 4; ++k) W(r, 4 * at + k) = w[k];
    }
  }
  return W;
}

// The dense columns of U at the torn vertices of a region, transposed: 12 a block x 3 n_l.
MatX RegionHessians::dense_rows(const Region& region) const {
  const Index rows = region.vertex_end - region.vertex_begin;
  const auto blocks = static_cast<Index>(region.blocks.size()) - region.handles;
  MatX D(12 * blocks, 3 * rows);
  for (Index r = 0; r < rows; ++r)
    for (Index j = 0; j < blocks; ++j) D.block<12, 3>(12 * j, 3 * r) = dense_block(region, j, r);
  return D;
}

// U^T f_l = (W^T (x) I) f_l for handles, 3 x 4 a handle as a product of dense matrices, and D^T f_l for dense modes.
void RegionHessians::reduce_force(Region& region) const {
  if (region.blocks.empty()) return;
  Points f = g_.middleCols(region.vertex_begin, region.vertex_end - region.vertex_begin);
  for (Index r = 0; r < f.cols(); ++r)
    for (int k = 0; k < 3; ++k)
      if (is_fixed(region.vertex_begin + r, k)) f(k, r) = 0;
  const Index by_handles = 12 * region.handles, dense = static_cast<Index>(region.force.size()) - by_handles;
  Eigen::Map<Points>(region.force.data(), 3, by_handles / 3).noalias() = f * weights(region);
  region.force.tail(dense).setZero();
  for (Index r = 0; r < f.cols(); ++r)
    for (Index j = 0; j < dense / 12; ++j)
      region.force.segment<12>(by_handles + 12 * j) += dense_block(region, j, r) * f.col(r);
}

// B_l = U^T K_l U with U = W (x) I_3 falls apart by pairs of axes:
//
//   (B_l)_ab = W^T (K_l)_ab W,   a, b = x, y, z,
//
// 6 products of an n_l x n_l sparse and an n_l x 4 k_l dense matrix, and 6 dense ones: the work of forming a region
// anew, which secants avoid.
void RegionHessians::reduce_hessian(Region& region) const {
  if (region.blocks.empty()) return;
  const MatX W = weights(region);
  const Index rows = static_cast<Index>(W.rows()), columns = static_cast<Index>(W.cols());
  const BlockPattern& pattern = K_.pattern();
  const auto prescribed = [&](Index r, int axis) { return is_fixed(region.vertex_begin + r, axis); };
  // T = K_ab W by rows, so that a block adds one row to another.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> T(rows, columns), Wr = W;
  MatX P(columns, columns);
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      T.setZero();
      for (Index r = 0; r < rows; ++r) {
        const Index row = region.vertex_begin + r;
        for (auto slot = pattern.row_begin[row]; slot < pattern.row_begin[row + 1]; ++slot) {
          const Index c = pattern.columns[slot] - region.vertex_begin;
          const double* block = K_.block(slot);  // column-major, (axis of row, axis of column)
          if (!prescribed(r, a) && !prescribed(c, b)) T.row(r) += block[3 * b + a] * Wr.row(c);
          if (c != r && !prescribed(c, a) && !prescribed(r, b)) T.row(c) += block[3 * a + b] * Wr.row(r);
        }
      }
      P.noalias() = W.transpose() * T;
      for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < columns; ++i) {
          region.B(3 * i + a, 3 * j + b) = P(i, j);
          region.B(3 * j + b, 3 * i + a) = P(i, j);
        }
    }
  }
  if (region.blocks.size() > static_cast<std::size_t>(region.handles)) reduce_dense(W, region);
  // Rounding of the two products differs; the factorisation takes B_l for symmetric.
  region.B = 0.5 * (region.B + region.B.transpose()).eval();
}

// The rows and columns of the dense modes D: D^T K D, and (W (x) I)^T K D beside them.
void RegionHessians::reduce_dense(const MatX& W, Region& region) const {
  const MatX D = dense_rows(region);
  const auto dense = static_cast<Index>(D.rows());
  const BlockPattern& pattern = K_.pattern();
  MatX T = MatX::Zero(dense, D.cols());  // (K D)^T
  for (Index row = region.vertex_begin; row < region.vertex_end; ++row)
    for (auto slot = pattern.row_begin[row]; slot < pattern.row_begin[row + 1]; ++slot) {
      const Index r = row - region.vertex_begin, c = pattern.columns[slot] - region.vertex_begin;
      const Eigen::Map<const Mat3> block(K_.block(slot));
      T.middleCols<3>(3 * r).noalias() += D.middleCols<3>(3 * c) * block.transpose();
      if (c != r) T.middleCols<3>(3 * c).noalias() += D.middleCols<3>(3 * r) * block;
    }
  for (Index r = 0; r < W.rows(); ++r)
    for (int k = 0; k < 3; ++k)
      if (is_fixed(region.vertex_begin + r, k)) T.col(3 * r + k).setZero();
  region.B.bottomRightCorner(dense, dense).noalias() = T * D.transpose();
  const auto size = static_cast<Index>(region.B.rows());
  VecX row(D.cols());
  for (Index j = 0; j < dense; ++j) {
    row = T.row(j);
    const Points by_axis = Eigen::Map<const Points>(row.data(), 3, W.rows()) * W;
    region.B.col(size - dense + j).head(size - dense) = Eigen::Map<const VecX>(by_axis.data(), by_axis.size());
  }
  region.B.bottomLeftCorner(dense, size - dense) = region.B.topRightCorner(size - dense, dense).transpose();
}

// BFGS (Nocedal and Wright 2006, section 6.1): B <- B + y y^T / (s^T y) - (B s)(B s)^T / (s^T B s). Returns
// |y - B s| / |y| before it, negative where nothing was learnt. A region under pressure has negative curvature along
// turns, and with a Hessian that stays definite there the others creep: where s^T y is not positive, symmetric rank one
// takes the pair (Griewank and Toint 1982 for element functions that are not convex), unless B is to stay `definite`.
double RegionHessians::update(Region& region, std::span<const double> all, bool definite) {
  VecX s(region.force.size());
  for (std::size_t h = 0; h < region.blocks.size(); ++h)
    for (int k = 0; k < 12; ++k) s[12 * h + k] = all[12 * static_cast<std::size_t>(region.blocks[h]) + k];
  const VecX y = region.force - region.before;
  const VecX Bs = region.B * s;
  const double sy = s.dot(y), sBs = s.dot(Bs), length = y.norm();
  if (!(sy > least_pair_curvature * s.norm() * length) || !(sBs > 0)) {
    const VecX r = y - Bs;
    const double rs = r.dot(s);
    if (!definite && std::abs(rs) > least_denominator * r.norm() * s.norm()) {
      region.B.noalias() += r * (r.transpose() / rs);
      region.indefinite = true;
      return length > 0 ? r.norm() / length : 0.0;
    }
    return -1;
  }
  // Along motions that strain nothing s^T B s is rounding, by which B s B s^T / s^T B s may be of any size.
  const bool resolved = sBs > resolved_curvature * curvature_rounding(region.B, s);
  region.B.noalias() += y * (y.transpose() / sy);
  if (resolved) region.B.noalias() -= Bs * (Bs.transpose() / sBs);
  return (y - Bs).norm() / length;
}

// One pass over the regions at x:
//
// 1. forces U^T f_l of all regions (a gradient of the soft tets, no Hessian),
// 2. secants for regions that followed s, and a mark on those that must be formed anew: asked for, moved otherwise,
//    not known to be definite when they should be, or with a model that missed y by more than `trust`,
// 3. exact K_l = sum_e a h^2 grad^2 Psi_e of the marked regions, and B_l = U^T K_l U.
RegionHessians::Report RegionHessians::evaluate(const Points& x, double scale, std::span<const double> s,
                                                std::span<const char> strayed, double trust, Projection projection) {
  gather(x);
  // Step 1.
  parallel_for(
      g_.cols(), [&](std::size_t v) { g_.col(v).setZero(); }, 4096);
  const bool all = soft_torn_.size() == torn_->tet_of.size();
  const std::span<const double> ones(ones_.data(), soft_torn_.size());
  if (all)
    torn_->energy->add_gradient(x_, scale, g_);
  else
    torn_->energy->add_gradient(x_, soft_torn_, ones, scale, g_);
  // Step 2.
  std::vector<char> updated(regions_.size(), 0);
  parallel_for(
      regions_.size(),
      [&](std::size_t l) {
        Region& region = regions_[l];
        region.before.swap(region.force);
        reduce_force(region);
        if (projection == Projection::psd) region.renew |= region.indefinite;
        if (region.renew) return;
        for (Index v = region.vertex_begin; v < region.vertex_end && !strayed.empty(); ++v)
          region.renew |= strayed[torn_->vertex_of[v]] != 0;
        if (region.renew || s.empty()) return;
        const double model_error = update(region, s, projection == Projection::psd);
        updated[l] = model_error >= 0;
        region.renew = model_error > trust;
      },
      1);
  Report report;
  report.updated = static_cast<Index>(std::count(updated.begin(), updated.end(), 1));
  // Step 3.
  std::vector<Index> tets;
  for (const Index t : soft_torn_)
    if (regions_[tet_region_[torn_->tet_of[t]]].renew) tets.push_back(t);
  const BlockPattern& pattern = K_.pattern();
  parallel_for(
      regions_.size(),
      [&](std::size_t l) {
        if (!regions_[l].renew) return;
        const auto begin = K_.values().begin();
        std::fill(begin + 9 * pattern.row_begin[regions_[l].vertex_begin],
                  begin + 9 * pattern.row_begin[regions_[l].vertex_end], 0.0);
      },
      1);
  if (tets.size() == torn_->tet_of.size())
    torn_->energy->add_derivatives(x_, scale, projection, unused_, K_);
  else if (!tets.empty())
    torn_->energy->add_derivatives(x_, tets, std::span<const double>(ones_.data(), tets.size()), scale, projection,
                                   unused_, K_);
  parallel_for(
      regions_.size(),
      [&](std::size_t l) {
        if (!regions_[l].renew) return;
        if (regions_[l].any_soft)
          reduce_hessian(regions_[l]);
        else
          regions_[l].B.setZero();
      },
      1);
  for (Region& region : regions_) {
    report.renewed += region.renew;
    if (region.renew) region.indefinite = projection == Projection::none;
    region.renew = false;
  }
  return report;
}

void RegionHessians::add_gradient(Points& g) const {
  parallel_for(
      g.cols(),
      [&](std::size_t i) {
        for (const Index v : torn_->copies[i]) g.col(i) += g_.col(v);
      },
      4096);
}

// Row by row of blocks: each is summed by one task over the regions in their order.
void RegionHessians::add_to(SymBlockMatrix& A) const {
  const BlockPattern& pattern = A.pattern();
  parallel_for(
      A.rows() / 4,
      [&](std::size_t row) {
        for (const Region& region : regions_) {
          if (!region.any_soft) continue;
          const auto found = std::lower_bound(region.blocks.begin(), region.blocks.end(), static_cast<Index>(row));
          if (found == region.blocks.end() || *found != static_cast<Index>(row)) continue;
          const auto i = static_cast<std::size_t>(found - region.blocks.begin());
          for (std::size_t j = i; j < region.blocks.size(); ++j) {
            for (Index p = 0; p < 4; ++p) {
              // The four columns of a block follow each other in a row of the pattern.
              const Index block_row = static_cast<Index>(4 * row) + p, first = j == i ? p : 0;
              std::int64_t slot = pattern.find(block_row, 4 * region.blocks[j] + first);
              for (Index q = first; q < 4; ++q, ++slot)
                Eigen::Map<Mat3>(A.block(slot)) += region.B.block<3, 3>(12 * i + 3 * p, 12 * j + 3 * q);
            }
          }
        }
      },
      1);
}

std::size_t RegionHessians::memory_bytes() const {
  std::size_t bytes = K_.memory_bytes() + 9 * sizeof(double) * torn_->vertex_of.size();
  for (const Region& region : regions_) bytes += sizeof(double) * static_cast<std::size_t>(region.B.size());
  return bytes;
}

}  // namespace sinew

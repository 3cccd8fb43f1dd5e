#include "sinew/adaptive/adaptive_oracle.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/core/parallel.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

constexpr std::size_t chunk = 4096;  // vertices

// `size` numbers over n vertices: visit(v, mine) adds vertex v to those of its chunk, and the chunks are combined in
// their order, number by number. Few chunks, as each has all numbers.
template <class Visit, class Combine>
std::vector<double> over_vertices(std::size_t n, std::size_t size, Visit&& visit, Combine&& combine) {
  const std::size_t length = std::max(chunk, (n + 31) / 32);
  std::vector<std::vector<double>> partial((n + length - 1) / length);
  parallel_chunks(n, length, [&](std::size_t first, std::size_t last) {
    std::vector<double>& mine = partial[first / length];
    mine.assign(size, 0.0);
    for (std::size_t v = first; v < last; ++v) visit(static_cast<Index>(v), mine.data());
  });
  std::vector<double> total(size, 0.0);
  for (const std::vector<double>& mine : partial)
    for (std::size_t k = 0; k < size; ++k) total[k] = combine(total[k], mine[k]);
  return total;
}

double larger(double a, double b) {
  return std::max(a, b);
}

}  // namespace

AdaptiveOracle::AdaptiveOracle(const System& system, std::shared_ptr<const ModeLibrary> library,
                               std::span<const char> fixed)
    : library_(std::move(library)), rest_(system.rest), fixed_(fixed) {
  adapt(system);
}

void AdaptiveOracle::adapt(const System& system) {
  find_scales(system);
  find_norms();
  find_dense_norms();
}

// Scales of vertex i (TS, equations 5 and 8), without the factor a h^2:
//
//   gamma_i = A_i W_i   [N],   A_i the area of the faces opposite to i in its tets,
//   eta_i   = v_i W_i   [J],   v_i a quarter of their volume,
//
// W_i the mean over these tets of |Hess W|_2 at F = I, which is 2 mu + 3 lambda (a pure change of volume). The
// Hessian at rest is used since the present one grows faster than the gradient as bodies deform (TS, footnote 1).
void AdaptiveOracle::find_scales(const System& system) {
  const Domain domain = make_domain(system, std::vector<char>(3 * static_cast<std::size_t>(system.dynamic_count), 0));
  const Index n = domain.vertex_count();
  std::vector<double> area(n, 0.0), volume(n, 0.0), stiffness(n, 0.0), tets(n, 0.0);
  for (Index t = 0; t < domain.tet_count(); ++t) {
    // Models without stiffness at rest count by their Young's modulus.
    const double norm = std::max(2 * domain.mu[t] + 3 * domain.lambda[t], domain.young[t]);
    for (int k = 0; k < 4; ++k) {
      const Index i = domain.tets(k, t);
      const Vec3 a = domain.vertices.col(domain.tets((k + 1) % 4, t)),
                 b = domain.vertices.col(domain.tets((k + 2) % 4, t)),
                 c = domain.vertices.col(domain.tets((k + 3) % 4, t));
      area[i] += 0.5 * (b - a).cross(c - a).norm();
      volume[i] += 0.25 * domain.volume[t];
      stiffness[i] += norm;
      tets[i] += 1;
    }
  }
  gamma_.resize(n);
  eta_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double mean = tets[i] > 0 ? stiffness[i] / tets[i] : 0.0;
    gamma_[i] = area[i] * mean;
    eta_[i] = volume[i] * mean;
  }
}

// Sums over the vertices of `size` numbers a handle, add(v, entry, sums of the handle).
template <class F>
std::vector<double> AdaptiveOracle::handle_sums(std::span<const char> skip, int size, F&& add) const {
  const HandleBasis& basis = library_->handles;
  return over_vertices(
      gamma_.size(), static_cast<std::size_t>(size) * basis.center.size(),
      [&](Index v, double* sums) {
        for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
          const Index h = basis.handle[e];
          if (skip.empty() || !skip[h]) add(v, e, sums + static_cast<std::size_t>(size) * h);
        }
      },
      std::plus());
}

// Denominators of TS, equations 16 and 17, over free coordinates, once for all steps:
//
//   u^T u          of the 12 modes of a handle (norm_),
//   ubar^T ubar    of the 4 scalar functions w (1, (X - c)/r) behind them (scalar_norm_, without the factor 1/9),
//   sum_j ubar_j / eta_j                                              (scalar_weight_, without the factor 1/3).
void AdaptiveOracle::find_norms() {
  const HandleBasis& basis = library_->handles;
  norm_ = handle_sums({}, 12, [&](Index v, std::int64_t e, double* sums) {
    const auto w = handle_scalars(basis, e, rest_.col(v));
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k)
        if (!fixed_[3 * static_cast<std::size_t>(v) + k]) sums[3 * p + k] += w[p] * w[p];
  });
  const auto free = [&](Index v) {
    const std::size_t c = 3 * static_cast<std::size_t>(v);
    return !(fixed_[c] && fixed_[c + 1] && fixed_[c + 2]);
  };
  scalar_norm_ = handle_sums({}, 4, [&](Index v, std::int64_t e, double* sums) {
    const auto w = handle_scalars(basis, e, rest_.col(v));
    for (int p = 0; p < 4; ++p)
      if (free(v)) sums[p] += w[p] * w[p];
  });
  scalar_weight_ = handle_sums({}, 4, [&](Index v, std::int64_t e, double* sums) {
    const auto w = handle_scalars(basis, e, rest_.col(v));
    for (int p = 0; p < 4; ++p)
      if (free(v) && eta_[v] > 0) sums[p] += w[p] / eta_[v];
  });
}

// f(v, u_v) of each dense mode u, without fixed coordinates, combined over the vertices; 0 of active candidates.
template <class F, class Combine>
std::vector<double> AdaptiveOracle::over_dense(std::span<const char> active, F&& f, Combine&& combine) const {
  const MatX& modes = library_->modes;
  const std::size_t first_dense = library_->handles.center.size();
  return over_vertices(
      gamma_.size(), static_cast<std::size_t>(modes.rows()),
      [&](Index v, double* mine) {
        for (Index s = 0; s < modes.rows(); ++s) {
          if (!active.empty() && active[first_dense + s]) continue;
          Vec3 u = modes.block<1, 3>(s, 3 * v).transpose();
          for (int k = 0; k < 3; ++k)
            if (fixed_[3 * static_cast<std::size_t>(v) + k]) u[k] = 0;
          mine[s] = combine(mine[s], f(v, s, u));
        }
      },
      combine);
}

void AdaptiveOracle::find_dense_norms() {
  dense_norm_ = over_dense(
      {}, [](Index, Index, const Vec3& u) { return u.squaredNorm(); }, std::plus());
  dense_scalar_norm_ = over_dense(
      {}, [](Index, Index, const Vec3& u) { return u.mean() * u.mean(); }, std::plus());
  dense_scalar_weight_ = over_dense(
      {}, [&](Index v, Index, const Vec3& u) { return eta_[v] > 0 ? u.mean() / eta_[v] : 0.0; }, std::plus());
}

// TS, equations 12 and 14, for a dense mode u by itself:
//
//   G_s = max_v |u_v|_inf |u^T g| / (u^T u gamma_v).
void AdaptiveOracle::find_dense_errors(const Points& g, double scale, std::span<const char> active) {
  if (library_->modes.rows() == 0) return;
  std::vector<double> share = over_dense(
      active, [&](Index v, Index, const Vec3& u) { return u.dot(g.col(v)); }, std::plus());
  for (std::size_t s = 0; s < share.size(); ++s) share[s] = dense_norm_[s] > 0 ? share[s] / dense_norm_[s] : 0.0;
  const std::vector<double> errors = over_dense(
      active,
      [&](Index v, Index s, const Vec3& u) {
        return gamma_[v] > 0 ? std::abs(share[s]) * u.cwiseAbs().maxCoeff() / (scale * gamma_[v]) : 0.0;
      },
      larger);
  std::ranges::copy(errors, mode_error_.begin() + library_->handles.handle_count());
}

// TS, equations 13 and 15:
//
//   xi_s = (ubar^T dE) / (ubar^T ubar) sum_v ubar_v / eta_v,   ubar_v = mean over the axes of u_v.
//
// A mode whose ubar vanishes, such as a motion along (1, -1, 0), has no progress that could be measured: it stays 0,
// and its error alone decides.
void AdaptiveOracle::find_dense_progress(double scale, std::span<const double> before, std::span<const double> after,
                                         std::span<const char> active) {
  if (library_->modes.rows() == 0) return;
  const std::vector<double> share = over_dense(
      active, [&](Index v, Index, const Vec3& u) { return u.mean() * (before[v] - after[v]); }, std::plus());
  const std::size_t first_dense = library_->handles.center.size();
  for (std::size_t s = 0; s < share.size(); ++s)
    if (dense_scalar_norm_[s] > 0)
      mode_progress_[first_dense + s] = share[s] / dense_scalar_norm_[s] * dense_scalar_weight_[s] / scale;
}

// Errors from g = grad E at free coordinates:
//
// 1. G_i = |g_i|_2 / gamma_i of vertices that are not enriched              (TS, equation 10),
// 2. c_p = u_p^T g / u_p^T u_p of the 12 modes p of each inactive handle      (first factors of equation 16),
// 3. G_s = max over v and axes of |sum_p u_p c_p| / gamma_v                (equations 16 and 14).
//
// The paper's g^i in equation 10 is said to be "smoother" than grad_i E, without a formula; here it is grad_i E.
void AdaptiveOracle::find_errors(const Points& g, double scale, std::span<const char> enriched,
                                 std::span<const char> active) {
  const std::size_t n = gamma_.size();
  const HandleBasis& basis = library_->handles;
  const auto free_part = [&](Index v) {
    Vec3 part = g.col(v);
    for (int k = 0; k < 3; ++k)
      if (fixed_[3 * static_cast<std::size_t>(v) + k]) part[k] = 0;
    return part;
  };
  // Step 1.
  vertex_error_.resize(n);
  parallel_for(
      n,
      [&](std::size_t i) {
        vertex_error_[i] =
            enriched[i] || !(gamma_[i] > 0) ? 0.0 : free_part(static_cast<Index>(i)).norm() / (scale * gamma_[i]);
      },
      4096);
  const std::size_t handles = basis.center.size();
  mode_error_.assign(active.size(), 0.0);
  if (std::find(active.begin(), active.end(), 0) == active.end()) return;
  find_dense_errors(g, scale, active);
  // Step 2.
  std::vector<double> share = handle_sums(active, 12, [&](Index v, std::int64_t e, double* sums) {
    const auto w = handle_scalars(basis, e, rest_.col(v));
    const Vec3 f = free_part(v);
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k) sums[3 * p + k] += w[p] * f[k];
  });
  for (std::size_t k = 0; k < share.size(); ++k) share[k] = norm_[k] > 0 ? share[k] / norm_[k] : 0.0;
  // Step 3. A second pass over the vertices, since each needs the sums of the first.
  const std::vector<double> errors = over_vertices(
      n, handles,
      [&](Index v, double* mine) {
        if (!(gamma_[v] > 0)) return;
        for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
          const Index h = basis.handle[e];
          if (active[h]) continue;
          const auto w = handle_scalars(basis, e, rest_.col(v));
          const double* c = share.data() + 12 * static_cast<std::size_t>(h);
          for (int k = 0; k < 3; ++k) {
            if (fixed_[3 * static_cast<std::size_t>(v) + k]) continue;
            const double part = w[0] * c[k] + w[1] * c[3 + k] + w[2] * c[6 + k] + w[3] * c[9 + k];
            mine[h] = std::max(mine[h], std::abs(part) / (scale * gamma_[v]));
          }
        }
      },
      larger);
  std::ranges::copy(errors, mode_error_.begin());
}

// 2 max_q (-g_s^T q - q^T A q / 2) = g_s^T A^{-1} g_s with A = U_s^T H U_s, 12 x 12 for a handle and 1 x 1 for a
// dense mode. Only blocks of H whose row and column both lie in the support of the handle count: O(12^2) flops a
// block.
std::vector<double> AdaptiveOracle::decreases(const Points& g, const SymBlockMatrix& H,
                                              std::span<const char> active) const {
  constexpr int size = 12, square = size * size;
  const HandleBasis& basis = library_->handles;
  const std::size_t handles = basis.center.size();
  std::vector<double> decrease(active.size(), 0.0);
  const auto is_fixed = [&](Index v, int k) { return fixed_[3 * static_cast<std::size_t>(v) + k] != 0; };
  // U_s^T H U_s and U_s^T g of handles.
  const std::vector<double> matrices = handle_sums(active, square, [&](Index v, std::int64_t e, double* A) {
    const Index h = basis.handle[e];
    const auto w = handle_scalars(basis, e, rest_.col(v));
    const BlockPattern& pattern = H.pattern();
    for (auto slot = pattern.row_begin[v]; slot < pattern.row_begin[v + 1]; ++slot) {
      const Index c = pattern.columns[slot];
      const auto row = basis.handle.begin() + basis.begin[c], end = basis.handle.begin() + basis.begin[c + 1];
      const auto found = std::find(row, end, h);
      if (found == end) continue;
      const auto z = handle_scalars(basis, found - basis.handle.begin(), rest_.col(c));
      const double* B = H.block(slot);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          if (is_fixed(v, a) || is_fixed(c, b)) continue;
          for (int p = 0; p < 4; ++p)
            for (int q = 0; q < 4; ++q) {
              const double part = w[p] * B[3 * b + a] * z[q];
              A[size * (3 * q + b) + 3 * p + a] += part;
              if (c != v) A[size * (3 * p + a) + 3 * q + b] += part;
            }
        }
    }
  });
  const std::vector<double> forces = handle_sums(active, size, [&](Index v, std::int64_t e, double* sums) {
    const auto w = handle_scalars(basis, e, rest_.col(v));
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k)
        if (!is_fixed(v, k)) sums[3 * p + k] += w[p] * g(k, v);
  });
  for (std::size_t h = 0; h < handles; ++h) {
    if (active[h]) continue;
    using Matrix = Eigen::Matrix<double, size, size>;
    Matrix A = Eigen::Map<const Matrix>(matrices.data() + square * h);
    const Eigen::Map<const Eigen::Vector<double, size>> f(forces.data() + size * h);
    constexpr double dependent = 1e-12;  // functions of a handle may depend on each other
    A.diagonal().array() += dependent * A.trace();
    decrease[h] = std::max(0.0, f.dot(A.ldlt().solve(f)));
  }
  // Dense modes, whose fixed coordinates are set to zero.
  const auto n = static_cast<Index>(gamma_.size());
  Points u(3, n), Hu(3, n);
  for (Index s = 0; s < library_->modes.rows(); ++s) {
    if (active[handles + s]) continue;
    for (Index v = 0; v < n; ++v)
      for (int k = 0; k < 3; ++k) u(k, v) = is_fixed(v, k) ? 0.0 : library_->modes(s, 3 * v + k);
    H.multiply(u.data(), Hu.data());
    const double curvature = (u.array() * Hu.array()).sum(), force = (u.array() * g.leftCols(n).array()).sum();
    if (curvature > 0) decrease[handles + s] = force * force / curvature;
  }
  return decrease;
}

// xi_i = dE_i / (a h^2 eta_i) (TS, equation 11), and for handles equations 17 and 15:
//
//   xi_s = sum_p (ubar_p^T dE) / (ubar_p^T ubar_p) sum_v ubar_pv / eta_v   over its 12 modes p.
//
// The mode of scalar function w on one axis has ubar = w / 3. The thirds cancel: it contributes
//
//   (w^T dE) / (w^T w) sum_v w_v / eta_v,
//
// and the three axes of w contribute the same. Hence the factor 3.
void AdaptiveOracle::find_progress(std::span<const double> before, std::span<const double> after, double scale,
                                   std::span<const char> active) {
  const std::size_t n = gamma_.size();
  const HandleBasis& basis = library_->handles;
  vertex_progress_.resize(n);
  parallel_for(
      n, [&](std::size_t i) { vertex_progress_[i] = eta_[i] > 0 ? (before[i] - after[i]) / (scale * eta_[i]) : 0.0; },
      4096);
  const std::size_t handles = basis.center.size();
  mode_progress_.assign(active.size(), 0.0);
  if (std::find(active.begin(), active.end(), 0) == active.end()) return;
  find_dense_progress(scale, before, after, active);
  const std::vector<double> share = handle_sums(active, 4, [&](Index v, std::int64_t e, double* sums) {
    const auto w = handle_scalars(basis, e, rest_.col(v));
    for (int p = 0; p < 4; ++p) sums[p] += w[p] * (before[v] - after[v]);
  });
  for (std::size_t h = 0; h < handles; ++h)
    for (int p = 0; p < 4; ++p)
      if (scalar_norm_[4 * h + p] > 0)
        mode_progress_[h] += 3 * share[4 * h + p] / scalar_norm_[4 * h + p] * scalar_weight_[4 * h + p] / scale;
}

}  // namespace sinew

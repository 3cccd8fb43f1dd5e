#include "sinew/subspace/handle_transfer.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_size = 1024;  // vertices

using Map12 = Eigen::Map<Vec12>;
using ConstMap12 = Eigen::Map<const Vec12>;
using Mat34 = Eigen::Matrix<double, 3, 4>;

}  // namespace

HandleTransfer::HandleTransfer(const HandleBasis& basis, const Points& rest)
    : handles_(basis.handle_count()),
      center_(basis.center),
      offset_(rest.leftCols(basis.vertex_count())),
      begin_(basis.begin),
      local_(basis.handle.size()),
      weight_(basis.weight) {
  for (double radius : basis.radius) inverse_radius_.push_back(1 / radius);
  const auto n = static_cast<std::size_t>(basis.vertex_count());
  const std::size_t chunks = (n + chunk_size - 1) / chunk_size;
  origin_.resize(chunks);
  std::vector<std::vector<Index>> pairs(chunks);
  parallel_chunks(n, chunk_size, [&](std::size_t first, std::size_t last) {
    const std::size_t c = first / chunk_size;
    origin_[c] = offset_.col(first);
    for (std::size_t v = first; v < last; ++v) offset_.col(v) -= origin_[c];
    std::vector<Index>& own = pairs[c];
    own.assign(basis.handle.begin() + basis.begin[first], basis.handle.begin() + basis.begin[last]);
    sort_unique(own);
    for (auto e = basis.begin[first]; e < basis.begin[last]; ++e) {
      local_[e] = static_cast<Index>(std::lower_bound(own.begin(), own.end(), basis.handle[e]) - own.begin());
    }
  });
  pair_begin_.assign(1, 0);
  for (const auto& own : pairs) {
    pair_handle_.insert(pair_handle_.end(), own.begin(), own.end());
    pair_begin_.push_back(static_cast<std::int64_t>(pair_handle_.size()));
  }
  handle_begin_.assign(static_cast<std::size_t>(handles_) + 1, 0);
  for (Index i : pair_handle_) ++handle_begin_[i + 1];
  for (Index i = 0; i < handles_; ++i) handle_begin_[i + 1] += handle_begin_[i];
  handle_pairs_.resize(pair_handle_.size());
  std::vector<std::int64_t> next(handle_begin_.begin(), handle_begin_.end() - 1);
  for (std::size_t p = 0; p < pair_handle_.size(); ++p) {
    handle_pairs_[next[pair_handle_[p]]++] = static_cast<std::int64_t>(p);
  }
  maps_.resize(12 * pair_handle_.size());
}

// store(v, u(v)) for all vertices.
template <class Store>
void HandleTransfer::lift_rows(const double* q, Store&& store) {
  const auto n = static_cast<std::size_t>(vertex_count());
  parallel_chunks(n, chunk_size, [&](std::size_t first, std::size_t last) {
    const std::size_t c = first / chunk_size;
    // A_i [1, (X - c_i) / r_i] = B_i [1, X - origin]
    for (auto p = pair_begin_[c]; p < pair_begin_[c + 1]; ++p) {
      const Index i = pair_handle_[p];
      const Eigen::Map<const Mat34> A(q + 12 * static_cast<std::size_t>(i));
      Eigen::Map<Mat34> B(maps_.data() + 12 * p);
      B.rightCols<3>() = inverse_radius_[i] * A.rightCols<3>();
      B.col(0) = A.col(0) + B.rightCols<3>() * (origin_[c] - center_[i]);
    }
    const double* maps = maps_.data() + 12 * pair_begin_[c];
    for (std::size_t v = first; v < last; ++v) {
      Vec12 sum = Vec12::Zero();
      for (auto e = begin_[v]; e < begin_[v + 1]; ++e) sum += weight_[e] * ConstMap12(maps + 12 * local_[e]);
      const Eigen::Map<const Mat34> B(sum.data());
      store(v, Vec3(B.col(0) + B.rightCols<3>() * offset_.col(v)));
    }
  });
}

void HandleTransfer::lift(const double* q, Points& u) {
  u.resize(3, vertex_count());
  lift_rows(q, [&](std::size_t v, const Vec3& value) { u.col(v) = value; });
}

void HandleTransfer::add_lifted(const double* q, const char* fixed, double* u) {
  lift_rows(q, [&](std::size_t v, const Vec3& value) {
    for (int k = 0; k < 3; ++k)
      if (!fixed[3 * v + k]) u[3 * v + k] += value[k];
  });
}

void HandleTransfer::restrict_to(const double* g, double* r) {
  const auto n = static_cast<std::size_t>(vertex_count());
  parallel_chunks(n, chunk_size, [&](std::size_t first, std::size_t last) {
    const std::size_t c = first / chunk_size;
    double* maps = maps_.data() + 12 * pair_begin_[c];
    std::fill(maps, maps_.data() + 12 * pair_begin_[c + 1], 0.0);
    for (std::size_t v = first; v < last; ++v) {
      Mat34 G;
      G.col(0) = Eigen::Map<const Vec3>(g + 3 * v);
      G.rightCols<3>() = G.col(0) * offset_.col(v).transpose();
      const ConstMap12 flat(G.data());
      for (auto e = begin_[v]; e < begin_[v + 1]; ++e) Map12(maps + 12 * local_[e]) += weight_[e] * flat;
    }
    for (auto p = pair_begin_[c]; p < pair_begin_[c + 1]; ++p) {
      const Index i = pair_handle_[p];
      Eigen::Map<Mat34> B(maps_.data() + 12 * p);
      B.rightCols<3>() += B.col(0) * (origin_[c] - center_[i]).transpose();
      B.rightCols<3>() *= inverse_radius_[i];
    }
  });
  parallel_for(
      handles_,
      [&](std::size_t i) {
        Vec12 sum = Vec12::Zero();
        for (auto p = handle_begin_[i]; p < handle_begin_[i + 1]; ++p) {
          sum += ConstMap12(maps_.data() + 12 * handle_pairs_[p]);
        }
        Map12(r + 12 * i) = sum;
      },
      64);
}

std::size_t HandleTransfer::memory_bytes() const {
  return 24 * static_cast<std::size_t>(vertex_count()) + 8 * begin_.size() + 12 * weight_.size() +
         (4 + 8 + 96) * pair_handle_.size();
}

}  // namespace sinew

#include "sinew/subspace/handle_transfer.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_size = 1024;  // vertices

}  // namespace

// Lists the (chunk, handle) pairs and where each handle's pairs are, so that both directions run without search.
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
  // The chunks' lists of handles one after the other, then by counting sort the pairs of each handle.
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
  maps_.resize(pair_handle_.size());
}

// Calls store(v, u(v)) for all vertices. With o the origin of the chunk, each pair's affine map is rewritten as
//   A_i [1, (X - c_i) / r_i] = B_i [1, X - o],  B_i = [A_0 + A_r (o - c_i) / r_i, A_r / r_i],
// and u(v) = (sum_i phi_i(v) B_i) [1, X_v - o]: 12 multiplications for each weight.
template <class Store>
void HandleTransfer::lift_rows(const double* q, Store&& store) {
  const auto n = static_cast<std::size_t>(vertex_count());
  parallel_chunks(n, chunk_size, [&](std::size_t first, std::size_t last) {
    const std::size_t c = first / chunk_size;
    for (auto p = pair_begin_[c]; p < pair_begin_[c + 1]; ++p) {
      const Index i = pair_handle_[p];
      const double* A = q + 12 * static_cast<std::size_t>(i);
      const Vec3 shift = origin_[c] - center_[i];
      AffineMap& B = maps_[p];
      B.column[0] = Vec4d{A[0], A[1], A[2], 0};
      for (int k = 1; k < 4; ++k) {
        B.column[k] = inverse_radius_[i] * Vec4d{A[3 * k], A[3 * k + 1], A[3 * k + 2], 0};
        B.column[0] += B.column[k] * shift[k - 1];
      }
    }
    const AffineMap* maps = maps_.data() + pair_begin_[c];
    for (std::size_t v = first; v < last; ++v) {
      Vec4d sum[4] = {};
      for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
        const AffineMap& B = maps[local_[e]];
        const double w = weight_[e];
        for (int k = 0; k < 4; ++k) sum[k] += w * B.column[k];
      }
      const Vec3& x = offset_.col(v);
      store(v, Vec4d(sum[0] + sum[1] * x[0] + (sum[2] * x[1] + sum[3] * x[2])));
    }
  });
}

void HandleTransfer::lift(const double* q, Points& u) {
  u.resize(3, vertex_count());
  lift_rows(q, [&](std::size_t v, const Vec4d& value) { u.col(v) = Vec3(value[0], value[1], value[2]); });
}

void HandleTransfer::add_lifted(const double* q, const char* fixed, double* u) {
  lift_rows(q, [&](std::size_t v, const Vec4d& value) {
    for (int k = 0; k < 3; ++k)
      if (!fixed[3 * v + k]) u[3 * v + k] += value[k];
  });
}

// The transpose: moments sum_v phi_i(v) g_v [1, X_v - o]^T for each pair, shifted to the handle's centre and scale, and
// summed for each handle in the order of the chunks.
void HandleTransfer::restrict_to(const double* g, double* r) {
  const auto n = static_cast<std::size_t>(vertex_count());
  parallel_chunks(n, chunk_size, [&](std::size_t first, std::size_t last) {
    const std::size_t c = first / chunk_size;
    AffineMap* maps = maps_.data() + pair_begin_[c];
    std::fill(maps, maps_.data() + pair_begin_[c + 1], AffineMap{});
    for (std::size_t v = first; v < last; ++v) {
      const Vec4d at{g[3 * v], g[3 * v + 1], g[3 * v + 2], 0};
      const Vec4d moment[4] = {at, at * offset_(0, v), at * offset_(1, v), at * offset_(2, v)};
      for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
        AffineMap& B = maps[local_[e]];
        const double w = weight_[e];
        for (int k = 0; k < 4; ++k) B.column[k] += w * moment[k];
      }
    }
    for (auto p = pair_begin_[c]; p < pair_begin_[c + 1]; ++p) {
      const Index i = pair_handle_[p];
      const Vec3 shift = origin_[c] - center_[i];
      AffineMap& B = maps_[p];
      for (int k = 1; k < 4; ++k) B.column[k] = inverse_radius_[i] * (B.column[k] + B.column[0] * shift[k - 1]);
    }
  });
  parallel_for(
      handles_,
      [&](std::size_t i) {
        AffineMap sum{};
        for (auto p = handle_begin_[i]; p < handle_begin_[i + 1]; ++p)
          for (int k = 0; k < 4; ++k) sum.column[k] += maps_[handle_pairs_[p]].column[k];
        for (int k = 0; k < 4; ++k)
          for (int a = 0; a < 3; ++a) r[12 * i + 3 * k + a] = sum.column[k][a];
      },
      64);
}

std::size_t HandleTransfer::memory_bytes() const {
  return 24 * static_cast<std::size_t>(vertex_count()) + 8 * begin_.size() + 12 * weight_.size() +
         (4 + 8 + 128) * pair_handle_.size();
}

}  // namespace sinew

#include "sinew/solver/handle_transfer.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_vertices = 1024;

}  // namespace

HandleTransfer::HandleTransfer(const HandleBasis& basis, const Points& rest)
    : handles_(basis.handle_count()),
      begin_(basis.begin),
      handle_(basis.handle),
      values_(4 * basis.handle.size()),
      local_(basis.handle.size()) {
  const std::size_t n = basis.vertex_count();
  parallel_for(n, [&](std::size_t v) {
    for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
      const Index i = handle_[e];
      const Vec3 s = (rest.col(v) - basis.center[i]) / basis.radius[i];
      double* w = values_.data() + 4 * e;
      w[0] = basis.weight[e];
      for (int k = 0; k < 3; ++k) w[k + 1] = basis.weight[e] * s[k];
    }
  });
  for (std::size_t first = 0; first < n; first += chunk_vertices) {
    const std::size_t last = std::min(first + chunk_vertices, n);
    std::vector<Index> used(handle_.begin() + begin_[first], handle_.begin() + begin_[last]);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (auto e = begin_[first]; e < begin_[last]; ++e) {
      local_[e] = static_cast<Index>(std::lower_bound(used.begin(), used.end(), handle_[e]) - used.begin());
    }
    chunks_.push_back({chunk_handles_.size(), used.size()});
    chunk_handles_.insert(chunk_handles_.end(), used.begin(), used.end());
  }
  sums_.resize(12 * chunk_handles_.size());
  gather_begin_.assign(handles_ + 1, 0);
  for (const Index i : chunk_handles_) ++gather_begin_[i + 1];
  for (Index i = 0; i < handles_; ++i) gather_begin_[i + 1] += gather_begin_[i];
  gather_.resize(chunk_handles_.size());
  std::vector<std::int64_t> next(gather_begin_.begin(), gather_begin_.end() - 1);
  for (std::size_t p = 0; p < chunk_handles_.size(); ++p) gather_[next[chunk_handles_[p]]++] = p;
}

template <bool add>
void HandleTransfer::lift_rows(const double* q, const char* fixed, double* u) const {
  parallel_chunks(vertex_count(), chunk_vertices, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      double sum[3] = {};
      for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
        const double* w = scalars(e);
        const double* A = q + 12 * static_cast<std::size_t>(handle_[e]);
        for (int k = 0; k < 4; ++k)
          for (int a = 0; a < 3; ++a) sum[a] += w[k] * A[3 * k + a];
      }
      for (int a = 0; a < 3; ++a) {
        if (fixed && fixed[3 * v + a]) sum[a] = 0;
        u[3 * v + a] = add ? u[3 * v + a] + sum[a] : sum[a];
      }
    }
  });
}

void HandleTransfer::lift(const double* q, const char* fixed, double* u) const {
  lift_rows<false>(q, fixed, u);
}

void HandleTransfer::add_lifted(const double* q, const char* fixed, double* u) const {
  lift_rows<true>(q, fixed, u);
}

void HandleTransfer::restrict_to(const double* g, double* r) {
  parallel_chunks(vertex_count(), chunk_vertices, [&](std::size_t first, std::size_t last) {
    const Chunk& chunk = chunks_[first / chunk_vertices];
    double* sums = sums_.data() + 12 * chunk.first;
    std::fill_n(sums, 12 * chunk.count, 0.0);
    for (std::size_t v = first; v < last; ++v) {
      for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
        const double* w = scalars(e);
        double* sum = sums + 12 * static_cast<std::size_t>(local_[e]);
        for (int k = 0; k < 4; ++k)
          for (int a = 0; a < 3; ++a) sum[3 * k + a] += w[k] * g[3 * v + a];
      }
    }
  });
  parallel_for(
      handles_,
      [&](std::size_t i) {
        double total[12] = {};
        for (auto p = gather_begin_[i]; p < gather_begin_[i + 1]; ++p)
          for (int k = 0; k < 12; ++k) total[k] += sums_[12 * gather_[p] + k];
        std::copy_n(total, 12, r + 12 * i);
      },
      64);
}

std::size_t HandleTransfer::memory_bytes() const {
  return begin_.size() * 8 + handle_.size() * (4 + 32 + 4) + sums_.size() * 8 + chunk_handles_.size() * 12;
}

}  // namespace sinew

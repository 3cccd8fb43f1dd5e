#include "sinew/linalg/block_product.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/linalg/vec4.h"

namespace sinew {
namespace {

// Chunks must be many enough to balance and long enough that halos stay a small part of the traffic.
constexpr std::int64_t wanted_chunks = 32;
constexpr std::int64_t min_chunk_blocks = 4096;
constexpr std::int64_t max_chunk_blocks = 65536;

constexpr int prefetch_distance = 64 * 9;  // doubles

}  // namespace

// Cuts the rows into chunks of about equally many blocks.
void BlockProduct::cut_rows(const BlockPattern& pattern) {
  const std::int64_t target = std::clamp(pattern.block_count() / wanted_chunks, min_chunk_blocks, max_chunk_blocks);
  Index begin = 0;
  while (begin < pattern.rows) {
    const auto first = pattern.row_begin.begin();
    const auto stop = std::lower_bound(first + begin + 1, first + pattern.rows, pattern.row_begin[begin] + target);
    const auto end = static_cast<Index>(stop - first);
    chunks_.push_back({begin, end, 0, 0});
    begin = end;
  }
}

// For each chunk: how many blocks of each row lie in columns inside of it, the sorted columns beyond it (the halo), and
// for each block beyond its place in the halo.
void BlockProduct::plan_halos(const BlockPattern& pattern) {
  std::vector<std::vector<Index>> halos(chunks_.size()), far(chunks_.size());
  near_count_.resize(pattern.rows);
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        const Index* columns = pattern.columns.data();
        std::vector<Index>& slots = far[c];  // first the columns themselves, then their places in the halo
        for (Index row = chunk.begin; row < chunk.end; ++row) {
          const Index* begin = columns + pattern.row_begin[row] + 1;
          const Index* end = columns + pattern.row_begin[row + 1];
          const Index* split = std::lower_bound(begin, end, chunk.end);
          near_count_[row] = static_cast<Index>(split - begin);
          slots.insert(slots.end(), split, end);
        }
        std::vector<Index>& halo = halos[c] = slots;
        sort_unique(halo);
        for (Index& slot : slots)
          slot = static_cast<Index>(std::lower_bound(halo.begin(), halo.end(), slot) - halo.begin());
      },
      1);
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    chunks_[c].halo_begin = halo_rows_.size();
    chunks_[c].far_begin = far_slots_.size();
    halo_rows_.insert(halo_rows_.end(), halos[c].begin(), halos[c].end());
    far_slots_.insert(far_slots_.end(), far[c].begin(), far[c].end());
  }
  halo_.assign(halo_rows_.size(), Vec4d{});
}

// Cuts each halo where another chunk begins, and lists the parts by the chunk whose rows they belong to.
void BlockProduct::plan_gather() {
  std::vector<std::vector<HaloPart>> parts(chunks_.size());
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    std::size_t k = chunks_[c].halo_begin;
    const std::size_t stop = c + 1 < chunks_.size() ? chunks_[c + 1].halo_begin : halo_rows_.size();
    for (std::size_t target = c + 1; k < stop; ++target) {
      const auto first = halo_rows_.begin();
      const auto split = std::lower_bound(first + k, first + stop, chunks_[target].end);
      const auto next = static_cast<std::size_t>(split - first);
      if (next > k) parts[target].push_back({k, next});
      k = next;
    }
  }
  gather_begin_.assign(1, 0);
  for (const auto& list : parts) {
    gather_.insert(gather_.end(), list.begin(), list.end());
    gather_begin_.push_back(gather_.size());
  }
}

void BlockProduct::plan(const BlockPattern& pattern) {
  cut_rows(pattern);
  plan_halos(pattern);
  plan_gather();
  partial_.assign(chunks_.size(), 0.0);
}

// For the rows i of a chunk: y_i += A_ij x_j and y_j += A_ij^T x_i over the stored blocks (i, j), j > i, with y_j in
// the halo where j lies beyond the chunk. Each block is read once: 72 bytes for 36 flops, so that the product runs at
// the speed of memory. Sums have four doubles in a row: whole-register stores that the next load of the same row can be
// served from.
void BlockProduct::multiply_chunk(const BlockPattern& pattern, const double* values, const double* x, double* y,
                                  const Chunk& chunk) {
  const std::size_t halo_end = &chunk == &chunks_.back() ? halo_rows_.size() : (&chunk)[1].halo_begin;
  Vec4d* halo = halo_.data() + chunk.halo_begin;
  std::fill(halo, halo_.data() + halo_end, Vec4d{});
  thread_local std::vector<Vec4d> sums_of_rows;
  sums_of_rows.assign(static_cast<std::size_t>(chunk.end - chunk.begin), Vec4d{});
  Vec4d* own = sums_of_rows.data();

  const Index* column = pattern.columns.data() + pattern.row_begin[chunk.begin];
  const double* B = values + 9 * pattern.row_begin[chunk.begin];
  const Index* far = far_slots_.data() + chunk.far_begin;
  for (Index row = chunk.begin; row < chunk.end; ++row) {
    const Vec4d xi = load3(x + 3 * static_cast<std::size_t>(row));  // lane 3 is zero: it masks the value past a column
    Vec4d y0 = load4(B) * xi[0], y1 = load4(B + 3) * xi[1], y2 = load4(B + 6) * xi[2];
    B += 9;
    ++column;
    // One block: y_i += B x_j, in three independent sums, and target += B^T x_i.
    const auto block = [&](Vec4d& target) {
      const double* xj = x + 3 * static_cast<std::size_t>(*column);
      const Vec4d c0 = load4(B), c1 = load4(B + 3), c2 = load4(B + 6);
      // The processor prefetches within pages of 4 kB alone, which a single stream crosses every 54 blocks.
      __builtin_prefetch(B + prefetch_distance);
      __builtin_prefetch(B + prefetch_distance + 8);
      y0 += c0 * xj[0];
      y1 += c1 * xj[1];
      y2 += c2 * xj[2];
      target += sums(c0 * xi, c1 * xi, c2 * xi);
      B += 9;
      ++column;
    };
    const Index near = near_count_[row];
    const auto far_count = static_cast<Index>(pattern.row_begin[row + 1] - pattern.row_begin[row]) - 1 - near;
    for (Index k = 0; k < near; ++k) block(own[*column - chunk.begin]);
    for (Index k = 0; k < far_count; ++k) block(halo[*far++]);
    own[row - chunk.begin] += y0 + (y1 + y2);
  }
  for (Index row = chunk.begin; row < chunk.end; ++row)
    store3(y + 3 * static_cast<std::size_t>(row), own[row - chunk.begin]);
}

// Adds the halos of earlier chunks to the rows of a chunk, in the order of the chunks.
void BlockProduct::gather_chunk(std::size_t chunk, double* y) const {
  for (std::size_t part = gather_begin_[chunk]; part < gather_begin_[chunk + 1]; ++part) {
    for (std::size_t k = gather_[part].begin; k < gather_[part].end; ++k) {
      double* target = y + 3 * static_cast<std::size_t>(halo_rows_[k]);
      for (int a = 0; a < 3; ++a) target[a] += halo_[k][a];
    }
  }
}

// Two parallel loops over the chunks: products, then halos and, while y is in cache, x^T y.
void BlockProduct::multiply(const BlockPattern& pattern, const double* values, const double* x, double* y,
                            double* dot) {
  std::call_once(planned_, [&] { plan(pattern); });
  parallel_for(
      chunks_.size(), [&](std::size_t c) { multiply_chunk(pattern, values, x, y, chunks_[c]); }, 1);
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        gather_chunk(c, y);
        if (!dot) return;
        double lanes[8] = {};  // independent sums, so that the loop can be vectorised without reordering
        std::size_t i = 3 * static_cast<std::size_t>(chunks_[c].begin);
        const std::size_t end = 3 * static_cast<std::size_t>(chunks_[c].end);
        for (; i + 8 <= end; i += 8)
          for (int l = 0; l < 8; ++l) lanes[l] += x[i + l] * y[i + l];
        double sum = 0;
        for (; i < end; ++i) sum += x[i] * y[i];
        for (double lane : lanes) sum += lane;
        partial_[c] = sum;
      },
      1);
  if (!dot) return;
  *dot = 0;
  for (double p : partial_) *dot += p;
}

std::size_t BlockProduct::memory_bytes() const {
  return sizeof(Index) * (near_count_.size() + halo_rows_.size() + far_slots_.size()) + sizeof(Vec4d) * halo_.size();
}

}  // namespace sinew

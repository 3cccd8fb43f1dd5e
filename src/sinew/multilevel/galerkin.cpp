#include "sinew/multilevel/galerkin.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_vertices = 1024;
constexpr int row_size = 36;   // doubles of one handle in a row of T = H W: 4 blocks of 9
constexpr int group_rows = 4;  // of T, multiplied at once

bool is_zero(const double* block) {
  return block[0] == 0 && std::all_of(block + 1, block + 9, [](double v) { return v == 0; });
}

// Symbols: W the scalar basis (n x 4 handles), U = W (x) I_3, H sparse symmetric with 3x3 blocks, T = H^ W for H^ the
// strict upper triangle of H and half of its diagonal, so that A = U^T H U = W^T T + (W^T T)^T.

// T_k += w_k H_ij for the monomials k = 0..3 of one handle (1 and three scaled coordinates), H_ij one 3 x 3 block. 36
// multiply-adds; the compiler keeps H_ij in registers.
inline void add_scaled(const double* __restrict H, const double* __restrict w, double* __restrict T) {
  for (int k = 0; k < 4; ++k)
    for (int e = 0; e < 9; ++e) T[9 * k + e] += w[k] * H[e];
}

// S_kl += sum over the four rows r of w_rk T_rl: an outer product of rank four, 4 x 4 blocks of 3 x 3. Four rows at
// once read and write the 144 sums once instead of four times.
inline void add_outer(const double* __restrict w, const double* __restrict T, double* __restrict S) {
  static_assert(group_rows == 4);
  for (int k = 0; k < 4; ++k) {
    const double w0 = w[k], w1 = w[4 + k], w2 = w[8 + k], w3 = w[12 + k];
    for (int e = 0; e < row_size; ++e) {
      S[row_size * k + e] += (w0 * T[e] + w1 * T[row_size + e]) + (w2 * T[2 * row_size + e] + w3 * T[3 * row_size + e]);
    }
  }
}

}  // namespace

// P H P of compute().
struct GalerkinProduct::Masked {
  const SymBlockMatrix& H;
  std::span<const char> fixed;

  // Half of the diagonal block of row i, which the symmetric sum adds twice.
  std::array<double, 9> half_diagonal(std::size_t i) const {
    std::array<double, 9> half;
    for (int e = 0; e < 9; ++e) half[e] = 0.5 * H.block(H.pattern().row_begin[i])[e];
    for (int k = 0; k < 3 && !fixed.empty(); ++k)
      if (fixed[3 * i + k]) half[4 * k] = 0;
    return half;
  }
  bool is_empty(std::size_t i) const {
    const BlockPattern& pattern = H.pattern();
    return pattern.row_begin[i + 1] == pattern.row_begin[i] + 1 && is_zero(half_diagonal(i).data());
  }
};

// Work space of one chunk: local numbers of the handles it touches, and the rows of W and T of one group.
struct GalerkinProduct::Scratch {
  // Rows of W or T of a group, column by column: group_rows values (of `size` numbers each) for each handle that one of
  // the rows has, with a mask of the rows that are not zero.
  struct Columns {
    struct Column {
      Index handle;
      unsigned rows;  // a bit each
    };
    std::vector<Column> columns;
    std::vector<double> values;
    std::vector<Index> place;  // by handle: its place in columns, -1: none

    // The values of a handle in a row of the group.
    double* at(Index handle, int row, int size) {
      Index& own = place[handle];
      if (own < 0) {
        own = static_cast<Index>(columns.size());
        columns.push_back({handle, 0});
        values.resize(values.size() + static_cast<std::size_t>(group_rows) * size, 0.0);
      }
      columns[own].rows |= 1u << row;
      return values.data() + (static_cast<std::size_t>(group_rows) * own + row) * size;
    }
    void clear() {
      for (const Column& column : columns) place[column.handle] = -1;
      columns.clear();
      values.clear();
    }
  };

  std::vector<Index> local;        // by handle: its place among those of the chunk, -1: none
  std::vector<Index> used;         // handles of the chunk
  std::vector<std::int32_t> slot;  // by local row and column: entry of the chunk, -1: none
  Columns T, W;                    // of the present group
};

// Evaluates the four scalars phi (1, (X - c) / r) of each weight, and orders the vertices of each chunk so that those
// with the same handles follow each other: the rows of a group then share columns.
GalerkinProduct::GalerkinProduct(const HandleBasis& basis, const Points& rest)
    : handles_(basis.handle_count()), begin_(basis.begin), handle_(basis.handle), values_(4 * basis.handle.size()) {
  const Index n = basis.vertex_count();
  // Row v of W: phi_i(X_v) times the monomials of SMS, equation 7, the last three divided by the radius of the
  // cluster.
  parallel_for(n, [&](std::size_t v) {
    for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
      const auto w = handle_scalars(basis, e, rest.col(v));
      std::ranges::copy(w, values_.begin() + 4 * e);
    }
  });
  chunks_.resize((static_cast<std::size_t>(n) + chunk_vertices - 1) / chunk_vertices);
  // Within a chunk vertices with the same handles follow each other.
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  const auto handles_of = [&](Index v) { return std::span(handle_).subspan(begin_[v], begin_[v + 1] - begin_[v]); };
  parallel_chunks(n, chunk_vertices, [&](std::size_t first, std::size_t last) {
    std::stable_sort(order_.begin() + first, order_.begin() + last, [&](Index a, Index b) {
      const auto x = handles_of(a), y = handles_of(b);
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
  });
}

// Local numbers of the handles at the rows [first, last) and at the columns of these rows in H. Rows of H without
// entries are skipped.
void GalerkinProduct::number_handles(const Masked& masked, std::size_t first, std::size_t last,
                                     Scratch& scratch) const {
  scratch.local.resize(std::max<std::size_t>(scratch.local.size(), handles_), -1);
  scratch.T.place.resize(scratch.local.size(), -1);
  scratch.W.place.resize(scratch.local.size(), -1);
  scratch.used.clear();
  const auto use = [&](std::size_t v) {
    for (auto e = begin_[v]; e < begin_[v + 1]; ++e) {
      Index& local = scratch.local[handle_[e]];
      if (local >= 0) continue;
      local = static_cast<Index>(scratch.used.size());
      scratch.used.push_back(handle_[e]);
    }
  };
  const BlockPattern& pattern = masked.H.pattern();
  for (std::size_t i = first; i < last; ++i) {
    if (masked.is_empty(i)) continue;
    use(i);
    for (auto s = pattern.row_begin[i] + 1; s < pattern.row_begin[i + 1]; ++s) use(pattern.columns[s]);
  }
  scratch.slot.assign(scratch.used.size() * scratch.used.size(), -1);
}

// The rows of W, and those of T = H W, of the upper triangle with half of the diagonal block: the sum with its
// transpose is W^T H W.
void GalerkinProduct::gather_group(const Masked& masked, std::span<const Index> vertices, Scratch& scratch) const {
  scratch.T.clear();
  scratch.W.clear();
  const SymBlockMatrix& H = masked.H;
  const BlockPattern& pattern = H.pattern();
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const std::size_t i = vertices[k];
    if (begin_[i] == begin_[i + 1] || masked.is_empty(i)) continue;
    const int row = static_cast<int>(k);
    for (auto e = begin_[i]; e < begin_[i + 1]; ++e) std::copy_n(scalars(e), 4, scratch.W.at(handle_[e], row, 4));
    const auto add = [&](const double* block, std::size_t j) {
      for (auto e = begin_[j]; e < begin_[j + 1]; ++e)
        add_scaled(block, scalars(e), scratch.T.at(handle_[e], row, row_size));
    };
    const std::array<double, 9> half = masked.half_diagonal(i);
    if (!is_zero(half.data())) add(half.data(), i);
    for (auto t = pattern.row_begin[i] + 1; t < pattern.row_begin[i + 1]; ++t)
      if (!is_zero(H.block(t))) add(H.block(t), pattern.columns[t]);
  }
}

// W^T T of the group, for the columns that have a row in common, into the sums of the handle pairs.
void GalerkinProduct::multiply_group(Scratch& scratch, Chunk& chunk) {
  for (std::size_t b = 0; b < scratch.T.columns.size(); ++b) {
    const auto& column = scratch.T.columns[b];
    const Index local_column = scratch.local[column.handle];
    for (std::size_t a = 0; a < scratch.W.columns.size(); ++a) {
      const auto& row = scratch.W.columns[a];
      if ((row.rows & column.rows) == 0) continue;
      std::int32_t& slot =
          scratch.slot[static_cast<std::size_t>(scratch.local[row.handle]) * scratch.used.size() + local_column];
      if (slot < 0) {
        slot = static_cast<std::int32_t>(chunk.entries.size());
        chunk.entries.push_back({row.handle, column.handle, chunk.sums.size()});
        chunk.sums.resize(chunk.sums.size() + pair_size, 0.0);
      }
      add_outer(scratch.W.values.data() + group_rows * 4 * a, scratch.T.values.data() + group_rows * row_size * b,
                chunk.sums.data() + static_cast<std::size_t>(pair_size) * slot);
    }
  }
}

// W^T T over the vertices of one chunk: the handles that its rows touch get local numbers; then, for groups of
// group_rows vertices, the rows of T and W are gathered column by column and multiplied into the sums of the handle
// pairs.
void GalerkinProduct::sum_chunk(const Masked& masked, std::size_t c) {
  thread_local Scratch scratch;
  Chunk& chunk = chunks_[c];
  const std::size_t first = c * chunk_vertices;
  const std::size_t last = std::min(first + chunk_vertices, begin_.size() - 1);
  number_handles(masked, first, last, scratch);
  chunk.entries.clear();
  chunk.sums.clear();
  for (std::size_t begin = first; begin < last; begin += group_rows) {
    gather_group(masked, std::span(order_).subspan(begin, std::min<std::size_t>(group_rows, last - begin)), scratch);
    multiply_group(scratch, chunk);
  }
  scratch.T.clear();
  scratch.W.clear();
  for (const Index handle : scratch.used) scratch.local[handle] = -1;
}

// The pattern of A grows by the handle pairs of the chunks and is made anew only when there are new ones.
void GalerkinProduct::update_pattern() {
  std::vector<Pair> found;
  for (const Chunk& chunk : chunks_)
    for (const Entry& entry : chunk.entries) found.push_back(std::minmax(entry.row, entry.column));
  for (Index i = 0; i < handles_; ++i) found.push_back({i, i});
  sort_unique(found);
  if (!pairs_.empty() && std::includes(pairs_.begin(), pairs_.end(), found.begin(), found.end())) return;
  std::vector<Pair> all;
  std::set_union(pairs_.begin(), pairs_.end(), found.begin(), found.end(), std::back_inserter(all));
  pairs_ = std::move(all);
  pair_begin_.assign(handles_ + 1, 0);
  for (const Pair& pair : pairs_) ++pair_begin_[pair.first + 1];
  for (Index i = 0; i < handles_; ++i) pair_begin_[i + 1] += pair_begin_[i];

  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = 4 * handles_;
  pattern->row_begin.push_back(0);
  for (Index i = 0; i < handles_; ++i) {
    for (Index k = 0; k < 4; ++k) {
      for (Index l = k; l < 4; ++l) pattern->columns.push_back(4 * i + l);
      for (auto p = pair_begin_[i] + 1; p < pair_begin_[i + 1]; ++p)
        for (Index l = 0; l < 4; ++l) pattern->columns.push_back(4 * pairs_[p].second + l);
      pattern->row_begin.push_back(static_cast<std::int64_t>(pattern->columns.size()));
    }
  }
  pattern_ = std::move(pattern);
}

// Adds the chunks' sums to A in the order of the chunks: sums of (i, j) as they are for i < j, transposed for i > j,
// and both for i = j, which completes W^T T + (W^T T)^T.
void GalerkinProduct::gather(SymBlockMatrix& A) const {
  struct Source {
    std::int64_t pair;
    bool swapped;
    const double* sums;
  };
  std::vector<Source> sources;
  for (const Chunk& chunk : chunks_) {
    for (const Entry& entry : chunk.entries) {
      const Pair pair = std::minmax(entry.row, entry.column);
      const auto p = std::lower_bound(pairs_.begin() + pair_begin_[pair.first],
                                      pairs_.begin() + pair_begin_[pair.first + 1], pair) -
                     pairs_.begin();
      sources.push_back({p, entry.row > entry.column, chunk.sums.data() + entry.offset});
    }
  }
  std::stable_sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.pair < b.pair; });
  std::vector<std::size_t> begin(pairs_.size() + 1, 0);
  for (const Source& source : sources) ++begin[source.pair + 1];
  for (std::size_t p = 0; p < pairs_.size(); ++p) begin[p + 1] += begin[p];

  const auto& row_begin = A.pattern().row_begin;
  parallel_for(
      pairs_.size(),
      [&](std::size_t p) {
        const Index i = pairs_[p].first, j = pairs_[p].second;
        const std::int64_t offset = 4 * (static_cast<std::int64_t>(p) - pair_begin_[i]);
        // Values of block (k, l), which lies in row 4 i + k.
        const auto block = [&](int k, int l) { return A.block(row_begin[4 * i + k] + offset + l - k); };
        for (std::size_t s = begin[p]; s < begin[p + 1]; ++s) {
          const double* sums = sources[s].sums;
          for (int k = 0; k < 4; ++k) {
            for (int l = i == j ? k : 0; l < 4; ++l) {
              double* out = block(k, l);
              const double* direct = sums + row_size * k + 9 * l;
              const double* transposed = sums + row_size * l + 9 * k;
              if (i == j || !sources[s].swapped)
                for (int e = 0; e < 9; ++e) out[e] += direct[e];
              if (i == j || sources[s].swapped)
                for (int e = 0; e < 9; ++e) out[e] += transposed[3 * (e % 3) + e / 3];
            }
          }
        }
      },
      16);
}

// The chunks' shares of U^T H U, then their sum by block in the order of the chunks.
void GalerkinProduct::compute(const SymBlockMatrix& H, std::span<const char> fixed, SymBlockMatrix& A,
                              const SymBlockMatrix* base) {
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        sum_chunk({H, fixed}, c);
      },
      1);
  update_pattern();
  if (A.shared_pattern() == pattern_) {
    A.set_zero();
  } else {
    A.set_pattern(pattern_);
  }
  if (base) A.add(*base);
  gather(A);
}

std::size_t GalerkinProduct::memory_bytes() const {
  std::size_t bytes = begin_.size() * 8 + handle_.size() * (4 + 4 * 8) + pairs_.size() * sizeof(Pair);
  for (const Chunk& chunk : chunks_)
    bytes += chunk.entries.capacity() * sizeof(Entry) + chunk.sums.capacity() * sizeof(double);
  return bytes;
}

}  // namespace sinew

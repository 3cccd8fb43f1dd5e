#include "sinew/linalg/multifrontal.h"

#include <algorithm>

#include <tbb/task_arena.h>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/linalg/packed_panel.h"

namespace sinew {
namespace {

using kernel::PackedPanel;

constexpr int tile = 288;                                   // of update matrices, in scalars
constexpr int strips_of_a_task = 288 / kernel::strip_rows;  // rows of a panel that one task updates and solves
constexpr int solve_rows = 512;           // rows of a panel in one product of the forward substitution
constexpr int solve_columns = 24;         // columns of a panel in one product of the backward substitution
constexpr double parallel_flops = 5e6;    // fronts with less work are left to one thread
constexpr double parallel_entries = 5e5;  // likewise for solves: entries of the panel

// f(k) for k in [0, n), on all threads or on this one.
template <class F>
void for_tiles(std::size_t n, bool parallel, F&& f) {
  // Isolated: while it waits for the last tile, a thread must not begin another subtree and so delay this front.
  if (parallel && n > 1 && thread_count() > 1) return tbb::this_task_arena::isolate([&] { parallel_for(n, f, 1); });
  for (std::size_t k = 0; k < n; ++k) f(k);
}

// An update matrix is stored by block columns of `tile` scalars; block column J holds the rows from tile * J on,
// column-major, filled up to whole vectors.
struct UpdateLayout {
  int size;    // scalars
  int padded;  // size, rounded up to a multiple of vector_rows
  explicit UpdateLayout(int n)
      : size(n), padded((n + kernel::vector_rows - 1) / kernel::vector_rows * kernel::vector_rows) {}
  int tiles() const { return (size + tile - 1) / tile; }
  int extent(Index J) const { return std::min(tile, size - tile * J); }
  int ld(Index J) const { return padded - tile * J; }
  std::size_t begin(Index J) const {
    const auto j = static_cast<std::size_t>(J);
    return tile * (j * padded - tile * (j * (j - 1) / 2));
  }
  std::size_t entries() const {
    return begin(tiles() - 1) + static_cast<std::size_t>(ld(tiles() - 1)) * extent(tiles() - 1);
  }
};

// Extend-add: adds the lower triangle's part of a child's update matrix: its block columns [j0, j1) from block row
// max(i0, j) to i1. column(j) is where the local rows of the parent that block column j goes to start; local: child's
// rows to those.
template <int B, class Column>
void add_update(const double* source, UpdateLayout layout, Index j0, Index j1, Index i0, Index i1, const Index* local,
                Column&& column, int ld) {
  for (Index j = j0; j < j1; ++j) {
    const Index J = j / (tile / B);
    const int source_ld = layout.ld(J);
    // Biased so that block row i of the child is at B i.
    const double* from = source + layout.begin(J) + static_cast<std::size_t>(B * (j - J * (tile / B))) * source_ld;
    const std::ptrdiff_t bias = -static_cast<std::ptrdiff_t>(tile) * J;
    double* to = column(j);
    for (Index i = std::max(i0, j); i < i1; ++i) {
      const double* f = from + (B * i + bias);
      double* t = to + B * static_cast<std::ptrdiff_t>(local[i]);
      for (int c = 0; c < B; ++c)
        for (int r = 0; r < B; ++r)
          t[c * static_cast<std::ptrdiff_t>(ld) + r] += f[c * static_cast<std::ptrdiff_t>(source_ld) + r];
    }
  }
}

}  // namespace

template <int B>
typename MultifrontalFactor<B>::Panel MultifrontalFactor<B>::panel(Index s) const {
  const int width = B * symbolic_->pivots(s);
  return {L_.get() + symbolic_->panel_begin[s], width + B * symbolic_->updates(s), width};
}

// Calls front(s) for all fronts, children before parents: whole small subtrees a task, then the fronts above them by
// whoever finished their last child. Stops early when front() returns false.
template <int B>
template <class Front>
void MultifrontalFactor<B>::for_each_front_upward(Front&& front) {
  const SymbolicFactor& f = *symbolic_;
  failed_ = false;
  for (Index s = 0; s < f.front_count(); ++s)
    pending_[s].store(f.child_begin[s + 1] - f.child_begin[s], std::memory_order_relaxed);
  const auto run = [&](Index s) {
    if (!failed_.load(std::memory_order_relaxed) && !front(s)) failed_ = true;
  };
  const auto climb = [&](Index s) {
    for (Index p = f.parent[s]; p >= 0 && pending_[p].fetch_sub(1, std::memory_order_acq_rel) == 1; p = f.parent[p])
      run(p);
  };
  parallel_for(
      f.task_first.size(),
      [&](std::size_t task) {
        for (Index s = f.task_first[task]; s <= f.task_last[task]; ++s) run(s);
        climb(f.task_last[task]);
      },
      1);
  // A top front without children is no part of a task (a matrix that is one front).
  for (Index s = 0; s < f.front_count(); ++s) {
    if (!f.is_top[s] || f.child_begin[s] != f.child_begin[s + 1]) continue;
    run(s);
    climb(s);
  }
}

template <int B>
void MultifrontalFactor<B>::start(const BlockPattern& pattern) {
  const SymbolicFactor& f = *symbolic_;
  const auto needed = static_cast<std::size_t>(f.panel_begin.back());
  if (needed > capacity_) {
    L_.reset();
    capacity_ = needed + needed / 16;  // contacts come and go: leave room for a somewhat larger factor
    L_ = make_huge_array(capacity_);
  }
  updates_.resize(f.front_count());
  if (pending_.size() != static_cast<std::size_t>(f.front_count()))
    pending_ = std::vector<std::atomic<Index>>(f.front_count());
  front_vector_begin_.resize(static_cast<std::size_t>(f.front_count()) + 1);
  for (Index s = 0; s < f.front_count(); ++s)
    front_vector_begin_[s + 1] = front_vector_begin_[s] + B * (f.pivots(s) + f.updates(s));
  front_vector_.resize(front_vector_begin_[f.front_count()]);
  floor_.resize(B * static_cast<std::size_t>(f.size));
  parallel_for(f.size, [&](std::size_t k) {
    const double* D = values_ + B * B * pattern.row_begin[f.order[k]];
    for (int a = 0; a < B; ++a) floor_[B * k + a] = std::max(0.0, floor_share * (scale_ * D[(B + 1) * a]));
  });
}

template <int B>
bool MultifrontalFactor<B>::factor(const SymbolicFactor& symbolic, const BlockPattern& pattern, const double* values,
                                   double scale) {
  symbolic_ = &symbolic;
  values_ = values;
  scale_ = scale;
  start(pattern);
  for_each_front_upward([&](Index s) { return factor_front(s); });
  for (auto& update : updates_) pool_.release(std::move(update));  // left over after a failure
  return !failed_;
}

// A front is the sum of what is known of its rows when their turn comes: its columns of A and the update matrices U_c
// of its children, each entry where its row and column are in the front (extend-add, written (+)). With its pivots
// first,
//
//   | F11  .   |                           assembly:              F = A_s (+) sum_c U_c
//   | F21  F22 |                           partial factorisation: L11 L11^T = F11,  L21 = F21 L11^{-T}
//                                          Schur complement:      U_s = F22 - L21 L21^T, which goes to the parent
//
// The columns of F11 and F21 are assembled in the panel, where they become L. A has no entries in F22: U_s is the
// product alone, to which the children's parts are added.
template <int B>
bool MultifrontalFactor<B>::factor_front(Index s) {
  const Panel L = panel(s);
  const SymbolicFactor& f = *symbolic_;
  const double below = L.rows - L.width;
  const bool parallel = L.width * (L.rows * below + L.width * double(L.width) / 3) > parallel_flops;
  const Index pivots = f.pivots(s), columns = kernel::block_columns / B;
  for_tiles((pivots + columns - 1) / columns, parallel, [&](std::size_t k) {
    const auto first = static_cast<Index>(k) * columns;
    assemble_panel(s, L, first, std::min(pivots, first + columns));
  });
  BufferPool::Buffer storage = pool_.acquire(PackedPanel::size(L.rows, L.width));
  PackedPanel packed(L.data, L.rows, L.width, storage.data.get());
  const bool definite = factor_panel(s, packed, parallel);
  if (definite && L.rows > L.width) form_update(s, packed, L.rows - L.width, parallel);
  pool_.release(std::move(storage));
  if (!definite) return false;
  for (Index c = f.child_begin[s]; c < f.child_begin[s + 1]; ++c) pool_.release(std::move(updates_[f.children[c]]));
  return true;
}

// Assembly of the panel's block columns [first, last): A's entries, then extend-add of the children's update matrices.
template <int B>
void MultifrontalFactor<B>::assemble_panel(Index s, const Panel& L, Index first, Index last) {
  const SymbolicFactor& f = *symbolic_;
  for (int j = B * first; j < B * last; ++j) {
    double* column = L.data + static_cast<std::size_t>(j) * L.rows;
    std::fill(column + B * first, column + L.rows, 0.0);
  }
  for (Index column = first; column < last; ++column) add_entries(s, L, column);
  for (Index c = f.child_begin[s]; c < f.child_begin[s + 1]; ++c) add_child_to_panel(s, f.children[c], L, first, last);
}

template <int B>
void MultifrontalFactor<B>::add_entries(Index s, const Panel& L, Index column) {
  const SymbolicFactor& f = *symbolic_;
  const Index position = f.column_begin[s] + column;
  for (std::int64_t k = f.entry_begin[position]; k < f.entry_begin[position + 1]; ++k) {
    const double* from = values_ + B * B * f.entry_slot[k];
    const bool transposed = f.entry_local[k] % 2;
    double* target = L.data + static_cast<std::size_t>(B * column) * L.rows + B * (f.entry_local[k] / 2);
    for (int c = 0; c < B; ++c)
      for (int r = 0; r < B; ++r)
        target[static_cast<std::size_t>(c) * L.rows + r] += scale_ * (transposed ? from[B * r + c] : from[B * c + r]);
  }
}

template <int B>
void MultifrontalFactor<B>::add_child_to_panel(Index s, Index child, const Panel& L, Index first, Index last) {
  const SymbolicFactor& f = *symbolic_;
  const Index* local = f.parent_local.data() + f.row_begin[child];
  const Index n = f.updates(child);
  const auto j0 = static_cast<Index>(std::lower_bound(local, local + n, first) - local);
  const auto j1 = static_cast<Index>(std::lower_bound(local + j0, local + n, last) - local);
  if (j0 == j1) return;
  static_cast<void>(s);
  add_update<B>(
      updates_[child].data.get(), UpdateLayout(B * n), j0, j1, 0, n, local,
      [&](Index j) { return L.data + static_cast<std::size_t>(B * local[j]) * L.rows; }, L.rows);
}

// Partial factorisation, block column after block column from the left (packed_panel.h): each is updated by the
// finished ones, its diagonal block factored, and the strips below solved. The update of the diagonal block is shared
// out, too: the others wait for its factor alone.
template <int B>
bool MultifrontalFactor<B>::factor_panel(Index s, PackedPanel& panel, bool parallel) {
  const double* floor = floor_.data() + B * static_cast<std::size_t>(symbolic_->column_begin[s]);
  if (!parallel) return panel.factor(floor);
  for (int K = 0; K < panel.blocks(); ++K) {
    const int below = panel.first_strip_below(K), count = panel.strips() - below;
    for_tiles(below - panel.first_strip(K), K > 0, [&](std::size_t t) {
      const int strip = panel.first_strip(K) + static_cast<int>(t);
      panel.update(K, strip, strip + 1);
    });
    if (!panel.factor_diagonal(K, floor)) return false;
    for_tiles((count + strips_of_a_task - 1) / strips_of_a_task, true, [&](std::size_t t) {
      const int first = below + static_cast<int>(t) * strips_of_a_task;
      const int last = std::min(first + strips_of_a_task, panel.strips());
      panel.update(K, first, last);
      panel.solve(K, first, last);
    });
  }
  return true;
}

// U_s = -L21 L21^T (+) the children's parts of F22, a tile at a time while it is in cache.
template <int B>
void MultifrontalFactor<B>::form_update(Index s, const PackedPanel& panel, int size, bool parallel) {
  const UpdateLayout layout(size);
  updates_[s] = pool_.acquire(layout.entries());
  const auto tiles = static_cast<std::size_t>(layout.tiles());
  for_tiles(tiles * (tiles + 1) / 2, parallel, [&](std::size_t k) {
    std::size_t J = 0;  // tiles of the lower triangle by columns
    while (k >= tiles - J) k -= tiles - J++;
    form_tile(s, panel, size, static_cast<Index>(J + k), static_cast<Index>(J));
  });
}

// The product comes first and writes the tile without reading it, so that nothing is cleared.
template <int B>
void MultifrontalFactor<B>::form_tile(Index s, const PackedPanel& panel, int size, Index I, Index J) {
  const SymbolicFactor& f = *symbolic_;
  const UpdateLayout layout(size);
  double* target = updates_[s].data.get() + layout.begin(J) + static_cast<std::size_t>(tile) * (I - J);
  panel.schur_complement(target, layout.ld(J), tile * I, layout.extent(I), tile * J, layout.extent(J));
  for (Index c = f.child_begin[s]; c < f.child_begin[s + 1]; ++c)
    add_child_to_tile(s, f.children[c], I, J, target, layout.ld(J));
}

template <int B>
void MultifrontalFactor<B>::add_child_to_tile(Index s, Index child, Index I, Index J, double* target, int ld) {
  const SymbolicFactor& f = *symbolic_;
  const Index* local = f.parent_local.data() + f.row_begin[child];
  const Index n = f.updates(child), pivots = f.pivots(s);
  const auto position = [&](Index t) {
    return static_cast<Index>(std::lower_bound(local, local + n, pivots + (tile / B) * t) - local);
  };
  const Index j0 = position(J), j1 = position(J + 1);
  if (j0 == j1) return;
  const Index i0 = I == J ? j0 : position(I), i1 = I == J ? j1 : position(I + 1);
  if (i0 == i1) return;
  const Index row_origin = pivots + (tile / B) * I, column_origin = pivots + (tile / B) * J;
  add_update<B>(
      updates_[child].data.get(), UpdateLayout(B * n), j0, j1, i0, i1, local,
      [&](Index j) {
        return target + static_cast<std::ptrdiff_t>(B * (local[j] - column_origin)) * ld -
               B * static_cast<std::ptrdiff_t>(row_origin);
      },
      ld);
}

// W <- L11^{-1} of what is left of b in front s after its children, and W_2 - L21 W_1 below.
template <int B>
void MultifrontalFactor<B>::forward_front(Index s, const double* b, int columns) {
  const SymbolicFactor& f = *symbolic_;
  const Panel L = panel(s);
  double* w = front_vectors(s, columns);
  const std::size_t size = B * static_cast<std::size_t>(f.size);
  for (int r = 0; r < columns; ++r, b += size) {
    double* to = w + static_cast<std::size_t>(r) * L.rows;
    for (Index k = 0; k < f.pivots(s); ++k)
      std::copy_n(b + B * static_cast<std::size_t>(f.order[f.column_begin[s] + k]), B, to + B * k);
    std::fill(to + L.width, to + L.rows, 0.0);
  }
  for (Index c = f.child_begin[s]; c < f.child_begin[s + 1]; ++c) {
    const Index child = f.children[c];
    const Index* local = f.parent_local.data() + f.row_begin[child];
    const Panel of_child = panel(child);
    for (int r = 0; r < columns; ++r) {
      const double* source =
          front_vectors(child, columns) + static_cast<std::size_t>(r) * of_child.rows + of_child.width;
      double* to = w + static_cast<std::size_t>(r) * L.rows;
      for (Index i = 0; i < f.updates(child); ++i)
        for (int a = 0; a < B; ++a) to[B * local[i] + a] += source[B * i + a];
    }
  }
  const kernel::Columns W{w, L.rows, columns};
  const bool parallel = static_cast<double>(L.width) * L.rows > parallel_entries;
  for (int k = 0; k < L.width; k += kernel::block_columns) {
    const int width = std::min(kernel::block_columns, L.width - k), below = L.rows - k - width;
    const double* block = L.data + static_cast<std::size_t>(k) * L.rows;
    kernel::solve_lower(block + k, L.rows, width, W.from(k));
    for_tiles((below + solve_rows - 1) / solve_rows, parallel, [&](std::size_t t) {
      const int first = k + width + static_cast<int>(t) * solve_rows;
      kernel::subtract_multiply(block + first, L.rows, std::min(solve_rows, L.rows - first), width, W.from(k),
                                W.from(first));
    });
  }
}

// W_1 <- L11^{-T} (W_1 - L21^T W_2) with the solution W_2 in the rows below, which the parent has.
template <int B>
void MultifrontalFactor<B>::backward_front(Index s, double* x, int columns) {
  const SymbolicFactor& f = *symbolic_;
  const Panel L = panel(s);
  double* w = front_vectors(s, columns);
  if (f.parent[s] >= 0) {
    const Panel above = panel(f.parent[s]);
    const Index* local = f.parent_local.data() + f.row_begin[s];
    for (int r = 0; r < columns; ++r) {
      const double* from = front_vectors(f.parent[s], columns) + static_cast<std::size_t>(r) * above.rows;
      double* to = w + static_cast<std::size_t>(r) * L.rows + L.width;
      for (Index i = 0; i < f.updates(s); ++i) std::copy_n(from + B * local[i], B, to + B * i);
    }
  }
  const kernel::Columns W{w, L.rows, columns};
  const bool parallel = static_cast<double>(L.width) * L.rows > parallel_entries;
  for (int k = (L.width - 1) / kernel::block_columns * kernel::block_columns; k >= 0; k -= kernel::block_columns) {
    const int width = std::min(kernel::block_columns, L.width - k), end = k + width;
    const double* block = L.data + static_cast<std::size_t>(k) * L.rows;
    for_tiles((width + solve_columns - 1) / solve_columns, parallel && L.rows > end, [&](std::size_t t) {
      const int first = static_cast<int>(t) * solve_columns;
      kernel::subtract_multiply_transposed(block + static_cast<std::size_t>(first) * L.rows + end, L.rows, L.rows - end,
                                           std::min(solve_columns, width - first), W.from(end), W.from(k + first));
    });
    kernel::solve_lower_transposed(block + k, L.rows, width, W.from(k));
  }
  const std::size_t size = B * static_cast<std::size_t>(f.size);
  for (int r = 0; r < columns; ++r, x += size) {
    const double* from = w + static_cast<std::size_t>(r) * L.rows;
    for (Index k = 0; k < f.pivots(s); ++k)
      std::copy_n(from + B * k, B, x + B * static_cast<std::size_t>(f.order[f.column_begin[s] + k]));
  }
}

template <int B>
void MultifrontalFactor<B>::solve(const double* b, double* x, int columns) {
  const SymbolicFactor& f = *symbolic_;
  front_vector_.resize(
      std::max(front_vector_.size(), static_cast<std::size_t>(columns) * front_vector_begin_[f.front_count()]));
  for_each_front_upward([&](Index s) {
    forward_front(s, b, columns);
    return true;
  });
  for (Index s = f.front_count(); s-- > 0;)
    if (f.is_top[s]) backward_front(s, x, columns);
  parallel_for(
      f.task_first.size(),
      [&](std::size_t task) {
        for (Index s = f.task_last[task]; s >= f.task_first[task]; --s) backward_front(s, x, columns);
      },
      1);
}

template <int B>
void MultifrontalFactor<B>::clear() {
  L_.reset();
  capacity_ = 0;
  pool_.clear();
  symbolic_ = nullptr;
}

template <int B>
std::size_t MultifrontalFactor<B>::memory_bytes() const {
  return sizeof(double) * (capacity_ + floor_.size() + front_vector_.size()) + pool_.memory_bytes();
}

template class MultifrontalFactor<3>;
template class MultifrontalFactor<1>;

}  // namespace sinew

#include "sinew/linalg/compact_factor.h"

#include <algorithm>
#include <cstring>

#include "sinew/core/parallel.h"
#include "sinew/core/parallel_tree.h"

namespace sinew {
namespace {

constexpr int width8 = 8;  // columns of a group, and rows of a register

using Vec8d = double __attribute__((vector_size(64)));
using Vec8f = float __attribute__((vector_size(32)));

Vec8d load_rows(const double* p) {
  Vec8d v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

Vec8d load_rows(const float* p) {
  Vec8f v;
  std::memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, Vec8d);
}

void store_rows(double* p, Vec8d v) {
  std::memcpy(p, &v, sizeof v);
}

double sum(Vec8d v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

int rounded_up(int n) {
  return (n + width8 - 1) / width8 * width8;
}

// Where the columns k, k + 1 ... of a front begin: `from` is the first row kept below the group's triangle. A group
// that is not full shares its register with rows below; those of its own in it are zero.
struct Group {
  int columns, from, rows;

  Group(int k, int width, int padded) : columns(std::min(width8, width - k)) {
    from = columns == width8 ? k + width8 : k;
    rows = padded - from;
  }
  std::size_t size() const { return width8 * (static_cast<std::size_t>(width8) + rows); }
};

std::size_t front_size(int width, int rows) {
  std::size_t size = 0;
  for (int k = 0; k < width; k += width8) size += Group(k, width, rounded_up(rows)).size();
  return size;
}

}  // namespace

template <int B>
void CompactFactor<B>::round(const MultifrontalFactor<B>& factor) {
  const SymbolicFactor& f = *factor.symbolic();
  if (data_.use_count() != 1) data_ = std::make_shared<Data>();
  Data& d = *data_;
  d.symbolic = &f;
  const Index fronts = f.front_count();
  d.begin.assign(1, 0);
  d.vector_begin.assign(1, 0);
  for (Index s = 0; s < fronts; ++s) {
    const auto panel = factor.panel(s);
    d.begin.push_back(d.begin.back() + static_cast<std::int64_t>(front_size(panel.width, panel.rows)));
    d.vector_begin.push_back(d.vector_begin.back() + rounded_up(panel.rows));
  }
  d.values.resize(d.begin.back());
  if (pending_.size() != static_cast<std::size_t>(fronts)) pending_ = std::vector<std::atomic<Index>>(fronts);
  d.task.assign(fronts, -1);
  for (std::size_t task = 0; task < f.task_last.size(); ++task) d.task[f.task_last[task]] = static_cast<Index>(task);
  d.roots.clear();
  for (Index s = 0; s < fronts; ++s)
    if (f.parent[s] < 0) d.roots.push_back(s);
  parallel_for(
      fronts, [&](std::size_t s) { round_front(factor, static_cast<Index>(s), d); }, 16);
}

template <int B>
void CompactFactor<B>::round_front(const MultifrontalFactor<B>& factor, Index s, Data& data) {
  const auto L = factor.panel(s);
  float* out = data.values.data() + data.begin[s];
  for (int k = 0; k < L.width; k += width8) {
    const Group group(k, L.width, rounded_up(L.rows));
    std::fill_n(out, group.size(), 0.0F);
    float* below = out + width8 * width8;
    for (int c = 0; c < group.columns; ++c) {
      const double* column = L.data + static_cast<std::size_t>(k + c) * L.rows;
      out[width8 * c + c] = static_cast<float>(1 / column[k + c]);
      for (int r = c + 1; r < group.columns; ++r) out[width8 * c + r] = static_cast<float>(column[k + r]);
      for (int r = k + group.columns; r < L.rows; ++r)
        below[static_cast<std::size_t>(c) * group.rows + (r - group.from)] = static_cast<float>(column[r]);
    }
    out += group.size();
  }
}

// w <- what is left of b in front s after its children, then L_s^{-1} w in the pivots and w - L_21 y below them.
template <int B>
template <int columns>
void CompactFactor<B>::forward(Index s, const double* b) {
  const SymbolicFactor& f = *data_->symbolic;
  double* w = vector_.data() + columns * data_->vector_begin[s];
  const int width = B * f.pivots(s), rows = width + B * f.updates(s), padded = rounded_up(rows);
  for (Index k = 0; k < f.pivots(s); ++k) {
    const double* from = b + B * columns * static_cast<std::size_t>(f.order[f.column_begin[s] + k]);
    for (int r = 0; r < columns; ++r)
      for (int a = 0; a < B; ++a) w[r * padded + B * k + a] = from[columns * a + r];
  }
  for (int r = 0; r < columns; ++r) std::fill(w + r * padded + width, w + (r + 1) * padded, 0.0);
  for (Index c = f.child_begin[s]; c < f.child_begin[s + 1]; ++c) {
    const Index child = f.children[c];
    const int child_pivots = B * f.pivots(child), child_padded = rounded_up(child_pivots + B * f.updates(child));
    const double* from = vector_.data() + columns * data_->vector_begin[child] + child_pivots;
    const Index* local = f.parent_local.data() + f.row_begin[child];
    for (int r = 0; r < columns; ++r)
      for (Index i = 0; i < f.updates(child); ++i)
        for (int a = 0; a < B; ++a) w[r * padded + B * local[i] + a] += from[r * child_padded + B * i + a];
  }
  const float* L = data_->values.data() + data_->begin[s];
  for (int k = 0; k < width; k += width8) {
    const Group group(k, width, padded);
    double x[columns][width8] = {};
    for (int r = 0; r < columns; ++r) {
      double* of = w + r * padded + k;
      for (int c = 0; c < group.columns; ++c) {
        x[r][c] = of[c] * L[width8 * c + c];
        of[c] = x[r][c];
        for (int i = c + 1; i < group.columns; ++i) of[i] -= x[r][c] * L[width8 * c + i];
      }
    }
    const float* below = L + width8 * width8;
    for (int i = 0; i < group.rows; i += width8) {
      double* at = w + group.from + i;
      Vec8d even[columns], odd[columns];
      for (int r = 0; r < columns; ++r) even[r] = load_rows(at + r * padded), odd[r] = Vec8d{};
      for (int c = 0; c < width8; c += 2) {
        const Vec8d l0 = load_rows(below + static_cast<std::size_t>(c) * group.rows + i);
        const Vec8d l1 = load_rows(below + static_cast<std::size_t>(c + 1) * group.rows + i);
        for (int r = 0; r < columns; ++r) even[r] -= x[r][c] * l0, odd[r] -= x[r][c + 1] * l1;
      }
      for (int r = 0; r < columns; ++r) store_rows(at + r * padded, even[r] + odd[r]);
    }
    L += group.size();
  }
}

// w <- L_s^{-T} (w - L_21^T y) in the pivots, y being the solution in the rows below, which the parent has.
template <int B>
template <int columns>
void CompactFactor<B>::backward(Index s, double* x) {
  const SymbolicFactor& f = *data_->symbolic;
  double* w = vector_.data() + columns * data_->vector_begin[s];
  const int width = B * f.pivots(s), padded = rounded_up(width + B * f.updates(s));
  if (const Index parent = f.parent[s]; parent >= 0) {
    const double* above = vector_.data() + columns * data_->vector_begin[parent];
    const int parent_padded = rounded_up(B * (f.pivots(parent) + f.updates(parent)));
    const Index* local = f.parent_local.data() + f.row_begin[s];
    for (int r = 0; r < columns; ++r)
      for (Index i = 0; i < f.updates(s); ++i)
        std::copy_n(above + r * parent_padded + B * local[i], B, w + r * padded + width + B * i);
  }
  const float* L = data_->values.data() + data_->begin[s + 1];
  for (int k = (width - 1) / width8 * width8; k >= 0; k -= width8) {
    const Group group(k, width, padded);
    L -= group.size();
    const float* below = L + width8 * width8;
    Vec8d sums[columns][width8] = {};
    for (int i = 0; i < group.rows; i += width8) {
      Vec8d y[columns];
      for (int r = 0; r < columns; ++r) y[r] = load_rows(w + r * padded + group.from + i);
      for (int c = 0; c < width8; ++c) {
        const Vec8d l = load_rows(below + static_cast<std::size_t>(c) * group.rows + i);
        for (int r = 0; r < columns; ++r) sums[r][c] += y[r] * l;
      }
    }
    for (int r = 0; r < columns; ++r) {
      double* of = w + r * padded + k;
      for (int c = group.columns - 1; c >= 0; --c) {
        double y = of[c] - sum(sums[r][c]);
        for (int i = c + 1; i < group.columns; ++i) y -= L[width8 * c + i] * of[i];
        of[c] = y * L[width8 * c + c];
      }
    }
  }
  for (Index k = 0; k < f.pivots(s); ++k) {
    double* to = x + B * columns * static_cast<std::size_t>(f.order[f.column_begin[s] + k]);
    for (int r = 0; r < columns; ++r)
      for (int a = 0; a < B; ++a) to[columns * a + r] = w[r * padded + B * k + a];
  }
}

// Forward substitution in the fronts above s whose last child was s.
template <int B>
template <int columns>
void CompactFactor<B>::climb(Index s, const double* b) {
  const auto& parent = data_->symbolic->parent;
  for (Index p = parent[s]; p >= 0 && pending_[p].fetch_sub(1, std::memory_order_acq_rel) == 1; p = parent[p])
    forward<columns>(p, b);
}

// Whole small subtrees a task; the fronts above them upwards by whoever finished their last child, downwards by whoever
// comes first.
template <int B>
template <int columns>
void CompactFactor<B>::solve_columns(const double* b, double* x) {
  const SymbolicFactor& f = *data_->symbolic;
  vector_.resize(std::max(vector_.size(), columns * static_cast<std::size_t>(data_->vector_begin.back())));
  for (Index s = 0; s < f.front_count(); ++s)
    pending_[s].store(f.child_begin[s + 1] - f.child_begin[s], std::memory_order_relaxed);
  parallel_for(
      f.task_first.size(),
      [&](std::size_t task) {
        for (Index s = f.task_first[task]; s <= f.task_last[task]; ++s) forward<columns>(s, b);
        climb<columns>(f.task_last[task], b);
      },
      1);
  for (Index s = 0; s < f.front_count(); ++s) {  // that are no part of a task: a matrix that is one front
    if (!f.is_top[s] || f.child_begin[s] != f.child_begin[s + 1]) continue;
    forward<columns>(s, b);
    climb<columns>(s, b);
  }
  parallel_tree(data_->roots, [&](Index s, TaskFeeder& feeder) {
    if (data_->task[s] >= 0) {
      for (Index k = s; k >= f.task_first[data_->task[s]]; --k) backward<columns>(k, x);
      return;
    }
    backward<columns>(s, x);
    for (Index c = f.child_begin[s]; c < f.child_begin[s + 1]; ++c) feeder.add(f.children[c]);
  });
}

template <int B>
std::size_t CompactFactor<B>::memory_bytes() const {
  if (!data_) return 0;
  return sizeof(float) * data_->values.capacity() + sizeof(double) * vector_.capacity() +
         sizeof(std::int64_t) * (data_->begin.size() + data_->vector_begin.size());
}

template class CompactFactor<3>;
template class CompactFactor<1>;

}  // namespace sinew

#include "sinew/linalg/packed_panel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace sinew::kernel {
namespace {

constexpr int W = vector_rows;
constexpr int groups = strip_rows / W;  // of W rows in a strip: the columns of a micro-tile
using Vec = double __attribute__((vector_size(sizeof(double) * W)));

[[gnu::always_inline]] inline Vec load(const double* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

[[gnu::always_inline]] inline void store(double* p, const Vec& v) {
  std::memcpy(p, &v, sizeof v);
}

int strips_of(int rows) {
  return (rows + strip_rows - 1) / strip_rows;
}

// The micro-tile: V registers of rows, W columns.
template <int V>
struct Tile {
  Vec x[V][W];

  [[gnu::always_inline]] void clear() {
#pragma GCC unroll 8
    for (int j = 0; j < W; ++j)
#pragma GCC unroll 3
      for (int v = 0; v < V; ++v) x[v][j] = Vec{};
  }

  // x <- x - A B^T over k columns of two strips: A the rows of one, B W rows of the other.
  [[gnu::always_inline]] void subtract_product(const double* A, const double* B, int k) {
    for (; k > 0; --k, A += strip_rows, B += strip_rows) {
      Vec a[V];
#pragma GCC unroll 3
      for (int v = 0; v < V; ++v) a[v] = load(A + W * v);
#pragma GCC unroll 8
      for (int j = 0; j < W; ++j)
#pragma GCC unroll 3
        for (int v = 0; v < V; ++v) x[v][j] -= a[v] * B[j];
    }
  }

  // x <- x + C for the first `rows` rows and `columns` columns.
  [[gnu::always_inline]] void add(const double* C, std::ptrdiff_t ldc, int rows, int columns) {
    if (rows == W * V && columns == W) {
#pragma GCC unroll 8
      for (int j = 0; j < W; ++j)
#pragma GCC unroll 3
        for (int v = 0; v < V; ++v) x[v][j] += load(C + j * ldc + W * v);
      return;
    }
    alignas(64) double buffer[W][W * V] = {};
    for (int j = 0; j < columns; ++j) std::copy_n(C + j * ldc, rows, buffer[j]);
#pragma GCC unroll 8
    for (int j = 0; j < W; ++j)
#pragma GCC unroll 3
      for (int v = 0; v < V; ++v) x[v][j] += load(buffer[j] + W * v);
  }

  [[gnu::always_inline]] void store_to(double* C, std::ptrdiff_t ldc, int rows, int columns) const {
    if (rows == W * V) {
#pragma GCC unroll 8
      for (int j = 0; j < W; ++j)
        if (j < columns)
#pragma GCC unroll 3
          for (int v = 0; v < V; ++v) store(C + j * ldc + W * v, x[v][j]);
      return;
    }
    alignas(64) double buffer[W][W * V];
#pragma GCC unroll 8
    for (int j = 0; j < W; ++j)
#pragma GCC unroll 3
      for (int v = 0; v < V; ++v) store(buffer[j] + W * v, x[v][j]);
    for (int j = 0; j < columns; ++j) std::copy_n(buffer[j], rows, C + j * ldc);
  }

  // x <- x T^{-T}, T the lower triangle of a strip's W rows from T on, with the inverses of its diagonal entries.
  [[gnu::always_inline]] void solve(const double* T, int columns) {
#pragma GCC unroll 8
    for (int k = 0; k < W; ++k) {
      if (k >= columns) break;
#pragma GCC unroll 3
      for (int v = 0; v < V; ++v) x[v][k] *= T[k * strip_rows + k];
#pragma GCC unroll 8
      for (int j = k + 1; j < W; ++j)
#pragma GCC unroll 3
        for (int v = 0; v < V; ++v) x[v][j] -= x[v][k] * T[k * strip_rows + j];
    }
  }

  // The first register of rows x0 and the others x1: x0 <- L with L L^T = x0, x1 <- x1 L^{-T}.
  [[gnu::always_inline]] bool factor(int columns, const double* floor, double* inverse) {
#pragma GCC unroll 8
    for (int k = 0; k < W; ++k) {
      if (k >= columns) break;
      const double pivot = x[0][k][k];
      if (!(pivot > floor[k]) || !std::isfinite(pivot)) return false;
      const double root = std::sqrt(pivot);
      inverse[k] = 1 / root;
#pragma GCC unroll 3
      for (int v = 0; v < V; ++v) x[v][k] *= inverse[k];
      x[0][k][k] = root;
#pragma GCC unroll 8
      for (int j = k + 1; j < W; ++j) {
        const double factor = x[0][k][j];
#pragma GCC unroll 3
        for (int v = 0; v < V; ++v) x[v][j] -= x[v][k] * factor;
      }
    }
    return true;
  }
};

// Calls f with the number of registers that `rows` rows of a strip take, as a constant.
template <class F>
decltype(auto) with_vectors(int rows, F&& f) {
  if (rows > 2 * W) return f(std::integral_constant<int, 3>());
  if (rows > W) return f(std::integral_constant<int, 2>());
  return f(std::integral_constant<int, 1>());
}

}  // namespace

PackedPanel::PackedPanel(double* L, int rows, int width, double* storage)
    : L_(L), rows_(rows), width_(width), pivot_strips_(strips_of(width)), storage_(storage) {}

int PackedPanel::first_strip_below(int K) const {
  return std::min(first_strip(K + 1), pivot_strips_);
}

int PackedPanel::height(int s) const {
  return std::min(strip_rows, (s < pivot_strips_ ? width_ : rows_) - row(s));
}

int PackedPanel::depth(int K) const {
  return std::min(block_columns, width_ - K * block_columns);
}

// Blocks one after another; block K begins with the strips of its diagonal block.
std::size_t PackedPanel::offset(int K, int s) const {
  constexpr std::size_t full = strip_rows * block_columns;
  const auto k = static_cast<std::size_t>(K), all = static_cast<std::size_t>(strips());
  const std::size_t before = k * all - (k * (k - 1) / 2) * (block_columns / strip_rows);  // strips of 0 ... K - 1
  return full * before + static_cast<std::size_t>(s - first_strip(K)) * static_cast<std::size_t>(strip_rows * depth(K));
}

double* PackedPanel::strip(int K, int s) const {
  return storage_ + offset(K, s);
}

std::size_t PackedPanel::size(int rows, int width) {
  if (width == 0) return 0;
  const PackedPanel panel(nullptr, rows, width, nullptr);
  return panel.offset(panel.blocks() - 1, panel.strips());
}

// C <- C - L_sJ L_KJ^T for the rows of strip s and the columns of block K, up to the diagonal.
template <int V>
void PackedPanel::update_strip(int K, int J, int s) {
  const double* A = strip(J, s);
  const int rows = height(s), begin = K * block_columns, end = begin + depth(K);
  const int columns = s < first_strip_below(K) ? std::min(end, row(s) + rows) - begin : end - begin;
  for (int j = 0; j < columns; j += W) {
    const int count = std::min(W, columns - j);
    double* C = entry(row(s), begin + j);
    Tile<V> tile;
    tile.clear();
    tile.subtract_product(A, strip(J, first_strip(K) + j / strip_rows) + j % strip_rows, block_columns);
    tile.add(C, rows_, rows, count);
    tile.store_to(C, rows_, rows, count);
  }
}

void PackedPanel::update(int K, int first, int last) {
  for (int J = 0; J < K; ++J)
    for (int s = first; s < last; ++s) with_vectors(height(s), [&](auto v) { update_strip<v()>(K, J, s); });
}

// The first `columns` columns of strip s in block K, W at a time: X_j <- (C_j - sum_{i < j} X_i L_ji^T) L_jj^{-T},
// which goes to the panel and to the strip.
template <int V>
void PackedPanel::solve_strip(int K, int s, int columns) {
  double* X = strip(K, s);
  const int rows = height(s);
  for (int j = 0; j < columns; j += W) {
    const int count = std::min(W, columns - j);
    const double* Lj = strip(K, first_strip(K) + j / strip_rows) + j % strip_rows;
    double* C = entry(row(s), K * block_columns + j);
    Tile<V> tile;
    tile.clear();
    tile.subtract_product(X, Lj, j);
    tile.add(C, rows_, rows, count);
    tile.solve(Lj + j * strip_rows, count);
    tile.store_to(C, rows_, rows, count);
    tile.store_to(X + j * strip_rows, strip_rows, W * V, count);
  }
}

// The columns of strip s in block K that are its rows of this group: the square on the diagonal is factored, the rows
// of the strip below it are solved.
template <int V>
bool PackedPanel::factor_group(int K, int s, int group, const double* floor) {
  const int k = (s - first_strip(K)) * strip_rows + group * W, j = K * block_columns + k;
  const int count = std::min(W, width_ - j), rows = height(s) - group * W;
  double* X = strip(K, s) + group * W;
  double inverse[W];
  Tile<V> tile;
  tile.clear();
  tile.subtract_product(X, X, k);
  tile.add(entry(j, j), rows_, rows, count);
  if (!tile.factor(count, floor + j, inverse)) return false;
  tile.store_to(entry(j, j), rows_, rows, count);
  tile.store_to(X + k * strip_rows, strip_rows, W * V, count);
  for (int c = 0; c < count; ++c) X[(k + c) * strip_rows + c] = inverse[c];
  return true;
}

bool PackedPanel::factor_diagonal(int K, const double* floor) {
  for (int s = first_strip(K); s < first_strip_below(K); ++s) {
    const int rows = height(s);
    with_vectors(rows, [&](auto v) { solve_strip<v()>(K, s, (s - first_strip(K)) * strip_rows); });
    for (int group = 0; group * W < rows; ++group)
      if (!with_vectors(rows - group * W, [&](auto v) { return factor_group<v()>(K, s, group, floor); })) return false;
  }
  return true;
}

void PackedPanel::solve(int K, int first, int last) {
  for (int s = first; s < last; ++s) with_vectors(height(s), [&](auto v) { solve_strip<v()>(K, s, depth(K)); });
}

// C <- C - L_sK L_tK^T for the rows of strip s and `columns` columns, the rows from strip t on. first: C <- -L_sK
// L_tK^T.
template <int V>
void PackedPanel::schur_strip(double* C, std::ptrdiff_t ldc, int K, int s, int t, int columns) const {
  const double* A = strip(K, s);
  const int k = depth(K);
  for (int j = 0; j < columns; j += W, C += W * ldc) {
    const int count = std::min(W, columns - j);
    Tile<V> tile;
    tile.clear();
    tile.subtract_product(A, strip(K, t + j / strip_rows) + j % strip_rows, k);
    if (K > 0) tile.add(C, ldc, W * V, count);
    tile.store_to(C, ldc, W * V, count);
  }
}

void PackedPanel::schur_complement(double* C, int ldc, int row, int rows, int column, int columns) const {
  for (int K = 0; K < blocks(); ++K) {
    for (int i = 0; i < rows; i += strip_rows) {
      const int s = pivot_strips_ + (row + i) / strip_rows, t = pivot_strips_ + column / strip_rows;
      const int count = row == column ? std::min(columns, i + strip_rows) : columns;
      with_vectors(std::min(strip_rows, rows - i), [&](auto v) { schur_strip<v()>(C + i, ldc, K, s, t, count); });
    }
  }
}

bool PackedPanel::factor(const double* floor) {
  for (int K = 0; K < blocks(); ++K) {
    update(K, first_strip(K), strips());
    if (!factor_diagonal(K, floor)) return false;
    solve(K, first_strip_below(K), strips());
  }
  return true;
}

}  // namespace sinew::kernel

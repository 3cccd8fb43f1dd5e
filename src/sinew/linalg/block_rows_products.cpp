#include "sinew/linalg/block_rows_products.h"

#include <algorithm>

namespace sinew {
namespace {

// c += a b of row-major blocks.
template <int R, int K, int C>
[[gnu::always_inline]] inline void add_block_product(const double* a, const double* b, double* c) {
  for (int r = 0; r < R; ++r)
    for (int k = 0; k < K; ++k) {
      const double factor = a[K * r + k];
      for (int j = 0; j < C; ++j) c[C * r + j] += factor * b[C * k + j];
    }
}

// f(row, columns of the product's row, ascending) for all rows; A and B: patterns.
template <class A, class B, class F>
void for_product_rows(const A& a, const B& b, F&& f) {
  parallel_chunks(static_cast<std::size_t>(a.rows), block_rows_a_chunk, [&](std::size_t first, std::size_t last) {
    std::vector<Index> seen(static_cast<std::size_t>(b.columns), -1), found;
    for (std::size_t i = first; i < last; ++i) {
      found.clear();
      for (auto s = a.begin[i]; s < a.begin[i + 1]; ++s) {
        const auto k = static_cast<std::size_t>(a.column[static_cast<std::size_t>(s)]);
        for (auto t = b.begin[k]; t < b.begin[k + 1]; ++t) {
          const Index j = b.column[static_cast<std::size_t>(t)];
          if (seen[static_cast<std::size_t>(j)] == static_cast<Index>(i)) continue;
          seen[static_cast<std::size_t>(j)] = static_cast<Index>(i);
          found.push_back(j);
        }
      }
      f(i, found);
    }
  });
}

}  // namespace

template <class T, int R, int C>
BlockRows<T, C, R> transposed(const BlockRows<T, R, C>& A) {
  BlockRows<T, C, R> result;
  result.rows = A.columns;
  result.columns = A.rows;
  result.begin.assign(static_cast<std::size_t>(A.columns) + 1, 0);
  for (const Index j : A.column) ++result.begin[static_cast<std::size_t>(j) + 1];
  for (std::size_t j = 0; j < static_cast<std::size_t>(A.columns); ++j) result.begin[j + 1] += result.begin[j];
  result.column.resize(A.column.size());
  std::vector<std::int64_t> source(A.column.size());
  std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (Index i = 0; i < A.rows; ++i)
    for (auto s = A.begin[static_cast<std::size_t>(i)]; s < A.begin[static_cast<std::size_t>(i) + 1]; ++s) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(A.column[static_cast<std::size_t>(s)])]++);
      result.column[to] = i;
      source[to] = s;
    }
  result.values.resize(A.values.size());
  parallel_for(source.size(), [&](std::size_t to) {
    const T* a = A.block(source[to]);
    T* b = result.block(static_cast<std::int64_t>(to));
    for (int r = 0; r < R; ++r)
      for (int c = 0; c < C; ++c) b[R * c + r] = a[C * r + c];
  });
  return result;
}

template <int R, int K, int C>
BlockRows<double, R, C> product(const BlockRows<double, R, K>& A, const BlockRows<double, K, C>& B) {
  BlockRows<double, R, C> result;
  result.rows = A.rows;
  result.columns = B.columns;
  result.begin.assign(static_cast<std::size_t>(A.rows) + 1, 0);
  for_product_rows(A, B, [&](std::size_t i, const std::vector<Index>& found) {
    result.begin[i + 1] = static_cast<std::int64_t>(found.size());
  });
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) result.begin[i + 1] += result.begin[i];
  result.column.resize(static_cast<std::size_t>(result.begin.back()));
  result.values.resize(static_cast<std::size_t>(R) * C * result.column.size());
  for_product_rows(A, B, [&](std::size_t i, std::vector<Index>& found) {
    std::ranges::sort(found);
    const auto first = static_cast<std::ptrdiff_t>(result.begin[i]);
    std::ranges::copy(found, result.column.begin() + first);
    const auto slot_of = [&](Index j) { return first + (std::ranges::lower_bound(found, j) - found.begin()); };
    std::fill_n(result.block(first), static_cast<std::size_t>(R) * C * found.size(), 0.0);
    for (auto s = A.begin[i]; s < A.begin[i + 1]; ++s) {
      const auto k = static_cast<std::size_t>(A.column[static_cast<std::size_t>(s)]);
      for (auto t = B.begin[k]; t < B.begin[k + 1]; ++t)
        add_block_product<R, K, C>(A.block(s), B.block(t),
                                   result.block(slot_of(B.column[static_cast<std::size_t>(t)])));
    }
  });
  return result;
}

template BlockRows<float, 6, 3> transposed(const BlockRows<float, 3, 6>&);
template BlockRows<float, 6, 6> transposed(const BlockRows<float, 6, 6>&);
template BlockRows<double, 6, 3> transposed(const BlockRows<double, 3, 6>&);
template BlockRows<double, 6, 6> transposed(const BlockRows<double, 6, 6>&);
template BlockRows<double, 3, 6> product(const BlockRows<double, 3, 3>&, const BlockRows<double, 3, 6>&);
template BlockRows<double, 6, 6> product(const BlockRows<double, 6, 3>&, const BlockRows<double, 3, 6>&);
template BlockRows<double, 6, 6> product(const BlockRows<double, 6, 6>&, const BlockRows<double, 6, 6>&);

}  // namespace sinew

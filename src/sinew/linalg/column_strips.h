// Vectors of eight columns, interleaved: entry (row, column) is at 8 row + column. Products with a sparse matrix then
// read each block once for eight columns.
#pragma once

#include <cstring>
#include <vector>

#include "sinew/linalg/buffer_pool.h"

namespace sinew {

inline constexpr int strip_width = 8;

template <class T>
struct StripOf;
template <>
struct StripOf<float> {
  using type = float __attribute__((vector_size(strip_width * sizeof(float))));
};
template <>
struct StripOf<double> {
  using type = double __attribute__((vector_size(strip_width * sizeof(double))));
};
// The eight entries of a row, one of each column.
template <class T>
using Strip = typename StripOf<T>::type;

template <class T>
using StripVector = std::vector<T, HugePageAllocator<T>>;

template <class T>
[[gnu::always_inline]] inline Strip<T> load_strip(const T* p) {
  Strip<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class T>
[[gnu::always_inline]] inline void store_strip(T* p, Strip<T> v) {
  std::memcpy(p, &v, sizeof v);
}

}  // namespace sinew

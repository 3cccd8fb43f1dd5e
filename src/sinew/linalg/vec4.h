// Four doubles in one register, for the 3x3 block kernels; the compiler maps them to the processor's registers.
#pragma once

#include <cstring>

namespace sinew {

using Vec4d = double __attribute__((vector_size(32)));

inline Vec4d load4(const double* p) {
  Vec4d v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline Vec4d load3(const double* p) {
  return Vec4d{p[0], p[1], p[2], 0.0};
}

inline void store3(double* p, Vec4d v) {
  std::memcpy(p, &v, 2 * sizeof(double));
  p[2] = v[2];
}

// Returns (sum of a, sum of b, sum of c, unspecified), where each sum is over all four entries.
inline Vec4d sums(Vec4d a, Vec4d b, Vec4d c) {
  const Vec4d ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Vec4d cc = __builtin_shufflevector(c, c, 0, 0, 2, 2) + __builtin_shufflevector(c, c, 1, 1, 3, 3);
  return __builtin_shufflevector(ab, cc, 0, 1, 4, 5) + __builtin_shufflevector(ab, cc, 2, 3, 6, 7);
}

}  // namespace sinew

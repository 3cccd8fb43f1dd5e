// Boxes in single precision that contain what they were made from in double precision: half the memory traffic, and
// eight of them tested at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "sinew/core/types.h"

namespace sinew {

// A float that is surely not above v, and one surely not below: one unit in the last place beyond the nearest float,
// and a tiny constant for subnormal numbers. What exceeds the range of floats ends at infinity on the safe side.
inline float float_below(double v) {
  constexpr double kMax = std::numeric_limits<float>::max();
  const float f = static_cast<float>(std::clamp(v, -kMax, kMax));
  return f - std::abs(f) * 0x1p-23f - std::numeric_limits<float>::min();
}
inline float float_above(double v) {
  return -float_below(-v);
}

struct FloatBox {
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  // Empty: overlaps nothing. The fourth entry makes a box two vector registers.
  alignas(16) float low[4] = {kInfinity, kInfinity, kInfinity, 0};
  alignas(16) float high[4] = {-kInfinity, -kInfinity, -kInfinity, 0};

  void add(const FloatBox& other) {
    for (int c = 0; c < 4; ++c) {
      low[c] = std::min(low[c], other.low[c]);
      high[c] = std::max(high[c], other.high[c]);
    }
  }
  bool overlaps(const FloatBox& other) const {
    bool all = true;
    for (int c = 0; c < 3; ++c) all &= low[c] <= other.high[c] && other.low[c] <= high[c];
    return all;
  }
  // What it covers while it is shifted from `first` to `last` [m], grown by `margin` [m].
  FloatBox shifted(const Vec3& first, const Vec3& last, double margin = 0) const {
    FloatBox box;
    for (int c = 0; c < 3; ++c) {
      box.low[c] = float_below(low[c] + std::min(first[c], last[c]) - margin);
      box.high[c] = float_above(high[c] + std::max(first[c], last[c]) + margin);
    }
    return box;
  }
};

// Eight boxes, coordinate by coordinate.
struct alignas(64) BoxBlock {
  static constexpr int kWidth = 8;

  float low[3][kWidth], high[3][kWidth];

  void set(int slot, const FloatBox& box) {
    for (int c = 0; c < 3; ++c) {
      low[c][slot] = box.low[c];
      high[c][slot] = box.high[c];
    }
  }
  FloatBox get(int slot) const {
    FloatBox box;
    for (int c = 0; c < 3; ++c) {
      box.low[c] = low[c][slot];
      box.high[c] = high[c][slot];
    }
    return box;
  }
  FloatBox bounds() const {
    FloatBox box;
    for (int c = 0; c < 3; ++c) {
      for (int slot = 0; slot < kWidth; ++slot) {
        box.low[c] = std::min(box.low[c], low[c][slot]);
        box.high[c] = std::max(box.high[c], high[c][slot]);
      }
    }
    return box;
  }
  // Bit i is set where box i overlaps `box`; boxes that only touch overlap.
  unsigned overlaps(const FloatBox& box) const {
#if defined(__AVX__)
    __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (int c = 0; c < 3; ++c) {
      const __m256 below = _mm256_cmp_ps(_mm256_load_ps(low[c]), _mm256_set1_ps(box.high[c]), _CMP_LE_OQ);
      const __m256 above = _mm256_cmp_ps(_mm256_load_ps(high[c]), _mm256_set1_ps(box.low[c]), _CMP_GE_OQ);
      all = _mm256_and_ps(all, _mm256_and_ps(below, above));
    }
    return static_cast<unsigned>(_mm256_movemask_ps(all));
#else
    unsigned mask = 0;
    for (int slot = 0; slot < kWidth; ++slot) {
      bool all = true;
      for (int c = 0; c < 3; ++c) all &= low[c][slot] <= box.high[c] && high[c][slot] >= box.low[c];
      mask |= static_cast<unsigned>(all) << slot;
    }
    return mask;
#endif
  }
};

}  // namespace sinew

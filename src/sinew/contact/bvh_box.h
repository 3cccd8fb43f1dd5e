// Boxes in single precision that contain boxes in double precision. They halve the memory traffic and are tested eight
// at once. Moving boxes come with boxes of their displacements, so only relative motion brings boxes together.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "sinew/core/types.h"

namespace sinew {

// Floats that are surely not above and not below v: one unit in the last place beyond the nearest float, and a tiny
// constant for subnormal numbers. Numbers beyond the range of floats become infinity on the safe side.
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

  // A new box is empty and overlaps nothing. The fourth entries fill up vector registers.
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
  // The box that covers this one as it is shifted from `first` to `last` [m], grown by `margin` [m].
  FloatBox shifted(const Vec3& first, const Vec3& last, double margin = 0) const {
    FloatBox box;
    for (int c = 0; c < 3; ++c) {
      box.low[c] = float_below(low[c] + std::min(first[c], last[c]) - margin);
      box.high[c] = float_above(high[c] + std::max(first[c], last[c]) + margin);
    }
    return box;
  }
};

// A box that moves over the times [from, to] of a motion that starts at 0: its position at time 0, and its displacement
// at time 1. It meets another box if two primitives inside them may lose all but a small share of their distance during
// the motion.
struct SweptBox {
  FloatBox rest, motion;
  float from = 0, to = 1;
  float share = 0;  // boxes are grown by this share of the relative motion's length (BroadPhase::set_motion)
  float least = 0;  // relative motion below which nothing meets [m]

  // Enlarges the box for the rounding of its numbers in meets(). `share` covers the rounding of the relative motion.
  void add_rounding() {
    for (int c = 0; c < 3; ++c) {
      const float slack = 0x1p-22f * std::max(std::abs(rest.low[c]), std::abs(rest.high[c]));
      rest.low[c] -= slack;
      rest.high[c] += slack;
    }
  }

  // Whether the box, moving relative to `other`, comes as near as margin = share x (length of the relative motion). It
  // does if the sum of the intervals
  //   [rest + min over t of t (motion - other_motion)] - margin .. [rest + max ...] + margin
  // overlaps `other` on every axis. Comparisons are written so that NaN counts as meeting. If one of two products is
  // NaN (0 times infinity), the other product is taken.
  bool meets(const FloatBox& other, const FloatBox& other_motion) const {
    float first[3], last[3], length2 = 0;  // ends and squared length of the relative motion
    for (int c = 0; c < 3; ++c) {
      first[c] = motion.low[c] - other_motion.high[c];
      last[c] = motion.high[c] - other_motion.low[c];
      const float most = std::max(std::abs(first[c]), std::abs(last[c]));
      length2 += most * most;
    }
    const float length = to * std::sqrt(length2), margin = share * length;
    bool all = !(length < least);
    for (int c = 0; c < 3; ++c) {
      const float lowest = from * first[c] < to * first[c] ? from * first[c] : to * first[c];
      const float highest = from * last[c] > to * last[c] ? from * last[c] : to * last[c];
      all &= !(rest.low[c] + lowest - margin > other.high[c]) && !(rest.high[c] + highest + margin < other.low[c]);
    }
    return all;
  }
};

// Eight boxes, stored coordinate by coordinate.
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
  // Sets bit i if box i overlaps `box`; boxes that only touch overlap.
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

  // Sets bit i if `moving` meets box i, whose displacements are box i of `motion`: SweptBox::meets() for eight boxes.
  unsigned meets(const BoxBlock& motion, const SweptBox& moving) const {
#if defined(__AVX__)
    const __m256 from = _mm256_set1_ps(moving.from), to = _mm256_set1_ps(moving.to);
    const __m256 positive = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 first[3], last[3], length2 = _mm256_setzero_ps();
    for (int c = 0; c < 3; ++c) {
      first[c] = _mm256_sub_ps(_mm256_set1_ps(moving.motion.low[c]), _mm256_load_ps(motion.high[c]));
      last[c] = _mm256_sub_ps(_mm256_set1_ps(moving.motion.high[c]), _mm256_load_ps(motion.low[c]));
      const __m256 most = _mm256_max_ps(_mm256_and_ps(first[c], positive), _mm256_and_ps(last[c], positive));
      length2 = _mm256_add_ps(length2, _mm256_mul_ps(most, most));
    }
    const __m256 length = _mm256_mul_ps(to, _mm256_sqrt_ps(length2));
    const __m256 margin = _mm256_mul_ps(_mm256_set1_ps(moving.share), length);
    __m256 all = _mm256_cmp_ps(length, _mm256_set1_ps(moving.least), _CMP_NLT_UQ);
    for (int c = 0; c < 3; ++c) {
      const __m256 lowest = _mm256_min_ps(_mm256_mul_ps(from, first[c]), _mm256_mul_ps(to, first[c]));
      const __m256 highest = _mm256_max_ps(_mm256_mul_ps(from, last[c]), _mm256_mul_ps(to, last[c]));
      const __m256 low_end = _mm256_sub_ps(_mm256_add_ps(_mm256_set1_ps(moving.rest.low[c]), lowest), margin);
      const __m256 high_end = _mm256_add_ps(_mm256_add_ps(_mm256_set1_ps(moving.rest.high[c]), highest), margin);
      const __m256 below = _mm256_cmp_ps(low_end, _mm256_load_ps(high[c]), _CMP_NGT_UQ);
      const __m256 above = _mm256_cmp_ps(high_end, _mm256_load_ps(low[c]), _CMP_NLT_UQ);
      all = _mm256_and_ps(all, _mm256_and_ps(below, above));
    }
    return static_cast<unsigned>(_mm256_movemask_ps(all));
#else
    unsigned mask = 0;
    for (int slot = 0; slot < kWidth; ++slot)
      mask |= static_cast<unsigned>(moving.meets(get(slot), motion.get(slot))) << slot;
    return mask;
#endif
  }
};

}  // namespace sinew

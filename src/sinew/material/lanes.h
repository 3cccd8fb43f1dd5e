// SIMD lanes of the element kernels: one tet (or matrix) in each lane, as wide as the processor's vectors. No kernel
// branches within a lane, so the result of an element does not depend on its lane or on its neighbours.
#pragma once

#include <cstdint>

#include <experimental/simd>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace sinew {

using Lanes = std::experimental::native_simd<double>;
using LaneMask = Lanes::mask_type;

inline constexpr int lane_count = static_cast<int>(Lanes::size());

[[gnu::always_inline]] inline Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
#if defined(__clang__) && defined(__AVX512F__)
  // The library's where() would select all lanes or none here ("FIXME" in bits/simd_x86.h).
  return Lanes(_mm512_mask_blend_pd(static_cast<__mmask8>(mask.__to_bitset().to_ulong()), static_cast<__m512d>(no),
                                    static_cast<__m512d>(yes)));
#else
  Lanes result = no;
  std::experimental::where(mask, result) = yes;
  return result;
#endif
}

[[gnu::always_inline]] inline bool any(const LaneMask& mask) {
  return std::experimental::any_of(mask);
}

[[gnu::always_inline]] inline Lanes load_lanes(const double* p) {
  return Lanes(p, std::experimental::element_aligned);
}
inline void store_lanes(const Lanes& a, double* p) {
  a.copy_to(p, std::experimental::element_aligned);
}

[[gnu::always_inline]] inline Lanes maximum(const Lanes& a, const Lanes& b) {
  return std::experimental::max(a, b);
}
[[gnu::always_inline]] inline Lanes absolute(const Lanes& a) {
  return std::experimental::abs(a);
}
[[gnu::always_inline]] inline Lanes square_root(const Lanes& a) {
  return std::experimental::sqrt(a);
}

#ifdef __AVX512F__
// 1/sqrt(x) to 14 bits, x > 0.
[[gnu::always_inline]] inline Lanes rsqrt_estimate(const Lanes& x) {
  return Lanes(_mm512_maskz_rsqrt14_pd(0xff, static_cast<__m512d>(x)));
}

// 1/sqrt(x) within two units in the last place, x > 0 (a zero or negative x gives inf or nan, never a trap). Makes one
// step of fourth order from the 14-bit estimate, which is far cheaper than the hardware's square root and division.
[[gnu::always_inline]] inline Lanes rsqrt(const Lanes& x) {
  const Lanes y = rsqrt_estimate(x);
  const Lanes e = 1.0 - (x * y) * y;
  return y + y * (e * (0.5 + e * (0.375 + e * 0.3125)));
}

// 1/sqrt(x) to 26 bits or better, x > 0.
[[gnu::always_inline]] inline Lanes rsqrt_coarse(const Lanes& x) {
  const Lanes y = rsqrt_estimate(x);
  return y + y * (0.5 - (0.5 * x * y) * y);
}
#else
[[gnu::always_inline]] inline Lanes rsqrt(const Lanes& x) {
  return 1.0 / square_root(x);
}
[[gnu::always_inline]] inline Lanes rsqrt_estimate(const Lanes& x) {
  return 1.0 / square_root(x);
}
[[gnu::always_inline]] inline Lanes rsqrt_coarse(const Lanes& x) {
  return 1.0 / square_root(x);
}
#endif

// a with the sign of b.
[[gnu::always_inline]] inline Lanes with_sign(const Lanes& a, const Lanes& b) {
  return std::experimental::copysign(a, b);
}

// Returns base[index[l]] in lane l.
[[gnu::always_inline]] inline Lanes gather(const double* base, const std::int32_t* index) {
#ifdef __AVX512F__
  if constexpr (lane_count == 8) {
    const __m256i i = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index));
    return Lanes(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xff, i, base, 8));
  }
#endif
  return Lanes([&](auto lane) { return base[index[lane]]; });
}

// Two groups of lanes side by side. Their independent operations hide each other's latency in long dependent chains,
// such as the Jacobi rotations.
struct LanePair {
  Lanes a, b;
  LanePair() = default;
  LanePair(double value) : a(value), b(value) {}
  LanePair(const Lanes& first, const Lanes& second) : a(first), b(second) {}
};

struct LanePairMask {
  LaneMask a, b;
};

[[gnu::always_inline]] inline LanePair operator+(const LanePair& x, const LanePair& y) {
  return {x.a + y.a, x.b + y.b};
}
[[gnu::always_inline]] inline LanePair operator-(const LanePair& x, const LanePair& y) {
  return {x.a - y.a, x.b - y.b};
}
[[gnu::always_inline]] inline LanePair operator*(const LanePair& x, const LanePair& y) {
  return {x.a * y.a, x.b * y.b};
}
[[gnu::always_inline]] inline LanePair operator/(const LanePair& x, const LanePair& y) {
  return {x.a / y.a, x.b / y.b};
}
[[gnu::always_inline]] inline LanePair operator-(const LanePair& x) {
  return {-x.a, -x.b};
}
[[gnu::always_inline]] inline LanePairMask operator<=(const LanePair& x, const LanePair& y) {
  return {x.a <= y.a, x.b <= y.b};
}
[[gnu::always_inline]] inline LanePairMask operator>=(const LanePair& x, const LanePair& y) {
  return {x.a >= y.a, x.b >= y.b};
}
[[gnu::always_inline]] inline LanePairMask operator>(const LanePair& x, const LanePair& y) {
  return {x.a > y.a, x.b > y.b};
}
[[gnu::always_inline]] inline LanePairMask operator<(const LanePair& x, const LanePair& y) {
  return {x.a < y.a, x.b < y.b};
}
[[gnu::always_inline]] inline LanePairMask operator&&(const LanePairMask& x, const LanePairMask& y) {
  return {x.a && y.a, x.b && y.b};
}
[[gnu::always_inline]] inline LanePairMask operator||(const LanePairMask& x, const LanePairMask& y) {
  return {x.a || y.a, x.b || y.b};
}
[[gnu::always_inline]] inline LanePairMask operator!(const LanePairMask& x) {
  return {!x.a, !x.b};
}
[[gnu::always_inline]] inline LanePair select(const LanePairMask& m, const LanePair& x, const LanePair& y) {
  return {select(m.a, x.a, y.a), select(m.b, x.b, y.b)};
}
[[gnu::always_inline]] inline bool any(const LanePairMask& m) {
  return any(m.a || m.b);
}
[[gnu::always_inline]] inline LanePair maximum(const LanePair& x, const LanePair& y) {
  return {maximum(x.a, y.a), maximum(x.b, y.b)};
}
[[gnu::always_inline]] inline LanePair absolute(const LanePair& x) {
  return {absolute(x.a), absolute(x.b)};
}
[[gnu::always_inline]] inline LanePair rsqrt(const LanePair& x) {
  return {rsqrt(x.a), rsqrt(x.b)};
}
[[gnu::always_inline]] inline LanePair rsqrt_coarse(const LanePair& x) {
  return {rsqrt_coarse(x.a), rsqrt_coarse(x.b)};
}
[[gnu::always_inline]] inline LanePair rsqrt_estimate(const LanePair& x) {
  return {rsqrt_estimate(x.a), rsqrt_estimate(x.b)};
}
[[gnu::always_inline]] inline LanePair with_sign(const LanePair& x, const LanePair& y) {
  return {with_sign(x.a, y.a), with_sign(x.b, y.b)};
}

}  // namespace sinew

// Elementary functions over lanes.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "sinew/material/lanes.h"

namespace sinew {

// ln(1 + y) for y > -1, with a relative error of about two units in the last place also for tiny y. For y < -1 the
// result is unspecified.
//
// With 1 + y = 2^k m, sqrt(1/2) <= m < sqrt(2), and f = m - 1, the series of atanh gives
//
//   ln m = 2 atanh(f / (2 + f)),   |f / (2 + f)| < 0.172.
//
// For k = 0, f is y itself, so that no accuracy is lost.
inline Lanes log1p(const Lanes& y) {
  // Uses the compilers' own vectors, because clang shifts those of <experimental/simd> by a wrong number.
  using Doubles = double __attribute__((vector_size(sizeof(Lanes))));
  using Bits = std::int64_t __attribute__((vector_size(sizeof(Lanes))));
  constexpr std::int64_t sqrt_half = 0x3fe6a09e667f3bcd;  // bits of the double nearest sqrt(1/2)
  const Lanes x = 1.0 + y;
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits exponent = (bits - sqrt_half) >> 52;
  const Lanes m = std::bit_cast<Lanes>(bits - (exponent << 52));
  const Lanes k = std::bit_cast<Lanes>(__builtin_convertvector(exponent, Doubles));
  const Lanes f = select(k == 0.0, y, m - 1.0);
  const Lanes s = f / (2.0 + f), z = s * s;
  Lanes p = z * (1.0 / 19) + 1.0 / 17;
  p = z * p + 1.0 / 15;
  p = z * p + 1.0 / 13;
  p = z * p + 1.0 / 11;
  p = z * p + 1.0 / 9;
  p = z * p + 1.0 / 7;
  p = z * p + 1.0 / 5;
  p = z * p + 1.0 / 3;
  const Lanes log_m = 2.0 * s + 2.0 * s * (z * p);
  // ln 2 in two parts. The first has 21 trailing zero bits, so that its product with k is exact.
  constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  return k * ln2_high + (k * ln2_low + log_m);
}

// exp(x) - 1, with a relative error of a few units in the last place also for tiny x; +inf above 709.
//
// With x = k ln 2 + r, |r| <= ln(2)/2, and the Taylor series of e = exp(r) - 1,
//
//   exp(x) - 1 = 2^k e + (2^k - 1).
//
// For k = 0, r is x itself, so that no accuracy is lost.
inline Lanes expm1(const Lanes& x) {
  using Doubles = double __attribute__((vector_size(sizeof(Lanes))));
  using Bits = std::int64_t __attribute__((vector_size(sizeof(Lanes))));
  constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  constexpr double most = 709, least = -700;  // exp is finite and normal between these
  const Lanes y = select(x > most, Lanes(most), select(x < least, Lanes(least), x));
  // Adding 1.5 2^52 rounds to an integer, whose bits are then the last ones.
  constexpr double shift = 0x1.8p52;
  const Lanes shifted = y * 0x1.71547652b82fep0 + shift;  // 1 / ln 2
  const Lanes k = shifted - shift;
  const Lanes r = (y - k * ln2_high) - k * ln2_low;
  Lanes p = r * (1.0 / 87178291200) + 1.0 / 6227020800;
  p = r * p + 1.0 / 479001600;
  p = r * p + 1.0 / 39916800;
  p = r * p + 1.0 / 3628800;
  p = r * p + 1.0 / 362880;
  p = r * p + 1.0 / 40320;
  p = r * p + 1.0 / 5040;
  p = r * p + 1.0 / 720;
  p = r * p + 1.0 / 120;
  p = r * p + 1.0 / 24;
  p = r * p + 1.0 / 6;
  p = r * p + 0.5;
  const Lanes e = r + r * r * p;
  // 2^k = 2 2^(k-1), which is finite for k = 1024.
  const Doubles whole = std::bit_cast<Doubles>(k - 1.0);
  const Bits exponent = __builtin_convertvector(whole, Bits);
  const Lanes half = std::bit_cast<Lanes>((exponent + 1023) << 52);
  const Lanes result = 2.0 * (half * e + (half - 0.5));
  return select(x > most, Lanes(std::numeric_limits<double>::infinity()), result);
}

inline Lanes infinity_lanes() {
  return Lanes(std::numeric_limits<double>::infinity());
}

}  // namespace sinew

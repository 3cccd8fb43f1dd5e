#include "sinew/contact/barrier.h"

#include <cmath>
#include <limits>

namespace sinew {
namespace {

// ln(d2 / dhat2) without cancellation near d2 = dhat2.
double log_ratio(double d2, double dhat2) {
  return d2 > 0.5 * dhat2 ? std::log1p((d2 - dhat2) / dhat2) : std::log(d2 / dhat2);
}

}  // namespace

// Li et al. 2020, eq. 6, on squared distances: b = -t^2 ln(d2 / dhat2), t = d2 - dhat2.
double barrier(double d2, double dhat2) {
  if (d2 >= dhat2) return 0;
  const double t = d2 - dhat2;
  return -t * t * log_ratio(d2, dhat2);
}

double barrier_first(double d2, double dhat2) {
  return barrier_derivatives(d2, dhat2).first;
}

// With q = t / d2 and l = ln(d2 / dhat2):
//   b' = -t (2 l + q),  b'' = -2 l - q (4 - q),
// the latter from d(t q)/d(d2) = 2 q - q^2 and dl/d(d2) = 1 / d2.
BarrierDerivatives barrier_derivatives(double d2, double dhat2) {
  if (d2 >= dhat2) return {0, 0, 0};
  const double t = d2 - dhat2, log = log_ratio(d2, dhat2), q = t / d2;
  return {-t * t * log, -t * (2 * log + q), -2 * log - q * (4 - q)};
}

}  // namespace sinew

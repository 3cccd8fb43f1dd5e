// A C1 curve y(x) through control points, its slope, its integral and its divided differences, over lanes.
//
// Between the points y is a cubic in Hermite form. Its slopes keep it monotone wherever the points are: the weighted
// harmonic mean of Fritsch and Butland (1984, A method for constructing local monotone piecewise cubic interpolants).
// Beyond the ends it is linear with the slope there.
//
// Arguments count from x = 1, the stretch at rest. With u = x - 1 the kernels hold
//
//   Y(u) = int_0^u (y - y(1)),   Y'(u) = y - y(1),   Y''(u) = y',
//
// so that Y and Y' vanish exactly at rest and keep their digits near it. The piece that holds x = 1 is split there.
// Each piece is a polynomial in t = u - u_b, where u_b is its end nearer to rest:
//
//   Y' = d + t (m + t (q + t r)).
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/material/lanes.h"
#include "sinew/material/model.h"

namespace sinew {

class Curve {
 public:
  // Pieces that hold the lanes of an argument, and their coefficients.
  struct Place {
    Lanes u, t;
    Lanes d, m, q, r;
    alignas(64) std::int32_t piece[lane_count];
  };

  Curve() = default;  // y = 0
  // At least two points with finite values, x ascending and reaching to 1 from both sides, or a point there.
  explicit Curve(const ControlPoints& points);

  bool empty() const { return breaks_.empty(); }
  double at_rest() const { return rest_; }         // y(1)
  double slope_at_rest() const { return slope_; }  // y'(1)

  // O(log(points)); no allocation.
  Place locate(const Lanes& u) const;

  Lanes energy(const Place& p) const;                                                           // Y
  static Lanes force(const Place& p) { return p.d + p.t * (p.m + p.t * (p.q + p.t * p.r)); }    // Y'
  static Lanes stiffness(const Place& p) { return p.m + p.t * (2.0 * p.q + 3.0 * p.t * p.r); }  // Y''
  // (Y'(p) - Y'(v)) / (p - v), divided out: Y'' where p = v.
  Lanes divided_difference(const Place& p, const Place& v) const;

 private:
  double difference_across(double low, std::int32_t first, double high, std::int32_t last) const;

  double rest_ = 0, slope_ = 0;
  // Piece i holds breaks_[i - 1] <= u < breaks_[i]; the first and the last are the linear extensions.
  std::vector<double> breaks_;
  std::vector<double> search_;  // the breaks and NaN up to a power of two less one
  std::vector<double> base_, integral_, d_, m_, q_, r_;
};

}  // namespace sinew

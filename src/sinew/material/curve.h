// A C1 curve y(x) through control points, its slope, its integral and its divided differences, over lanes.
//
// Between the points y is a cubic in Hermite form with slopes that keep it monotone wherever the points are (Fritsch
// and Butland 1984, A method for constructing local monotone piecewise cubic interpolants, their weighted harmonic
// mean); beyond the ends it is linear with the slope there.
//
// Everything is about x = 1, the stretch at rest: with u = x - 1 as the argument the kernels hold
//   Y(u) = int_0^u (y - y(1)),   Y'(u) = y - y(1),   Y''(u) = y',
// so that Y and Y' vanish exactly at rest and keep their digits near it. The piece that holds x = 1 is split there;
// each piece is a polynomial in t = u - u_b about its end u_b that is nearer to rest,
//   Y' = d + t (m + t (q + t r)).
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/material/lanes.h"
#include "sinew/material/model.h"

namespace sinew {

class Curve {
 public:
  // Where the lanes of an argument lie: their pieces and the coefficients of these.
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

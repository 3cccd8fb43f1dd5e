// A C1 curve y(x) through control points, with its slope, its integral and its divided differences, over lanes.
//
// Between the points, y is a cubic in Hermite form. Its slopes, the weighted harmonic mean of Fritsch and Butland
// (1984, A method for constructing local monotone piecewise cubic interpolants), keep it monotone wherever the points
// are. Beyond the ends, y is linear with the slope at the end.
//
// Arguments are measured from x = 1, the stretch at rest. With u = x - 1 the kernels compute
//
//   Y(u) = int_0^u (y - y(1)),   Y'(u) = y - y(1),   Y''(u) = y',
//
// so that Y and Y' vanish exactly at rest and lose no accuracy near it. The piece that contains x = 1 is split there.
// Each piece is a polynomial in t = u - u_b, where u_b is the end of the piece that is nearer to rest:
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
  // For each lane of an argument: its piece, and the coefficients of this piece.
  struct Place {
    Lanes u, t;
    Lanes d, m, q, r;
    alignas(64) std::int32_t piece[lane_count];
  };

  Curve() = default;  // y = 0
  // Needs at least two points with finite values and ascending x. Some x must be <= 1 and some >= 1.
  explicit Curve(const ControlPoints& points);

  bool empty() const { return breaks_.empty(); }
  double at_rest() const { return rest_; }         // y(1)
  double slope_at_rest() const { return slope_; }  // y'(1)

  // Finds the pieces of an argument. O(log(points)); no allocation.
  Place locate(const Lanes& u) const;

  Lanes energy(const Place& p) const;                                                           // Y
  static Lanes force(const Place& p) { return p.d + p.t * (p.m + p.t * (p.q + p.t * p.r)); }    // Y'
  static Lanes stiffness(const Place& p) { return p.m + p.t * (2.0 * p.q + 3.0 * p.t * p.r); }  // Y''
  // (Y'(p) - Y'(v)) / (p - v) without a division: Y'' if p = v.
  Lanes divided_difference(const Place& p, const Place& v) const;

 private:
  double difference_across(double low, std::int32_t first, double high, std::int32_t last) const;

  double rest_ = 0, slope_ = 0;
  // Piece i has breaks_[i - 1] <= u < breaks_[i]. The first and the last piece are the linear extensions.
  std::vector<double> breaks_;
  std::vector<double> search_;  // the breaks, padded with NaN to a power of two minus one
  std::vector<double> base_, integral_, d_, m_, q_, r_;
};

}  // namespace sinew

#include "sinew/material/curve.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sinew {

namespace {

// The curve is built in extended precision, so that its coefficients are right to the last digit of a double.
using Real = long double;

// A cubic about x: y = d + t (m + t (q + t r)) with t the argument less x.
struct Cubic {
  Real x, d, m, q, r;

  Real value(Real t) const { return d + t * (m + t * (q + t * r)); }
  Real integral(Real t) const { return t * (d + t * (m / 2 + t * (q / 3 + t * r / 4))); }
  // The same polynomial about another place.
  Cubic about(Real place) const {
    const Real t = place - x;
    return {place, value(t), m + t * (2 * q + 3 * t * r), q + 3 * t * r, r};
  }
};

// Slopes at the points (Fritsch and Butland 1984) from the secants d_i over the intervals h_i. At an inner point they
// are zero where d_(i-1) and d_i differ in sign, and otherwise the weighted harmonic mean
//   3 (h_(i-1) + h_i) / ((h_(i-1) + 2 h_i) / d_(i-1) + (2 h_(i-1) + h_i) / d_i);
// at the ends the slope of the parabola through three points, limited to keep the curve monotone.
std::vector<Real> monotone_slopes(const ControlPoints& points) {
  const std::size_t n = points.x.size();
  std::vector<Real> h(n - 1), secant(n - 1), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = Real(points.x[i + 1]) - points.x[i];
    secant[i] = (Real(points.dy[i + 1]) - points.dy[i]) / h[i];
  }
  const auto same_sign = [](Real a, Real b) { return (a > 0 && b > 0) || (a < 0 && b < 0); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Real before = secant[i - 1], after = secant[i];
    const Real wide = h[i - 1] + 2 * h[i], narrow = 2 * h[i - 1] + h[i];
    slope[i] = same_sign(before, after) ? (wide + narrow) / (wide / before + narrow / after) : Real(0);
  }
  const auto at_end = [&](std::size_t first, std::size_t second) {
    const Real near = secant[first], far = secant[second];
    const Real value = ((2 * h[first] + h[second]) * near - h[first] * far) / (h[first] + h[second]);
    if (!same_sign(value, near)) return Real(0);
    return !same_sign(near, far) && std::abs(value) > 3 * std::abs(near) ? 3 * near : value;
  };
  slope[0] = n == 2 ? secant[0] : at_end(0, 1);
  slope[n - 1] = n == 2 ? secant[0] : at_end(n - 2, n - 3);
  return slope;
}

}  // namespace

// Turns control points into cubics by piece, in four stages, so that the kernels need no case for outer pieces or the
// rest.
Curve::Curve(const ControlPoints& points) {
  // Stage 1: the cubics between the points in Hermite form, each about its first point, and the knots: the points and x
  // = 1.
  const std::size_t n = points.x.size();
  const std::vector<Real> slope = monotone_slopes(points);
  std::vector<Cubic> cubics;
  std::vector<Real> knots;
  std::size_t rest = 0;  // the number of x = 1 among the knots
  const auto add_knot = [&](Real x) {
    if (x == 1) rest = knots.size();
    knots.push_back(x);
  };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Real x = points.x[i], h = points.x[i + 1] - x, secant = (Real(points.dy[i + 1]) - points.dy[i]) / h;
    const Cubic cubic{x, points.dy[i], slope[i], (3 * secant - 2 * slope[i] - slope[i + 1]) / h,
                      (slope[i] + slope[i + 1] - 2 * secant) / (h * h)};
    add_knot(x);
    cubics.push_back(cubic);
    if (x < 1 && points.x[i + 1] > 1) {
      add_knot(1);
      cubics.push_back(cubic);
    }
  }
  add_knot(points.x[n - 1]);

  // Stage 2: the pieces. Piece p lies between knots p - 1 and p. Pieces left of rest are expanded about their right
  // ends, the others about their left ends; the first and the last are the linear extensions.
  const std::size_t last = knots.size() - 1;
  std::vector<Cubic> pieces;
  for (std::size_t p = 0; p <= last + 1; ++p)
    pieces.push_back(cubics[std::clamp<std::size_t>(p, 1, last) - 1].about(knots[p <= rest ? p : p - 1]));
  const Cubic at_rest = pieces[rest];
  pieces.front().q = pieces.front().r = 0;
  pieces.back().q = pieces.back().r = 0;

  rest_ = static_cast<double>(at_rest.d);
  slope_ = static_cast<double>(at_rest.m);
  for (Cubic& piece : pieces) piece.d -= at_rest.d;
  pieces[rest].d = pieces[rest + 1].d = 0;

  // Stage 3: Y at the base of each piece, by integrals from rest outwards.
  std::vector<Real> integral(pieces.size(), 0);
  for (std::size_t i = rest; i > 0; --i) integral[i - 1] = integral[i] + pieces[i].integral(knots[i - 1] - knots[i]);
  for (std::size_t i = rest + 1; i <= last; ++i)
    integral[i + 1] = integral[i] + pieces[i].integral(knots[i] - knots[i - 1]);

  // Stage 4: tables in double precision. The search table has a size of 2^k - 1; comparisons with its NaN are false.
  for (const Real x : knots) breaks_.push_back(static_cast<double>(x - 1));
  search_ = breaks_;
  search_.resize(std::bit_ceil(breaks_.size() + 1) - 1, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    base_.push_back(static_cast<double>(pieces[i].x - 1));
    integral_.push_back(static_cast<double>(integral[i]));
    d_.push_back(static_cast<double>(pieces[i].d));
    m_.push_back(static_cast<double>(pieces[i].m));
    q_.push_back(static_cast<double>(pieces[i].q));
    r_.push_back(static_cast<double>(pieces[i].r));
  }
}

// The piece of each lane and the coefficients of its cubic d + m t + q t^2 + r t^3, t = u - base.
Curve::Place Curve::locate(const Lanes& u) const {
  Place p;
  alignas(64) double argument[lane_count];
  store_lanes(u, argument);
  // Binary search for the number of breaks at or below u, all lanes in step.
  for (std::int32_t& piece : p.piece) piece = 0;
  for (auto step = static_cast<std::int32_t>(search_.size() + 1) / 2; step > 0; step /= 2)
    for (int l = 0; l < lane_count; ++l) p.piece[l] += search_[p.piece[l] + step - 1] <= argument[l] ? step : 0;
  p.u = u;
  p.t = u - gather(base_.data(), p.piece);
  p.d = gather(d_.data(), p.piece);
  p.m = gather(m_.data(), p.piece);
  p.q = gather(q_.data(), p.piece);
  p.r = gather(r_.data(), p.piece);
  return p;
}

// Y at the base of the piece plus the integral of its cubic.
Lanes Curve::energy(const Place& p) const {
  const Lanes start = gather(integral_.data(), p.piece);
  return start + p.t * (p.d + p.t * (0.5 * p.m + p.t * ((1.0 / 3) * p.q + 0.25 * p.t * p.r)));
}

// The divided difference over [low, high], which spans the pieces first .. last, as the mean of those over its parts in
// each piece, weighted by their lengths. No two close values are subtracted.
double Curve::difference_across(double low, std::int32_t first, double high, std::int32_t last) const {
  double sum = 0, from = low;
  for (std::int32_t i = first; i <= last; ++i) {
    const double to = i == last ? high : breaks_[i];
    const double s = from - base_[i], t = to - base_[i];
    sum += (to - from) * (m_[i] + q_[i] * (s + t) + r_[i] * (s * s + (s * t + t * t)));
    from = to;
  }
  return sum / (high - low);
}

// (y(u_p) - y(u_v)) / (u_p - u_v), without cancellation where both are near.
Lanes Curve::divided_difference(const Place& p, const Place& v) const {
  // Within one piece (t^k - v^k) / (t - v) is divided out for each power: 1, t + v, t^2 + t v + v^2.
  Lanes result = p.m + p.q * (p.t + v.t) + p.r * (p.t * p.t + (p.t * v.t + v.t * v.t));
  for (int l = 0; l < lane_count; ++l) {
    if (p.piece[l] == v.piece[l]) continue;
    result[l] = p.piece[l] < v.piece[l] ? difference_across(p.u[l], p.piece[l], v.u[l], v.piece[l])
                                        : difference_across(v.u[l], v.piece[l], p.u[l], p.piece[l]);
  }
  return result;
}

}  // namespace sinew

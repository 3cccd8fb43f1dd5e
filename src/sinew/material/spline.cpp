#include "sinew/material/spline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {

namespace {

constexpr std::array<const char*, 3> spline_curves{"a", "b", "c"};
constexpr std::array<double, 3> rest_factors{1, 2, 1};  // of a'(1), b'(1), c'(1) in the stress at rest
// Stress or stiffness at rest below this share of the curves' largest values is rounding.
constexpr double rest_rounding = 1e-12;

template <class... Args>
[[noreturn]] void fail_spline(fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(code::material_value,
                   "material model 'spline': " + fmt::format(format, std::forward<Args>(args)...));
}

void check_curve_names(const UserCurves& curves) {
  const std::vector<std::string> known(spline_curves.begin(), spline_curves.end());
  for (const auto& [name, points] : curves.points) {
    if (std::ranges::find(known, name) == known.end())
      fail_spline("unknown curve '{}'; it takes curves a, b and c", name);
  }
  if (!curves.points.contains("a")) fail_spline("missing curve a; give its points as a.x and a.dy");
}

void check_points(const std::string& name, const ControlPoints& points) {
  const std::vector<double>&x = points.x, &dy = points.dy;
  if (x.size() != dy.size())
    fail_spline("{0}.x has {1} values and {0}.dy has {2}, but each point needs one of both", name, x.size(), dy.size());
  if (x.size() < 2) fail_spline("{}.x has {} values, but a curve needs at least 2 points", name, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::isfinite(x[i]) && x[i] > 0))
      fail_spline("{}.x[{}] is {}, but a stretch must be a finite number greater than 0", name, i, x[i]);
    if (i > 0 && !(x[i] > x[i - 1]))
      fail_spline("{0}.x[{1}] is {2} after {3}, but the stretches must ascend; sort the points by {0}.x", name, i, x[i],
                  x[i - 1]);
    if (!std::isfinite(dy[i])) fail_spline("{}.dy[{}] is {}, but it must be a finite number", name, i, dy[i]);
  }
  if (x.front() > 1)
    fail_spline("{0}.x[0] is {1}, but the points must reach stretch 1, the rest state; add one at or below 1", name,
                x.front());
  if (x.back() < 1)
    fail_spline("{0}.x[{1}] is {2}, but the points must reach stretch 1, the rest state; add one at or above 1", name,
                x.size() - 1, x.back());
}

double largest_value(const ControlPoints& points) {
  double largest = 0;
  for (const double dy : points.dy) largest = std::max(largest, std::abs(dy));
  return largest;
}

// The points with a'(1) + 2 b'(1) + c'(1) = 0: checked, or mended by a shift of c', or of a' where there is no c.
std::map<std::string, ControlPoints> balanced(const UserCurves& curves) {
  auto points = curves.points;
  double stress = 0, size = 0;
  for (std::size_t k = 0; k < spline_curves.size(); ++k) {
    const auto found = points.find(spline_curves[k]);
    if (found == points.end()) continue;
    stress += rest_factors[k] * Curve(found->second).at_rest();
    size += rest_factors[k] * largest_value(found->second);
  }
  if (std::abs(stress) <= rest_rounding * size) return points;
  const std::string shifted = points.contains("c") ? "c" : "a";
  if (!curves.mend_rest)
    fail_spline(
        "a'(1) + 2 b'(1) + c'(1) is {:.6g} Pa, but it must be 0, or the rest state is under stress; shift all of "
        "{}.dy by {:.6g}, as \"rest\": \"mend\" does",
        stress, shifted, -stress);
  for (double& dy : points[shifted].dy) dy -= stress;
  return points;
}

}  // namespace

// Checks the curves, balances them so that the rest state is without stress, and builds a'(s), b'(s s), c'(J).
Spline::Spline(const UserCurves& curves) {
  check_curve_names(curves);
  for (const auto& [name, points] : curves.points) check_points(name, points);
  Curve* const own[] = {&a_, &b_, &c_};
  points_ = balanced(curves);
  for (const auto& [name, points] : points_) {
    const auto k = std::ranges::find(spline_curves, name) - spline_curves.begin();
    *own[k] = Curve(points);
    data_.push_back(static_cast<double>(k));
    data_.push_back(static_cast<double>(points.x.size()));
    data_.insert(data_.end(), points.x.begin(), points.x.end());
    data_.insert(data_.end(), points.dy.begin(), points.dy.end());
  }
  check_stiffness();
}

// Throws unless the shear and the bulk modulus at rest are positive beyond rounding. A curve that was shifted to
// balance the rest state and is flat there can have moduli that are positive by rounding alone.
void Spline::check_stiffness() const {
  const auto [lambda, mu] = linearized(nullptr);
  double largest = 0;  // [Pa]
  for (const auto& [name, points] : points_) largest = std::max(largest, largest_value(points));
  const double least = rest_rounding * largest;
  const auto found = [&](double modulus) {
    const std::string beyond =
        modulus > 0 ? fmt::format(" beyond the rounding of the curves' values, which reach {:.3g} Pa", largest) : "";
    return fmt::format("is {:.6g} Pa, but it must be positive{}", modulus, beyond);
  };
  if (!(mu > least))
    fail_spline(
        "the shear modulus at rest, half of a''(1) + b''(1) + a'(1) + b'(1), {}; let a.dy rise more steeply at "
        "stretch 1",
        found(mu));
  const double bulk = lambda + 2 * mu / 3;
  if (!(bulk > least) || !std::isfinite(lambda + mu))
    fail_spline(
        "the bulk modulus at rest, lambda + 2/3 mu with lambda = b''(1) + c''(1) - a'(1) - b'(1), {}; let {} rise "
        "more steeply at stretch 1",
        found(bulk), c_.empty() ? "a.dy" : "c.dy");
}

std::vector<CurveInfo> Spline::curves() const {
  return {{"a", "curve of each principal stretch", true},
          {"b", "curve of each product of two stretches", false},
          {"c", "curve of the product of all three stretches, the ratio of volumes", false}};
}

SharedModel Spline::with_curves(const UserCurves& curves) const {
  return std::make_shared<Spline>(curves);
}

void Spline::kernel_from_user(int, const double*, double*) const {
  if (a_.empty()) fail_spline("missing curve a; give its points as a.x and a.dy");
}

// lambda = b'' + c'' - a' - b', 2 mu = a'' + b'' + a' + b', all at 1.
LameParameters Spline::linearized(const double*) const {
  const double a1 = a_.at_rest(), b1 = b_.at_rest();
  const double lambda = b_.slope_at_rest() + c_.slope_at_rest() - (a1 + b1);
  return {lambda, 0.5 * (a_.slope_at_rest() + b_.slope_at_rest() + (a1 + b1))};
}

// With A' = a' - a'(1), likewise B', C', and c'(1) = -a'(1) - 2 b'(1):
//   W = sum A(s_i) + sum B(s_j s_k) + C(J) - a'(1) (E2 + E3) - b'(1) (E2 + 2 E3),
// E2 = sum e_j e_k, E3 = e_0 e_1 e_2, e_i = s_i - 1: all terms are of second order at rest, so that nothing cancels.
// For the pair (j, k) that i completes, with p_i = B'(s_j s_k) + s_i C'(J) - a'(1) s_i - b'(1) (1 + 2 e_i):
//   w_i  = A'(s_i) + s_j B'(s_i s_j) + s_k B'(s_i s_k) + s_j s_k C' - a'(1) (e_j + e_k + e_j e_k)
//          - b'(1) (e_j + e_k + 2 e_j e_k)
//   w_ii = A''(s_i) + s_j^2 B''(s_i s_j) + s_k^2 B''(s_i s_k) + (s_j s_k)^2 C''
//   w_jk = p_i + s_j s_k B''(s_j s_k) + s_i J C''
//   flip  (w_j - w_k)/(s_j - s_k) = A'[s_j, s_k] + s_i^2 B'[s_i s_j, s_i s_k] - p_i, [ , ]: divided differences
//   twist (w_j + w_k)/(s_j + s_k) = (a'(s_j) + a'(s_k) + s_i (b'(s_i s_j) + b'(s_i s_k)))/(s_j + s_k) + p_i
void Spline::evaluate(const Lanes* s, const Lanes*, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes a1(a_.at_rest()), b1(b_.at_rest()), zero(0.0);
  const bool with_b = !b_.empty(), with_c = !c_.empty();
  const auto strain = stretch_strain(s);
  const Lanes* e = strain.e;
  Curve::Place at_a[3], at_b[3], at_c;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    at_a[i] = a_.locate(e[i]);
    if (with_b) at_b[i] = b_.locate(e[j] + (e[k] + e[j] * e[k]));
  }
  if (with_c) at_c = c_.locate(strain.j_minus1);

  if (order == Order::value) {
    const Lanes e2 = e[0] * e[1] + (e[0] * e[2] + e[1] * e[2]), e3 = e[0] * (e[1] * e[2]);
    Lanes w = a_.energy(at_a[0]) + (a_.energy(at_a[1]) + a_.energy(at_a[2]));
    if (with_b) w += b_.energy(at_b[0]) + (b_.energy(at_b[1]) + b_.energy(at_b[2]));
    if (with_c) w += c_.energy(at_c);
    out.value = w - (a1 * (e2 + e3) + b1 * (e2 + 2.0 * e3));
    return;
  }

  Lanes force_a[3], force_b[3];  // A'(s_i), B'(s_j s_k)
  for (int i = 0; i < 3; ++i) {
    force_a[i] = Curve::force(at_a[i]);
    force_b[i] = with_b ? Curve::force(at_b[i]) : zero;
  }
  const Lanes pressure = with_c ? Curve::force(at_c) : zero;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes sum = e[j] + e[k], product = e[j] * e[k];
    const Lanes pairs = s[j] * force_b[k] + s[k] * force_b[j];
    out.first[i] = force_a[i] + pairs + s[j] * s[k] * pressure - (a1 * (sum + product) + b1 * (sum + 2.0 * product));
  }
  if (order == Order::gradient) return;

  Lanes stiffness_b[3];
  for (int i = 0; i < 3; ++i) stiffness_b[i] = with_b ? Curve::stiffness(at_b[i]) : zero;
  const Lanes bulk = with_c ? Curve::stiffness(at_c) : zero;
  const Lanes volume = s[0] * (s[1] * s[2]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes product = s[j] * s[k];
    const Lanes p = force_b[i] + s[i] * pressure - (a1 * s[i] + b1 * (1.0 + 2.0 * e[i]));
    out.diagonal[i] = Curve::stiffness(at_a[i]) + (s[j] * s[j] * stiffness_b[k] + s[k] * s[k] * stiffness_b[j]) +
                      product * product * bulk;
    out.mixed[i] = p + product * stiffness_b[i] + s[i] * volume * bulk;
    const Lanes bend = with_b ? s[i] * s[i] * b_.divided_difference(at_b[k], at_b[j]) : zero;
    out.flip[i] = a_.divided_difference(at_a[j], at_a[k]) + bend - p;
    const Lanes sum = force_a[j] + (force_a[k] + 2.0 * a1) + s[i] * (force_b[j] + (force_b[k] + 2.0 * b1));
    out.twist[i] = sum / twist_denominator(s[j], s[k]) + p;
  }
}

}  // namespace sinew

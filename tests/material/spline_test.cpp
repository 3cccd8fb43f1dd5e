// The spline model in every branch: within a piece, across points, beyond the ends, equal and nearly equal stretches,
// negative ones; against the formula of Valanis and Landel in quadruple precision. And what its curves must fulfil.
#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/material/curve.h"
#include "sinew/material/mooney_rivlin.h"

namespace sinew::spline_test {
namespace {

using namespace sinew::test;
using Quad = __float128;

// w, w_i and the entries of the Hessian from the reference curves; equal stretches by the limits.
struct Expected {
  Quad value, first[3], diagonal[3], mixed[3], flip[3], twist[3];

  Expected(const ReferenceSpline<Quad>& spline, const double* stretches) {
    const Quad s[3] = {stretches[0], stretches[1], stretches[2]};
    const auto &a = spline.curves[0], &b = spline.curves[1], &c = spline.curves[2];
    const Quad J = s[0] * s[1] * s[2];
    value = spline.energy(s);
    for (int i = 0; i < 3; ++i) {
      const Quad sj = s[(i + 1) % 3], sk = s[(i + 2) % 3];
      first[i] = a.value(s[i]) + sj * b.value(s[i] * sj) + sk * b.value(s[i] * sk) + sj * sk * c.value(J);
      diagonal[i] =
          a.slope(s[i]) + sj * sj * b.slope(s[i] * sj) + sk * sk * b.slope(s[i] * sk) + sj * sj * sk * sk * c.slope(J);
      mixed[i] = b.value(sj * sk) + sj * sk * b.slope(sj * sk) + s[i] * c.value(J) + s[i] * J * c.slope(J);
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      flip[i] = s[j] == s[k] ? diagonal[j] - mixed[i] : (first[j] - first[k]) / (s[j] - s[k]);
      twist[i] = (first[j] + first[k]) / (s[j] + s[k]);
    }
  }
};

StretchDerivatives<Lanes> evaluated(const MaterialModel& model, const double* s, Order order) {
  const Lanes lanes[3] = {s[0], s[1], s[2]};
  StretchDerivatives<Lanes> out;
  model.evaluate(lanes, nullptr, order, out);
  return out;
}

// twist: a bound of its own, as the sum of w_j and w_k may cancel.
void expect_close(const UserCurves& curves, const MaterialModel& model, const Vec3& s, double tolerance = 4e-15,
                  bool twist = true) {
  const ReferenceSpline<Quad> reference(curves);
  const Expected expected(reference, s.data());
  const auto value = evaluated(model, s.data(), Order::value), first = evaluated(model, s.data(), Order::gradient),
             all = evaluated(model, s.data(), Order::hessian);
  const double size = tolerance * (1 + std::pow(s.norm(), 4)) * 10;
  EXPECT_NEAR(value.value[0], double(expected.value), size);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(first.first[i][0], double(expected.first[i]), size) << i << " of " << s.transpose();
    EXPECT_EQ(first.first[i][0], all.first[i][0]);
    EXPECT_NEAR(all.diagonal[i][0], double(expected.diagonal[i]), size) << i << " of " << s.transpose();
    EXPECT_NEAR(all.mixed[i][0], double(expected.mixed[i]), size) << i << " of " << s.transpose();
    EXPECT_NEAR(all.flip[i][0], double(expected.flip[i]), size) << i << " of " << s.transpose();
    if (twist) {
      EXPECT_NEAR(all.twist[i][0], double(expected.twist[i]), size) << i << " of " << s.transpose();
    }
  }
}

// Stretches at and beside the points of the curves, inside pieces, at rest, beyond the ends.
TEST(Spline, MatchesQuadruplePrecisionInEveryPiece) {
  const UserCurves curves = sample_curves();
  const SharedModel model = sample_model("spline");
  const std::vector<double> values{0.05, 0.2,  0.31, 0.5,  0.77, 0.8, 0.9, 1.0,
                                   1.01, 1.03, 1.1,  1.27, 1.5,  2.2, 2.9, 4.0};
  for (const double s0 : values)
    for (const double s1 : values)
      for (const double s2 : values) expect_close(curves, *model, {s0, s1, s2});
}

TEST(Spline, MatchesQuadruplePrecisionAtRandomStretches) {
  const UserCurves curves = sample_curves();
  const SharedModel model = sample_model("spline");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.1, 3.0);
  for (int k = 0; k < 3000; ++k) expect_close(curves, *model, {uniform(random), uniform(random), uniform(random)});
}

// Differences of stretches from rounding to 1e-2, around points of a', b' and c' and inside pieces: the divided
// differences keep all of their digits.
TEST(Spline, NearlyEqualStretchesLoseNoDigits) {
  const UserCurves curves = sample_curves();
  const SharedModel model = sample_model("spline");
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double at : {0.2, 0.31, 0.6, 0.77, 1.0, 1.03, 1.27, 1.7, 2.2, 3.0})
    for (const double gap : {0.0, 1e-16, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2})
      for (int k = 0; k < 10; ++k) {
        const double other = k < 5 ? at + gap * uniform(random) : 0.9;
        expect_close(curves, *model, {at + gap * uniform(random), at + gap * uniform(random), other});
        // Products at a point of b'.
        expect_close(curves, *model, {1.2 + gap * uniform(random), 1.2 + gap * uniform(random), 0.91 / 1.2});
      }
}

// The same 1e-8 apart with points so dense that several lie between them.
TEST(Spline, PointsBetweenNearlyEqualStretches) {
  UserCurves curves;
  ControlPoints& a = curves.points["a"];
  for (int i = 0; i < 12; ++i) {
    a.x.push_back(i == 0 ? 0.5 : i == 11 ? 2.0 : 1.3 + 1e-9 * i);
    a.dy.push_back(3 * (a.x[i] - 1) + (i % 2 ? 0 : 1e-10));
  }
  curves.mend_rest = true;
  const SharedModel model = shared_material_model("spline")->with_curves(curves);
  for (const double low : {1.3 - 1e-9, 1.3 + 1.5e-9, 1.3 + 3e-9})
    for (const double high : {1.3 + 4.1e-9, 1.3 + 7.5e-9, 1.3 + 13e-9})
      // Values have 16 digits of 1.3 and points 1e-9 apart: slopes have seven.
      expect_close(curves, *model, {high, low, 0.8}, 2e-8, false);
}

// The decomposition gives a negative sign to the smallest stretch only.
TEST(Spline, NegativeStretches) {
  const UserCurves curves = sample_curves();
  const SharedModel model = sample_model("spline");
  for (const double s2 : {-0.05, -0.3, -0.6, -1.0, -2.0})
    for (const double s0 : {2.5, 1.4, 1.0})
      for (const double s1 : {2.3, 1.4, 1.05, 0.8}) {
        if (std::min(s0, s1) + s2 <= 0) continue;
        expect_close(curves, *model, {s0, s1, s2}, 1e-14);
      }
}

TEST(Spline, OnlyOneCurve) {
  UserCurves curves;
  curves.points["a"] = {{0.5, 1, 2}, {-2, 0, 1}};
  const SharedModel model = shared_material_model("spline")->with_curves(curves);
  for (const Vec3& s : {Vec3(1.2, 1.1, 0.7), Vec3(3, 2, 0.1), Vec3(1, 1, 1)}) expect_close(curves, *model, s);
  const LameParameters lame = model->linearized(nullptr);
  EXPECT_EQ(lame.lambda, 0);
  EXPECT_DOUBLE_EQ(2 * lame.mu, evaluated(*model, Vec3(1, 1, 1).eval().data(), Order::hessian).diagonal[0][0]);
}

// mu and lambda are those of second differences of the energy.
TEST(Spline, LinearisationMatchesDifferences) {
  const ReferenceSpline<Quad> reference(sample_curves());
  const LameParameters lame = sample_model("spline")->linearized(nullptr);
  const Quad h = 1e-8;
  const auto w = [&](Quad e0, Quad e1) {
    const Quad s[3] = {1 + e0, 1 + e1, 1};
    return reference.energy(s);
  };
  const double diagonal = double((w(h, 0) + w(-h, 0)) / (h * h));
  const double mixed = double((w(h, h) - w(h, -h) - w(-h, h) + w(-h, -h)) / (4 * h * h));
  EXPECT_NEAR(lame.lambda, mixed, 1e-7);
  EXPECT_NEAR(lame.lambda + 2 * lame.mu, diagonal, 1e-7);
}

// Points between rising ones never let a curve fall, and a plateau stays flat.
TEST(Spline, CurvesAreMonotoneAndSmooth) {
  const ControlPoints points{{0.2, 0.6, 0.9, 1.1, 1.2, 2, 4}, {-5, -0.2, 0, 0, 3, 3.1, 20}};
  const Curve curve(points);
  double before = -1e300, slope_before = 0;
  for (double x = 0.1; x < 5; x += 1e-4) {
    const Curve::Place p = curve.locate(Lanes(x - 1));
    const double y = Curve::force(p)[0] + curve.at_rest(), slope = Curve::stiffness(p)[0];
    EXPECT_GE(y, before - 1e-14);
    if (x > 0.1) {
      EXPECT_NEAR(slope, slope_before, 0.5) << x;
    }
    if (x > 0.9 && x < 1.1) {
      EXPECT_NEAR(y, 0, 1e-15);
    }
    before = y;
    slope_before = slope;
  }
  for (std::size_t i = 0; i < points.x.size(); ++i)
    EXPECT_NEAR(Curve::force(curve.locate(Lanes(points.x[i] - 1)))[0] + curve.at_rest(), points.dy[i], 1e-14);
}

// Mooney-Rivlin without its volume term is of the Valanis-Landel form: a = c10 s^2, b = c01 s^2,
// c = -2 (c10 + 2 c01) ln J + kappa/2 (ln J)^2. Densely sampled curves give its stress, ever closer.
TEST(Spline, DenselySampledModelAgrees) {
  const double c10 = 1.3, c01 = 0.4, kappa = 3.1;
  const auto sampled = [&](int count) {
    UserCurves curves;
    const auto sample = [&](const char* name, double low, double high, auto&& f) {
      ControlPoints& points = curves.points[name];
      for (int i = 0; i <= count; ++i) {
        const double x = low * std::pow(high / low, double(i) / count);
        points.x.push_back(x);
        points.dy.push_back(f(x));
      }
    };
    sample("a", 0.3, 3, [&](double x) { return 2 * c10 * x; });
    sample("b", 0.3, 6, [&](double x) { return 2 * c01 * x; });
    sample("c", 0.1, 8, [&](double x) { return (kappa * std::log(x) - 2 * (c10 + 2 * c01)) / x; });
    curves.mend_rest = true;
    return Material(shared_material_model("spline")->with_curves(curves), {});
  };
  const Material exact("mooney_rivlin", {{"c10", {c10}}, {"c01", {c01}}, {"kappa", {kappa}}});
  double error[2] = {0, 0};
  std::mt19937 random(5);
  for (const Vec3& s : {Vec3(1.3, 1.1, 0.8), Vec3(2, 0.8, 0.7), Vec3(1.2, 1.2, 1.1), Vec3(0.7, 0.6, 0.8)}) {
    const Mat3 F = random_state(random, s);
    for (int k = 0; k < 2; ++k) {
      const Material material = sampled(k ? 400 : 100);
      error[k] = std::max(error[k], (material.stress(F) - exact.stress(F)).norm());
      EXPECT_NEAR(material.energy(F), exact.energy(F), k ? 1e-6 : 1e-4);
      EXPECT_LT((material.hessian(F, false) - exact.hessian(F, false)).norm(), k ? 3e-3 : 3e-2);
    }
  }
  EXPECT_LT(error[0], 1e-3);
  EXPECT_LT(error[1], error[0] / 10);
  const LameParameters lame = sampled(400).model().linearized(nullptr);
  EXPECT_NEAR(lame.mu, 2 * (c10 + c01), 1e-3);
  EXPECT_NEAR(lame.lambda, kappa + 4 * c01, 1e-2);
}

std::string curve_error(const UserCurves& curves) {
  try {
    shared_material_model("spline")->with_curves(curves);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string curve_error(std::vector<double> x, std::vector<double> dy) {
  return curve_error(UserCurves{{{"a", {std::move(x), std::move(dy)}}}, false, {}});
}

TEST(SplineErrors, WordForWord) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string start = "material model 'spline': ";
  EXPECT_EQ(curve_error(UserCurves{}), start + "missing curve a; give its points as a.x and a.dy");
  EXPECT_EQ(curve_error(UserCurves{{{"d", {{1, 2}, {0, 1}}}}, false, {}}),
            start + "unknown curve 'd'; it takes curves a, b and c");
  EXPECT_EQ(curve_error({1, 2}, {0}), start + "a.x has 2 values and a.dy has 1, but each point needs one of both");
  EXPECT_EQ(curve_error({1}, {0}), start + "a.x has 1 values, but a curve needs at least 2 points");
  EXPECT_EQ(curve_error({-1, 2}, {0, 1}), start + "a.x[0] is -1, but a stretch must be a finite number greater than 0");
  EXPECT_EQ(curve_error({1, nan}, {0, 1}),
            start + "a.x[1] is nan, but a stretch must be a finite number greater than 0");
  EXPECT_EQ(curve_error({0.5, 1.5, 1.5}, {0, 1, 2}),
            start + "a.x[2] is 1.5 after 1.5, but the stretches must ascend; sort the points by a.x");
  EXPECT_EQ(curve_error({0.5, 2}, {0, nan}), start + "a.dy[1] is nan, but it must be a finite number");
  EXPECT_EQ(curve_error({1.2, 2}, {0, 1}),
            start + "a.x[0] is 1.2, but the points must reach stretch 1, the rest state; add one at or below 1");
  EXPECT_EQ(curve_error({0.5, 0.9}, {0, 1}),
            start + "a.x[1] is 0.9, but the points must reach stretch 1, the rest state; add one at or above 1");
  EXPECT_EQ(curve_error({0.5, 1, 2}, {-1, 0.25, 1}),
            start +
                "a'(1) + 2 b'(1) + c'(1) is 0.25 Pa, but it must be 0, or the rest state is under stress; shift "
                "all of a.dy by -0.25, as \"rest\": \"mend\" does");
  EXPECT_EQ(curve_error({0.5, 1, 2}, {1, 0, -1}),
            start +
                "the shear modulus at rest, half of a''(1) + b''(1) + a'(1) + b'(1), is -0.692308 Pa, but it must "
                "be positive; let a.dy rise more steeply at stretch 1");
  UserCurves soft{{{"a", {{0.5, 2}, {-0.5, 1}}}, {"c", {{0.5, 2}, {0.5, -1}}}}, false, {}};
  EXPECT_EQ(curve_error(soft),
            start +
                "the bulk modulus at rest, lambda + 2/3 mu with lambda = b''(1) + c''(1) - a'(1) - b'(1), is "
                "-0.666667 Pa, but it must be positive; let c.dy rise more steeply at stretch 1");
  // A mended curve that is flat at rest keeps a slope of rounding.
  EXPECT_EQ(curve_error({0.5, 0.9, 1.1, 2}, {-1e5, 1e-9, 1.5e-9, 1e5}),
            start +
                "the shear modulus at rest, half of a''(1) + b''(1) + a'(1) + b'(1), is 1.42656e-09 Pa, but it must be "
                "positive beyond the rounding of the curves' values, which reach 1e+05 Pa; let a.dy rise more steeply "
                "at stretch 1");
}

TEST(SplineErrors, OfModelsWithAndWithoutCurves) {
  const auto message = [](auto&& f) -> std::string {
    try {
      f();
    } catch (const InputError& error) {
      return error.what();
    }
    return "(no error)";
  };
  EXPECT_EQ(message([] { shared_material_model("arap")->with_curves(sample_curves()); }),
            "material model 'arap' has neither curves nor lists, only mu [Pa], or young [Pa] and poisson");
  EXPECT_EQ(message([] { Material("spline", {}); }),
            "material model 'spline': missing curve a; give its points as a.x and a.dy");
  EXPECT_EQ(message([] {
              Material(sample_model("spline"), {{"young", {1.0}}});
            }),
            "material model 'spline': unknown parameter 'young'; it takes curves a, b and c");
}

// Without c, a mended a' is shifted; a stress of rounding size is none.
TEST(Spline, RestIsMended) {
  UserCurves curves{{{"a", {{0.5, 1, 2}, {-1, 0.25, 1}}}}, true, {}};
  EXPECT_EQ(curve_error(curves), "(no error)");
  expect_close(curves, *shared_material_model("spline")->with_curves(curves), {1.3, 1.1, 0.7});
  curves = sample_curves();
  curves.points["b"].dy[0] += 1e-3;
  EXPECT_EQ(curve_error(curves), "(no error)");
  const UserCurves rounded{{{"a", {{0.9, 1.1}, {-0.1, 0.1 + 1e-16}}}}, false, {}};
  EXPECT_EQ(curve_error(rounded), "(no error)");
}

TEST(Spline, EqualDataEqualFunction) {
  const SharedModel one = sample_model("spline"), same = sample_model("spline"), other = sample_model("spline", 2);
  EXPECT_TRUE(std::ranges::equal(one->data(), same->data()));
  EXPECT_FALSE(std::ranges::equal(one->data(), other->data()));
  EXPECT_TRUE(shared_material_model("spline")->data().empty());
}

}  // namespace
}  // namespace sinew::spline_test

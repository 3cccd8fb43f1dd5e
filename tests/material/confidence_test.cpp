// Standard deviations of fits: those of textbooks, those of the noise that made the curves, and large ones where curves
// determine nothing.
#include "sinew/material/confidence.h"

#include <cmath>
#include <random>

#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/material/fit.h"

namespace sinew::confidence_test {
namespace {

// A line a + b t through points at t = 0 ... n - 1: var(b) = s^2 / sum (t - mean)^2, var(a) = s^2 sum t^2 / (n sum (t -
// mean)^2).
TEST(Confidence, StraightLine) {
  constexpr int n = 9;
  MatX J(n, 2);
  VecX y(n);
  for (int t = 0; t < n; ++t) J.row(t) << 1, t;
  y << 0.1, 1.2, 1.9, 3.3, 3.8, 5.1, 6.2, 6.9, 8.1;
  const VecX x = (J.transpose() * J).ldlt().solve(J.transpose() * y), r = J * x - y;
  const double variance = r.squaredNorm() / (n - 2), spread = 60, squares = 204;
  const ResidualGroup all{0, n};
  const MatX C = least_squares_covariance(J, r, {&all, 1});
  EXPECT_NEAR(C(1, 1), variance / spread, 1e-9 * C(1, 1));
  EXPECT_NEAR(C(0, 0), variance * squares / (n * spread), 1e-9 * C(0, 0));
  // a + 4 b is the mean.
  EXPECT_NEAR(propagated_deviations(Eigen::RowVector2d(1, 4), C)[0], std::sqrt(variance / n), 1e-9);
}

TEST(Confidence, UndeterminedUnknownsAreUnsure) {
  MatX J(6, 3);
  J << 1, 1, 0, 1, 1, 0, 1, 1, 0, 2, 2, 0, 2, 2, 0, 2, 2, 0;
  const VecX r = (VecX(6) << 0.1, -0.1, 0.1, -0.1, 0.1, -0.1).finished();
  const ResidualGroup all{0, 6};
  const MatX C = least_squares_covariance(J, r, {&all, 1});
  for (int k = 0; k < 3; ++k) EXPECT_GT(std::sqrt(C(k, k)), 1e3) << k;
  // Their sum is known.
  EXPECT_LT(propagated_deviations(Eigen::RowVector3d(1, 1, 0), C)[0], 1);
  const ResidualGroup few{0, 3};
  EXPECT_TRUE(std::isinf(least_squares_covariance(J, r, {&few, 1})(0, 0)));
}

// Noise of a share of the largest stress.
Measurement noisy(const Material& material, Experiment experiment, double low, double high, double noise, int count,
                  unsigned seed) {
  Measurement m{experiment, "curve.csv", {}, {}};
  for (int i = 0; i < count; ++i) m.stretch.push_back(low + (high - low) * i / (count - 1));
  m.stress = nominal_stress(material.model(), material.kernel_parameters(), experiment, m.stretch);
  const double largest = std::abs(*std::ranges::max_element(m.stress, {}, [](double p) { return std::abs(p); }));
  std::mt19937 random(seed + 100 * static_cast<unsigned>(experiment));
  std::normal_distribution<double> normal(0, noise * largest);
  for (double& p : m.stress) p += normal(random);
  return m;
}

struct Case {
  const char* name;
  Material material;
  FitOptions options;
  std::map<std::string, std::vector<double>> truth;
  double low = 0.4, high = 2.5, sheet = 1.8;  // measured stretches of a bar, and largest of a sheet
};

std::vector<Case> cases() {
  UserCurves rubber, foam;
  rubber.lists = {{"mu", {3e5, 1e5}}, {"alpha", {1.4, -2.5}}};
  foam.lists = {{"mu", {3e3, 2e4}}, {"alpha", {-2, 9}}, {"poisson", {0.1, 0.1}}};
  FitOptions two, two_of_foam;
  two.terms = two_of_foam.terms = 2;
  two_of_foam.poisson = 0.1;
  return {{"neo_hookean", Material("neo_hookean", {{"lambda", {3.96e7}}, {"mu", {4e5}}}), {}, {{"mu", {4e5}}}},
          {"mooney_rivlin",
           Material("mooney_rivlin", {{"c10", {3e5}}, {"c01", {1e5}}, {"kappa", {1e7}}}),
           {},
           {{"c10", {3e5}}, {"c01", {1e5}}}},
          {"gent",
           Material("gent", {{"mu", {4e5}}, {"jm", {30}}, {"poisson", {0.495}}}),
           {},
           {{"mu", {4e5}}, {"jm", {30}}}},
          {"arruda_boyce",
           Material("arruda_boyce", {{"mu", {4e5}}, {"locking", {2.2}}, {"poisson", {0.495}}}),
           {},
           {{"mu", {4e5}}, {"locking", {2.2}}}},
          {"ogden",
           Material(shared_material_model("ogden")->with_curves(rubber), {{"poisson", {0.495}}}),
           two,
           {{"mu", rubber.lists["mu"]}, {"alpha", rubber.lists["alpha"]}}},
          {"blatz_ko", Material("blatz_ko", {{"mu", {3e4}}}), {}, {{"mu", {3e4}}}},
          {"hyperfoam",
           Material(shared_material_model("hyperfoam")->with_curves(foam), {}),
           two_of_foam,
           {{"mu", foam.lists["mu"]}, {"alpha", foam.lists["alpha"]}},
           0.2,
           1.3,
           1.2}};
}

FitResult fit(const Case& c, double noise, int count, unsigned seed) {
  return fit_material(c.name,
                      {noisy(c.material, Experiment::uniaxial, c.low, c.high, noise, count, seed),
                       noisy(c.material, Experiment::biaxial, 1, c.sheet, noise / 2, count / 2, seed)},
                      c.options);
}

double number(const FitResult& fit, const std::string& name, std::size_t k) {
  const auto found = fit.parameters.find(name);
  return (found == fit.parameters.end() ? fit.curves.lists.at(name) : found->second)[k];
}

// The mean of (error / deviation)^2 over many curves is 1, and errors beyond three deviations are rare.
TEST(Confidence, TruthLiesWithinThreeDeviations) {
  constexpr int seeds = 12;
  for (const Case& c : cases()) {
    int inside = 0, all = 0;
    double square = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      const FitResult made = fit(c, 0.01, 60, seed);
      for (const auto& [name, truth] : c.truth) {
        for (std::size_t k = 0; k < truth.size(); ++k) {
          const double ratio = (number(made, name, k) - truth[k]) / made.deviations.at(name)[k];
          inside += std::abs(ratio) < 3;
          square += ratio * ratio;
          ++all;
        }
      }
    }
    EXPECT_GE(inside, all - 1) << c.name;
    EXPECT_GT(square / all, 0.3) << c.name;
    EXPECT_LT(square / all, 2.2) << c.name;
  }
}

// A hundred times the points: a tenth of the deviations.
TEST(Confidence, ShrinksWithTheRootOfThePoints) {
  for (const Case& c : cases()) {
    if (c.name == std::string("gent")) continue;  // the largest measured I1 bounds jm from below
    const FitResult few = fit(c, 0.01, 40, 3), many = fit(c, 0.01, 4000, 3);
    for (const auto& [name, truth] : c.truth)
      for (std::size_t k = 0; k < truth.size(); ++k)
        EXPECT_NEAR(many.deviations.at(name)[k] / few.deviations.at(name)[k], 0.1, 0.05) << c.name << ' ' << name;
  }
}

TEST(Confidence, ExactCurvesHaveNoDeviation) {
  for (const Case& c : cases()) {
    const FitResult made = fit(c, 0, 40, 1);
    for (const auto& [name, truth] : c.truth)
      for (std::size_t k = 0; k < truth.size(); ++k)
        EXPECT_LT(made.deviations.at(name)[k], 1e-4 * std::abs(truth[k])) << c.name << ' ' << name;
  }
}

// Numbers that follow from mu and Poisson's ratio are as sure as mu; the ratio and splines have no deviations.
TEST(Confidence, OfNumbersThatFollow) {
  const std::vector<Case> all = cases();
  const FitResult neo_hookean = fit(all[0], 0.01, 60, 1);
  EXPECT_NEAR(neo_hookean.deviations.at("lambda")[0] / number(neo_hookean, "lambda", 0),
              neo_hookean.deviations.at("mu")[0] / number(neo_hookean, "mu", 0), 1e-9);
  EXPECT_EQ(fit(all[4], 0.01, 60, 1).deviations.count("poisson"), 0u);
  const Measurement curve = noisy(all[0].material, Experiment::uniaxial, 0.5, 2, 0.01, 40, 1);
  EXPECT_TRUE(fit_material("spline", {curve}).deviations.empty());
}

// The point at rest is in every curve and says nothing: two points more are as many as c10 and c01.
TEST(Confidence, ThePointAtRestDoesNotCount) {
  const FitResult fit =
      fit_material("mooney_rivlin", {{Experiment::uniaxial, "c.csv", {1, 1.5, 2}, {0, 1.9e5, 3.1e5}}});
  EXPECT_TRUE(std::isinf(fit.deviations.at("c10")[0]) && std::isinf(fit.deviations.at("c01")[0]));
}

// Exact curves of a neo-Hookean solid: three terms of exponent 2 share mu in any way.
TEST(Confidence, TermsThatAreAlikeAreUnsure) {
  const Measurement curve = noisy(cases()[0].material, Experiment::uniaxial, 0.5, 2.5, 0, 40, 1);
  const FitResult fit = fit_material("ogden", {curve});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(fit.deviations.at("mu")[k], fit.curves.lists.at("mu")[k]) << k;
}

TEST(Confidence, FewPointsTellNothing) {
  const Measurement curve = noisy(cases()[0].material, Experiment::uniaxial, 0.5, 2, 0.01, 4, 1);
  const FitResult fit = fit_material("ogden", {curve});
  for (const char* name : {"mu", "alpha"})
    for (const double deviation : fit.deviations.at(name)) EXPECT_TRUE(std::isinf(deviation)) << name;
}

}  // namespace
}  // namespace sinew::confidence_test

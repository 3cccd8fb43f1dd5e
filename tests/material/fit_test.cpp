// Fits recover what made the curves; files of curves are read strictly.
#include "sinew/material/fit.h"

#include <filesystem>
#include <fstream>
#include <random>

#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::fit_test {
namespace {

// What the material gives, with relative noise of the largest stress.
Measurement measured(const Material& material, Experiment experiment, double low, double high, double noise,
                     int count = 40) {
  Measurement m{experiment, "curve.csv", {}, {}};
  for (int i = 0; i < count; ++i) m.stretch.push_back(low + (high - low) * i / (count - 1));
  m.stress = nominal_stress(material.model(), material.kernel_parameters(), experiment, m.stretch);
  double largest = 0;
  for (const double p : m.stress) largest = std::max(largest, std::abs(p));
  std::mt19937 random(7 + static_cast<unsigned>(experiment));
  std::normal_distribution<double> normal(0, noise * largest);
  for (double& p : m.stress) p += normal(random);
  return m;
}

double value(const FitResult& fit, const char* name) {
  return fit.parameters.at(name).at(0);
}

// The textbook stresses of an incompressible Mooney-Rivlin solid.
TEST(Fit, StressesAreThoseOfTextbooks) {
  const double c10 = 3e5, c01 = 1e5;
  const Material material("mooney_rivlin", {{"c10", {c10}}, {"c01", {c01}}, {"kappa", {1e7}}});
  for (const double l : {0.5, 0.8, 1.0, 1.3, 2.5}) {
    const std::vector<double> at{l};
    const auto stress = [&](Experiment e) {
      return nominal_stress(material.model(), material.kernel_parameters(), e, at)[0];
    };
    const double scale = 1e-9;
    EXPECT_NEAR(stress(Experiment::uniaxial), 2 * (l - 1 / (l * l)) * (c10 + c01 / l), scale * c10);
    EXPECT_NEAR(stress(Experiment::biaxial), 2 * (l - std::pow(l, -5)) * (c10 + c01 * l * l), scale * c10 * 100);
    EXPECT_NEAR(stress(Experiment::shear), 2 * (l - std::pow(l, -3)) * (c10 + c01), scale * c10 * 10);
  }
}

TEST(Fit, RecoversMooneyRivlin) {
  const Material material("mooney_rivlin", {{"c10", {3e5}}, {"c01", {1e5}}, {"kappa", {1e7}}});
  for (const double noise : {0.0, 0.01}) {
    const FitResult fit = fit_material("mooney_rivlin", {measured(material, Experiment::uniaxial, 0.7, 2.5, noise),
                                                         measured(material, Experiment::biaxial, 1, 1.8, noise)});
    EXPECT_TRUE(fit.converged);
    EXPECT_NEAR(value(fit, "c10") / 3e5, 1, noise > 0 ? 0.03 : 1e-7);
    EXPECT_NEAR(value(fit, "c01") / 1e5, 1, noise > 0 ? 0.06 : 1e-7);
    for (const double rms : fit.rms) EXPECT_LT(rms, noise > 0 ? 0.02 * 2e6 : 1);
    // lambda / mu of Poisson's ratio 0.495
    const std::vector<double> kernel{value(fit, "c10"), value(fit, "c01"), value(fit, "kappa")};
    const LameParameters lame = fit.model->linearized(kernel.data());
    EXPECT_NEAR(lame.lambda / lame.mu, 99, 1e-6);
  }
}

TEST(Fit, RecoversNeoHookeanFromOneCurve) {
  for (const char* model : {"neo_hookean", "stable_neo_hookean"}) {
    const Material material(model, {{"lambda", {1e7}}, {"mu", {4e5}}});
    const FitResult fit = fit_material(model, {measured(material, Experiment::shear, 1, 2, 0.01)}, {0.45, {}});
    EXPECT_TRUE(fit.converged);
    EXPECT_NEAR(value(fit, "mu") / 4e5, 1, 0.01) << model;
    EXPECT_NEAR(value(fit, "lambda") / value(fit, "mu"), 9, 1e-9);
  }
}

// A spline follows curves of another model, also between and beyond what one experiment tells.
TEST(Fit, SplineFollowsOtherModels) {
  const Material material("mooney_rivlin", {{"c10", {3e5}}, {"c01", {2e4}}, {"kappa", {1e7}}});
  const std::vector<Measurement> curves{measured(material, Experiment::uniaxial, 0.6, 2.2, 0.005),
                                        measured(material, Experiment::shear, 1, 2, 0.005)};
  for (const std::vector<double>& knots : {std::vector<double>{}, {0.4, 0.7, 1, 1.3, 1.7, 2.2}}) {
    const FitResult fit = fit_material("spline", curves, {0.495, knots});
    for (std::size_t k = 0; k < curves.size(); ++k) {
      double largest = 0;
      for (const double p : curves[k].stress) largest = std::max(largest, std::abs(p));
      EXPECT_LT(fit.rms[k], 0.02 * largest) << k;
    }
    const LameParameters lame = fit.model->linearized(nullptr);
    EXPECT_NEAR(lame.mu / 6.4e5, 1, 0.15);
    EXPECT_NEAR(lame.lambda / lame.mu, 99, 1e-6);
    if (!knots.empty()) {
      EXPECT_EQ(fit.curves.points.at("a").x, knots);
    }
  }
}

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(FitErrors, WordForWord) {
  const Measurement good{Experiment::uniaxial, "a.csv", {1, 1.5, 2}, {0, 1e5, 2e5}};
  const auto error = [&](const char* model, std::vector<Measurement> curves, FitOptions options = {}) {
    return message_of([&] { fit_material(model, curves, options); });
  };
  EXPECT_EQ(error("neo_hookean", {}), "found no measured curve, expected at least one");
  EXPECT_EQ(error("arap", {good}),
            "material model 'arap' cannot be fitted; expected one of mooney_rivlin, neo_hookean, spline, "
            "stable_neo_hookean");
  EXPECT_EQ(error("neo_hookian", {good}).substr(0, 62),
            "unknown material model 'neo_hookian', did you mean 'neo_hookea");
  EXPECT_EQ(error("neo_hookean", {good}, {0.5, {}}),
            "poisson: found 0.5, expected at least 0 and less than 0.5 (nearly incompressible: 0.495)");
  EXPECT_EQ(error("neo_hookean", {{Experiment::uniaxial, "a.csv", {1, 1, 1}, {0, 1, 2}}}),
            "a.csv: all stretches are 1 or all stresses 0; there is nothing to fit");
  EXPECT_EQ(error("neo_hookean", {{Experiment::uniaxial, "a.csv", {1, 1.5, 2}, {0, -1, -2}}}),
            "a.csv: stresses fall with the stretch; tension is positive and compression negative");
  EXPECT_EQ(error("spline", {good}, {0.4, {0.5, 0.5}}),
            "knots: found 0.5 as number 1, expected stretches greater than 0 that ascend");
}

class MeasurementFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Measurement read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_measurement(path_, Experiment::uniaxial);
  }
  std::string error(const std::string& text) {
    std::string message = message_of([&] { read(text); });
    if (message.starts_with(folder_)) message.erase(0, folder_.size() + 1);
    return message;
  }

  std::string folder_ = testing::TempDir() + "fit_" + std::to_string(::getpid());
  std::string path_ = folder_ + "/a.csv";
};

TEST_F(MeasurementFile, ReadsColumnsWithAndWithoutHeader) {
  for (const char* text : {"1,0\n1.5,1e5\n2,+2e5\n", "stretch,stress [Pa]\n1;0\n1.5; 1e5\n\n2;2e5",
                           "# made on Monday\n1\t0\r\n1.5\t1e5\r\n# between\r\n2  2e5\r\n"}) {
    const Measurement m = read(text);
    EXPECT_EQ(m.stretch, (std::vector<double>{1, 1.5, 2})) << text;
    EXPECT_EQ(m.stress, (std::vector<double>{0, 1e5, 2e5})) << text;
  }
}

TEST_F(MeasurementFile, ErrorsNameFileAndLine) {
  EXPECT_EQ(error("l,P\n1,0\n1.5\n"),
            "a.csv:3: found \"1.5\", expected two numbers, stretch and nominal stress [Pa], as 1.5, 2e5");
  EXPECT_EQ(error("1,0\nx,1\n"),
            "a.csv:2: found \"x,1\", expected two numbers, stretch and nominal stress [Pa], as 1.5, 2e5");
  EXPECT_EQ(error("1,0\n1,5;2,0\n"),
            "a.csv:2: found \"1,5;2,0\", expected two numbers, stretch and nominal stress [Pa], as 1.5, 2e5");
  EXPECT_EQ(
      error("1,0\n0,5\n"),
      "a.csv:2: found stretch 0, expected a finite number greater than 0; is it a strain? A stretch is 1 at rest");
  EXPECT_EQ(error("1,0\n2,inf\n"), "a.csv:2: found stress inf, expected a finite number of at most 1e+20 in size");
  EXPECT_EQ(error("l,P\n1,0\n2,1\n"), "a.csv: found 2 points, expected at least 3");
  EXPECT_EQ(error("1,0"), "a.csv: found 1 point, expected at least 3");
  EXPECT_EQ(error(""), "a.csv: found 0 points, expected at least 3");
  EXPECT_NE(message_of([&] { read_measurement(folder_ + "/none.csv", Experiment::uniaxial); }).find("none.csv"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::fit_test

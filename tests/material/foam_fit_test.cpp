// Curves of foams: free faces without stress, their stability, and fits that recover what made the curves.
#include <cmath>
#include <random>

#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/material/fit.h"

namespace sinew::foam_fit_test {
namespace {

constexpr std::array experiments{Experiment::uniaxial, Experiment::biaxial, Experiment::shear};

Material hyperfoam(const std::vector<double>& mu, const std::vector<double>& alpha,
                   const std::vector<double>& poisson) {
  UserCurves terms;
  terms.lists = {{"mu", mu}, {"alpha", alpha}, {"poisson", poisson}};
  return Material(shared_material_model("hyperfoam")->with_curves(terms), {});
}

Measurement measured(const Material& material, Experiment experiment, double low, double high, int count = 40) {
  Measurement m{experiment, "curve.csv", {}, {}};
  for (int i = 0; i < count; ++i) m.stretch.push_back(low + (high - low) * i / (count - 1));
  m.stress = nominal_stress(material.model(), material.kernel_parameters(), experiment, m.stretch);
  return m;
}

PrincipalStretches stretches(const Material& material, Experiment experiment, double l) {
  return principal_stretches(material.model(), material.kernel_parameters(), experiment, l);
}

// Lateral stretches are l^-nu in a bar, l^(-2 nu / (1 - nu)) in a sheet, l^(-nu / (1 - nu)) in a strip.
TEST(FoamFit, FreeFacesOfOnePoissonsRatio) {
  for (const double nu : {0.0, 0.1, 0.25, 0.45}) {
    const Material foam = hyperfoam({2e4, 1e4}, {8, -2}, {nu, nu});
    for (const double l : {0.2, 0.7, 1.0, 1.8, 4.0}) {
      const double strip = std::pow(l, -nu / (1 - nu)), bar = std::pow(l, -nu);
      const double free[] = {bar, strip * strip, strip}, middle[] = {bar, l, 1};
      for (const Experiment e : experiments) {
        const PrincipalStretches at = stretches(foam, e, l);
        EXPECT_EQ(at[0], l);
        EXPECT_NEAR(at[1], middle[static_cast<int>(e)], 1e-12 * at[1]) << nu << ' ' << l;
        EXPECT_NEAR(at[2], free[static_cast<int>(e)], 1e-12 * at[2]) << nu << ' ' << l;
        EXPECT_NEAR(at[2], free_stretch(e, l, nu), 1e-12 * at[2]);
      }
    }
  }
  const Material blatz_ko("blatz_ko", {{"mu", {3e4}}});
  for (const double l : {0.2, 0.7, 1.8, 4.0})
    EXPECT_NEAR(stretches(blatz_ko, Experiment::uniaxial, l)[2], std::pow(l, -0.25), 1e-12);
}

// Terms with different ratios have no closed form: the free face carries no stress, and P is w_0.
TEST(FoamFit, FreeFacesCarryNoStress) {
  const Material foam = hyperfoam({2e4, 1e4, 500}, {12, -3, 2}, {0.05, 0.4, -0.3});
  for (const Experiment e : experiments) {
    for (const double l : {0.1, 0.5, 0.97, 1.4, 3.0}) {
      const PrincipalStretches s = stretches(foam, e, l);
      const Mat3 P = foam.stress(Vec3(s[0], s[1], s[2]).asDiagonal());
      const double scale = foam.model().linearized(nullptr).mu;
      EXPECT_NEAR(P(2, 2) * s[2], 0, 1e-9 * (scale + std::abs(P(0, 0)))) << experiment_name(e) << ' ' << l;
      if (e == Experiment::uniaxial) {
        EXPECT_EQ(s[1], s[2]);
      }
      const std::vector<double> at{l};
      EXPECT_NEAR(nominal_stress(foam.model(), {}, e, at)[0], P(0, 0), 1e-9 * std::abs(P(0, 0)));
    }
  }
}

// D of one term is 2 mu (e_i delta_ij + beta v): e = (l^alpha, v, v) and v = l^(-alpha nu) in a bar. For nu = 0 it is
// diagonal.
TEST(FoamFit, StabilityOverAllStrains) {
  const auto stiffness = [](const Material& material, double l) {
    return drucker_stiffness(material.model(), material.kernel_parameters(), Experiment::uniaxial, l);
  };
  const Material crushed = hyperfoam({3e4}, {6}, {0});
  EXPECT_NEAR(stiffness(crushed, 1), 6e4, 1e-6);
  EXPECT_NEAR(stiffness(crushed, 0.5), 6e4 / 64, 1e-6);
  EXPECT_NEAR(stiffness(crushed, 2), 6e4, 1e-6);
  // Three times the bulk modulus, which is smaller than 2 mu: K = 2 mu (beta + 1/3), beta = -1/6.
  EXPECT_NEAR(stiffness(hyperfoam({3e4}, {2}, {-0.25}), 1), 3 * 6e4 / 6, 1e-6);
  // A negative term takes over in compression: 2 mu sum e = 2 (3e4 l^2 - 1e4 / l^2).
  const Material falling = hyperfoam({3e4, -1e4}, {2, -2}, {0, 0});
  const std::vector<StableRange> ranges = stable_ranges(falling.model(), {});
  EXPECT_NEAR(ranges[0].low, std::pow(3, -0.25), 0.01);
  EXPECT_NEAR(ranges[0].high, most_stretch, 1e-9);
}

std::vector<Measurement> curves_of(const Material& material) {
  return {measured(material, Experiment::uniaxial, 0.25, 1.6), measured(material, Experiment::shear, 1, 1.5)};
}

TEST(FoamFit, RecoversHyperfoam) {
  for (const double nu : {0.0, 0.2}) {
    const Material foam = hyperfoam({2e4, 3e3}, {9, -2}, {nu, nu});
    FitOptions options;
    options.terms = 2;
    options.poisson = nu;
    for (const bool one_curve : {true, false}) {
      std::vector<Measurement> curves = curves_of(foam);
      if (one_curve) curves.pop_back();
      const FitResult fit = fit_material("hyperfoam", curves, options);
      EXPECT_TRUE(fit.converged);
      EXPECT_EQ(fit.poisson, nu);
      const auto& lists = fit.curves.lists;
      const std::size_t first = lists.at("alpha")[0] > 0 ? 0 : 1;
      EXPECT_NEAR(lists.at("mu")[first] / 2e4, 1, 1e-4) << nu;
      EXPECT_NEAR(lists.at("mu")[1 - first] / 3e3, 1, 1e-4) << nu;
      EXPECT_NEAR(lists.at("alpha")[first] / 9, 1, 1e-4) << nu;
      EXPECT_NEAR(lists.at("alpha")[1 - first] / -2, 1, 1e-4) << nu;
      EXPECT_EQ(lists.at("poisson"), (std::vector<double>{nu, nu}));
      EXPECT_TRUE(fit.parameters.empty());
      EXPECT_EQ(fit.deviations.count("poisson"), 0u);
      EXPECT_LT(fit.deviations.at("mu")[0], 1e-4 * 2e4);
    }
  }
}

// The measured plateau of a foam is flatter than any stable term: the exponent stays at its bound. A third term adds
// nothing, and no exponent runs away.
TEST(FoamFit, PlateauAndDensification) {
  const Measurement curve{Experiment::uniaxial,
                          "foam.csv",
                          {1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2},
                          {0, -2000, -2800, -3100, -3300, -3700, -4500, -6200, -10500, -27000}};
  for (const int terms : {2, 3}) {
    FitOptions options;
    options.terms = terms;
    const FitResult fit = fit_material("hyperfoam", {curve}, options);
    EXPECT_TRUE(fit.converged) << terms;
    EXPECT_LT(fit.rms[0], 0.009 * 27000) << terms;
    for (const double alpha : fit.curves.lists.at("alpha")) EXPECT_LT(std::abs(alpha), 31) << terms;
    for (const StableRange& range : fit.stable) {
      EXPECT_NEAR(range.low, 1 / most_stretch, 1e-9);
      EXPECT_NEAR(range.high, most_stretch, 1e-9);
    }
  }
}

TEST(FoamFit, HyperfoamDefaultsToNoLateralStretch) {
  const FitResult fit =
      fit_material("hyperfoam", {measured(hyperfoam({2e4}, {4}, {0}), Experiment::uniaxial, 0.5, 1.5)});
  EXPECT_EQ(fit.poisson, 0);
  EXPECT_EQ(fit.curves.lists.at("poisson"), std::vector<double>(FitOptions::default_terms, 0));
  EXPECT_LT(fit.rms[0], 1);
}

TEST(FoamFit, RecoversBlatzKo) {
  const Material foam("blatz_ko", {{"mu", {3e4}}});
  const FitResult fit = fit_material("blatz_ko", curves_of(foam));
  EXPECT_TRUE(fit.converged);
  EXPECT_EQ(fit.poisson, 0.25);
  EXPECT_NEAR(fit.parameters.at("mu")[0], 3e4, 1e-3);
  for (const StableRange& range : fit.stable) {
    EXPECT_NEAR(range.low, 1 / most_stretch, 1e-9);
    EXPECT_NEAR(range.high, most_stretch, 1e-9);
  }
}

// Ranges are those of the foam's own logarithmic strains: a bar with nu = 0 has |e| = |ln l|.
TEST(FoamFit, RequiredRanges) {
  const std::vector<Measurement> curves{{Experiment::uniaxial, "a.csv", {0.5, 1, 1.2}, {-1, 0, 1}}};
  const std::vector<StableRange> ranges = required_ranges(curves, 0);
  const double strain = 1.2 * std::log(2);
  EXPECT_NEAR(ranges[0].low, std::exp(-strain), 1e-12);
  EXPECT_NEAR(ranges[1].high, std::exp(strain / std::sqrt(2)), 1e-12);
  EXPECT_NEAR(ranges[2].high, std::exp(strain), 1e-12);
  const std::vector<StableRange> rubber = required_ranges(curves);
  EXPECT_NEAR(rubber[0].low, std::pow(0.5, 1.2), 1e-12);
  EXPECT_NEAR(rubber[1].high, std::pow(2, 1.2 * 0.5), 1e-12);
}

TEST(FoamFit, ErrorsWordForWord) {
  const std::vector<Measurement> curves{{Experiment::uniaxial, "a.csv", {0.5, 1, 1.2}, {-1e4, 0, 1e4}}};
  const auto error = [&](const char* model, const FitOptions& options) -> std::string {
    try {
      fit_material(model, curves, options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "(no error)";
  };
  FitOptions options;
  options.poisson = 0.3;
  EXPECT_EQ(error("blatz_ko", options),
            "poisson: found 0.3, but model 'blatz_ko' has Poisson's ratio 0.25; remove it, or fit model 'hyperfoam'");
  options.poisson = 0.5;
  EXPECT_EQ(error("hyperfoam", options),
            "poisson: found 0.5, expected at least 0 and less than 0.5 (nearly incompressible: 0.495)");
  options = {};
  options.terms = 2;
  EXPECT_EQ(error("blatz_ko", options), "terms: found 2, but model 'blatz_ko' is no sum of terms; remove it");
}

}  // namespace
}  // namespace sinew::foam_fit_test

// J2 flow of Hencky's solid: the radial return as a minimum, its derivatives, and hardening curves.
#include <cmath>
#include <random>

#include "differences.h"
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/material/material.h"

namespace sinew::test {
namespace {

Plasticity voce(double kinematic = 0) {
  Plasticity p;
  p.yield_stress = 2;
  p.hardening = 3;
  p.saturation_stress = 4;
  p.saturation_rate = 20;
  p.kinematic = kinematic;
  return p;
}
Plasticity perfect() {
  Plasticity p;
  p.yield_stress = 2;
  return p;
}
Plasticity of_table() {
  Plasticity p;
  p.table_strain = {0, 0.01, 0.05, 0.2};
  p.table_stress = {2, 3, 3.5, 4};
  return p;
}

// sigma by its formula, sum by sum.
double expected_yield(const Plasticity& p, double e) {
  if (p.table_strain.empty())
    return p.yield_stress + p.hardening * e +
           (p.saturation_stress - p.yield_stress) * (1 - std::exp(-p.saturation_rate * e));
  for (std::size_t k = 1; k < p.table_strain.size(); ++k)
    if (e < p.table_strain[k]) {
      const double t = (e - p.table_strain[k - 1]) / (p.table_strain[k] - p.table_strain[k - 1]);
      return (1 - t) * p.table_stress[k - 1] + t * p.table_stress[k];
    }
  return p.table_stress.back();
}

TEST(Hardening, CurvesTheirSlopesAndTheirWork) {
  for (const Plasticity& p : {voce(), of_table()}) {
    double work = 0;
    const double width = 0.3 / 3000;
    for (int k = 0; k < 3000; ++k) {
      const double e = (k + 0.5) * width;
      EXPECT_NEAR(yield_stress(p, e), expected_yield(p, e), 1e-14 * 4);
      const double slope = (expected_yield(p, e + width / 4) - expected_yield(p, e - width / 4)) / (width / 2);
      EXPECT_NEAR(hardening_slope(p, e), slope, 1e-4 * (1 + slope));
      work += yield_stress(p, e) * width;
    }
    EXPECT_NEAR(plastic_work(p, 0, 0.3), work, 1e-6 * work);
    EXPECT_NEAR(plastic_work(p, 0, 0.013) + plastic_work(p, 0.013, 0.3), plastic_work(p, 0, 0.3), 1e-14);
  }
}

// trial - stiffness d = sigma(p + d), over orders of magnitude of the stiffness, and at the ends of the table's pieces.
TEST(Hardening, IncrementsEndOnTheYieldSurface) {
  for (const Plasticity& p : {voce(), of_table(), perfect()}) {
    for (const double stiffness : {1e-3, 1.0, 1e3, 1e6, 1e9})
      for (const double before : {0.0, 0.005, 0.01, 0.05, 0.0501, 0.3})
        for (const double beyond : {1e-12, 1e-6, 1e-3, 1.0, 1e3}) {
          const double trial = yield_stress(p, before) * (1 + beyond);
          const double d = plastic_increment(p, trial, stiffness, before);
          EXPECT_GT(d, 0);
          EXPECT_NEAR(trial - stiffness * d, yield_stress(p, before + d), 4e-15 * trial);
        }
    EXPECT_EQ(plastic_increment(p, 1.999, 10, 0), 0);
  }
}

double von_mises_of(const Mat3& cauchy) {
  const Mat3 s = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * s.norm();
}

Material metal(const Plasticity& p) {
  return {std::make_shared<const HenckyPlastic>(p), {{"young", {1000}}, {"poisson", {0.3}}}};
}

// F of random axes with strains up to `size`.
Mat3 sample(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> of(-1, 1);
  const auto rotation = [&] { return Eigen::Quaterniond(of(random), of(random), of(random), of(random)).normalized(); };
  const Vec3 s = (size * Vec3(of(random), of(random), of(random))).array().exp();
  return rotation().toRotationMatrix() * s.asDiagonal() * rotation().toRotationMatrix();
}

// W is the least over plastic strains along the axes, by brute force; stress and Hessian are its derivatives.
TEST(HenckyPlastic, EnergyIsTheLeastOverTheFlow) {
  std::mt19937 random(3);
  for (const Plasticity& p : {voce(), of_table(), voce(150)}) {
    const Material material = metal(p);
    const double mu = material.kernel_parameters()[1], lambda = material.kernel_parameters()[0];
    const double r = 3 * mu / (3 * mu + p.kinematic), m = r * mu;
    for (const double size : {1e-3, 1e-2, 0.1, 0.5}) {
      const Mat3 F = sample(random, size);
      const Vec3 s = F.jacobiSvd().singularValues(), l = s.array().log();
      const Vec3 d = l.array() - l.mean();
      const double trial = std::sqrt(6.0) * m * d.norm(), volume = (lambda + 2 * mu / 3) / 2 * l.sum() * l.sum();
      double least = 1e300;
      for (int k = 0; k <= 200000; ++k) {
        const double dp = k / 200000.0 * d.norm();
        const double q = trial - 3 * m * dp / r;
        if (q < 0) break;
        least = std::min(least, volume + q * q / (6 * m) + plastic_work(p, 0, dp));
      }
      EXPECT_NEAR(material.energy(F), least, 1e-8 * least) << size;
      EXPECT_LE(material.energy(F), least * (1 + 1e-11));  // strains are exact to 1e-16 over 1e-3
    }
  }
}

TEST(HenckyPlastic, StressIsOnTheYieldSurface) {
  std::mt19937 random(4);
  for (const Plasticity& p : {voce(), of_table()}) {
    const Material material = metal(p);
    const HenckyPlastic& plastic = *material.model().plastic();
    for (const double size : {1e-3, 1e-2, 0.1, 0.5}) {
      const Mat3 F = sample(random, size);
      const Mat3 kirchhoff = material.stress(F) * F.transpose();
      const Vec3 s = F.jacobiSvd().singularValues();
      const double kernel[3] = {material.kernel_parameters()[0], material.kernel_parameters()[1], 0};
      const HenckyPlastic::Flow flow = plastic.flow(s.data(), kernel);
      EXPECT_EQ(flow.increment > 0, size > 1e-3) << size;
      if (flow.increment == 0) continue;
      EXPECT_NEAR(von_mises_of(kirchhoff), yield_stress(p, flow.increment), 1e-10 * 4) << size;
      EXPECT_NEAR(flow.strain[0] + flow.strain[1] + flow.strain[2], 0, 1e-15);
    }
  }
}

// The last three have equal stretches, where the axes are not unique.
TEST(HenckyPlastic, DerivativesMatchDifferences) {
  std::mt19937 random(5);
  for (const Plasticity& p : {voce(), of_table(), voce(150)}) {
    for (const double size : {1e-3, 0.02, 0.1, 0.5}) expect_material_derivatives(metal(p), sample(random, size), 1e-6);
    for (const Vec3& s : {Vec3(1, 1, 1), Vec3(1.1, 1.1, 1.1), Vec3(1.2, 1.2, 0.9)})
      expect_material_derivatives(metal(p), s.asDiagonal(), 1e-6);
  }
}

TEST(HenckyPlastic, RefusesWhatIsNoMetal) {
  const auto message = [](const Plasticity& p) -> std::string {
    try {
      const HenckyPlastic refused(p);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(voce()), "");
  EXPECT_NE(message({}).find("yield_stress: found 0"), std::string::npos);
  Plasticity p = voce();
  p.saturation_stress = 1;
  EXPECT_NE(message(p).find("saturation_stress: found 1"), std::string::npos);
  p = voce();
  p.saturation_rate = 0;
  EXPECT_NE(message(p).find("saturation_rate: found 0"), std::string::npos);
  p = of_table();
  p.table_stress[2] = 2.5;
  EXPECT_NE(message(p).find("table.stress[2]: found 2.5"), std::string::npos);
  p = of_table();
  p.table_strain[0] = 0.001;
  EXPECT_NE(message(p).find("table.strain[0]: found 0.001"), std::string::npos);
  p = of_table();
  p.table_strain[2] = 0.01;
  EXPECT_NE(message(p).find("table.strain[2]: found 0.01"), std::string::npos);
  p = of_table();
  p.table_stress.pop_back();
  EXPECT_NE(message(p).find("4 values and stress has 3"), std::string::npos);
}

}  // namespace
}  // namespace sinew::test

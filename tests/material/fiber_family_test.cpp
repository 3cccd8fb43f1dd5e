// Families of dispersed fibers against their formula, differences and closed forms of tension.
#include "sinew/material/fiber_family.h"

#include <cmath>

#include "differences.h"
#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

struct Tissue {
  double mu = 3, bulk = 50, k1 = 20, k2 = 2, dispersion = 0.1;
  std::vector<Vec3> families = {Vec3(1, 0.4, 0), Vec3(1, -0.4, 0.1)};

  Material material() const {
    return {shared_material_model("holzapfel_gasser_ogden"),
            {{"mu", {mu}}, {"bulk", {bulk}}, {"k1", {k1}}, {"k2", {k2}}, {"dispersion", {dispersion}}},
            {},
            families};
  }
  double energy(const Mat3& F) const {
    const double J = F.determinant(), I1 = F.squaredNorm();
    double w = mu / 2 * (I1 * std::pow(J, -2.0 / 3) - 3) + bulk / 2 * std::log(J) * std::log(J);
    for (const Vec3& family : families) {
      const double I4 = (F * family.normalized()).squaredNorm();
      const double E = dispersion * (I1 - 3) + (1 - 3 * dispersion) * (I4 - 1);
      if (E > 0) w += k1 / (2 * k2) * (std::exp(k2 * E * E) - 1);
    }
    return w;
  }
};

Mat3 state(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> of(-size, size);
  Mat3 F = Mat3::Identity();
  for (double& value : F.reshaped()) value += of(random);
  return F;
}

TEST(FiberFamily, EnergyMatchesItsFormula) {
  std::mt19937 random(1);
  for (const double dispersion : {0.0, 0.1, 1.0 / 3}) {
    Tissue tissue;
    tissue.dispersion = dispersion;
    const Material material = tissue.material();
    for (int k = 0; k < 40; ++k) {
      const Mat3 F = state(random, 0.3);
      EXPECT_NEAR(material.energy(F), tissue.energy(F), 1e-13 * (1 + tissue.energy(F)));
    }
    EXPECT_EQ(material.energy(Mat3(Mat3::Identity())), 0);
  }
}

TEST(FiberFamily, DerivativesMatchDifferences) {
  std::mt19937 random(2);
  for (const double dispersion : {0.0, 0.1, 1.0 / 3}) {
    Tissue tissue;
    tissue.dispersion = dispersion;
    for (int k = 0; k < 20; ++k) expect_material_derivatives(tissue.material(), state(random, 0.25), 1e-5);
  }
}

// Isochoric stretch l along the one family adds 2 psi' l^2 to the difference of the principal stresses; compression
// adds nothing.
TEST(FiberFamily, OnlyTautFibersCarry) {
  Tissue tissue;
  tissue.families = {Vec3::UnitX()};
  tissue.dispersion = 0;
  const Material material = tissue.material();
  const auto excess = [&](double l) {
    const Mat3 F = Vec3(l, 1 / std::sqrt(l), 1 / std::sqrt(l)).asDiagonal();
    const Mat3 P = material.stress(F);
    return (P * F.transpose())(0, 0) - (P * F.transpose())(1, 1) - tissue.mu * (l * l - 1 / l);
  };
  for (const double l : {1.05, 1.2, 1.5}) {
    const double E = l * l - 1, expected = 2 * tissue.k1 * E * std::exp(tissue.k2 * E * E) * l * l;
    EXPECT_NEAR(excess(l), expected, 1e-12 * expected);
  }
  EXPECT_NEAR(excess(0.9), 0, 1e-13 * tissue.bulk);
}

TEST(FiberFamily, IsRequiredByItsModelAlone) {
  Tissue none;
  none.families.clear();
  EXPECT_THROW(none.material(), InputError);
  EXPECT_THROW(
      Material(shared_material_model("neo_hookean"), {{"young", {1}}, {"poisson", {0.3}}}, {}, {Vec3(1, 0, 0)}),
      InputError);
}

}  // namespace
}  // namespace sinew::test

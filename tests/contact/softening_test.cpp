// The least stiffness of contacts and friction within a radius: what the stop test sees.
#include <random>

#include "contact/stencil_cases.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/contact/friction.h"
#include "sinew/contact/stencil_energy.h"

namespace sinew {
namespace {

TEST(Softening, NormalStiffnessIsTheSecondDifferenceAndFallsWithTheGap) {
  ContactStencil stencil;
  stencil.weight = 0.3;
  const BarrierParameters barrier{2e4, 1e-3};
  const auto energy = [&](double gap) {
    return barrier.factor() * stencil.weight * sinew::barrier(gap * gap, barrier.distance2());
  };
  double last = 1e300;
  for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99}) {
    const double gap = share * barrier.distance, h = 1e-4 * std::min(gap, barrier.distance - gap);
    const double difference = (energy(gap + h) - 2 * energy(gap) + energy(gap - h)) / (h * h);
    const double stiffness = stencil_normal_stiffness(stencil, gap, barrier);
    EXPECT_NEAR(stiffness, difference, 1e-4 * stiffness) << share;
    EXPECT_LT(stiffness, last);
    last = stiffness;
  }
  EXPECT_EQ(stencil_normal_stiffness(stencil, barrier.distance, barrier), 0);
}

class FrictionSoftening : public testing::Test {
 protected:
  FrictionSoftening()
      : case_(test::stencil_cases(1e-2, 3).front()),
        friction_(lag_friction(test::contact_of(case_, 0.5), case_.x, {}, {1e4, 0.05}, 0.3)) {}

  // Slipped by u along the first tangent, in units of eps.
  Points slipped(double u) const {
    Points x = case_.x;
    x.col(friction_.v[0]) += u * eps_ * friction_.T.col(0) / friction_.c[0];
    return x;
  }

  const double eps_ = 1e-3;
  test::StencilCase case_;
  FrictionStencil friction_;
};

TEST_F(FrictionSoftening, IsALowerBoundWithinTheRadiusThatIsReached) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0, 1);
  const double scale = friction_.coefficient * friction_.normal_force / eps_;
  for (const double slip : {0.0, 0.1, 0.9, 1.5, 10.0}) {
    for (const double radius : {0.01, 0.3, 2.0}) {
      const Mat3 least = least_friction_hessian(friction_, slipped(slip), case_.x, eps_, radius * eps_);
      double lowest = 1e300;
      for (int trial = 0; trial < 200; ++trial) {
        const double other = slip + (2 * share(random) - 1) * radius;
        const Mat3 exact = friction_hessian(friction_, slipped(other), case_.x, eps_);
        const Mat3 above = exact - least;
        EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat3>(above).eigenvalues()[0], -1e-12 * scale) << slip << " " << other;
        lowest = std::min(lowest, friction_.T.col(0).dot(exact * friction_.T.col(0)));
      }
      EXPECT_NEAR(friction_.T.col(0).dot(least * friction_.T.col(0)), lowest, 0.05 * scale) << slip << " " << radius;
    }
  }
}

TEST_F(FrictionSoftening, IsTheRatioOfSlopes) {
  const auto softening = [&](double slip, double radius) {
    return friction_softening(friction_, slipped(slip), case_.x, eps_, radius * eps_);
  };
  EXPECT_GT(softening(0.1, 0.05), 0.9);          // sticks, and will
  EXPECT_NEAR(softening(0.5, 0.25), 0.5, 1e-9);  // f1' = 2 (1 - y): 1 at 0.5, 0.5 at 0.75
  EXPECT_EQ(softening(0.5, 0.6), 0);             // may slip
  EXPECT_GT(softening(5, 0.1), 0.9);             // slips, with nothing to lose along the slip
}

}  // namespace
}  // namespace sinew

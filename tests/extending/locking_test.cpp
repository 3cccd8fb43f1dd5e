// The material of docs/extending.md: what test_material asks of every model, in short. reference.h is the changed one.
#include "material/reference.h"
#include <gtest/gtest.h>

namespace sinew::test {
namespace {

const Mat3 some_state = (Mat3() << 1.2, 0.1, -0.2, 0.05, 0.9, 0.15, -0.1, 0.2, 1.1).finished();

Material locking() {
  return {sample_model("locking"), sample_parameters("locking")};
}

TEST(Locking, EnergyIsTheFormula) {
  const Material material = locking();
  const std::vector<double> k(material.kernel_parameters().begin(), material.kernel_parameters().end());
  EXPECT_NEAR(material.energy(some_state), double(reference_energy("locking", k, some_state.cast<Real>())), 1e-14);
  EXPECT_TRUE(std::isinf(material.energy(Mat3(9 * Mat3::Identity()))));  // I1 - 3 > jm
  EXPECT_TRUE(std::isinf(material.energy(Mat3(-Mat3::Identity()))));
}

// Central differences of step h are off by h^2 and, by rounding, 1e-16 / h.
TEST(Locking, StressAndHessianMatchDifferences) {
  const Material material = locking();
  const Mat9 H = material.hessian(some_state, false);
  const double h = 1e-5;
  for (int k = 0; k < 9; ++k) {
    Mat3 forward = some_state, backward = some_state;
    forward(k / 3, k % 3) += h;
    backward(k / 3, k % 3) -= h;
    EXPECT_NEAR(material.stress(some_state)(k / 3, k % 3),
                (material.energy(forward) - material.energy(backward)) / (2 * h), 1e-8);
    const Mat3 column = (material.stress(forward) - material.stress(backward)) / (2 * h);
    for (int r = 0; r < 9; ++r) EXPECT_NEAR(H(r, k), column(r / 3, r % 3), 1e-8);
  }
}

TEST(Locking, IsLinearAtRest) {
  const Material material = locking();
  const LameParameters lame = material.model().linearized(material.kernel_parameters().data());
  EXPECT_EQ(material.stress(Mat3::Identity()), Mat3::Zero());
  const Mat9 H = material.hessian(Mat3::Identity(), false);
  EXPECT_NEAR(H(0, 0), lame.lambda + 2 * lame.mu, 1e-14);
  EXPECT_NEAR(H(0, 4), lame.lambda, 1e-14);
  EXPECT_NEAR(H(1, 1), lame.mu, 1e-14);
}

}  // namespace
}  // namespace sinew::test

// Stress and Hessian of a material against central differences at one F.
#pragma once

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/material/material.h"

namespace sinew::test {

// The projected Hessian has no negative eigenvalue. tolerance: of differences, relative to the largest entry.
inline void expect_material_derivatives(const Material& material, const Mat3& F, double tolerance) {
  const Mat3 P = material.stress(F);
  const Mat9 H = material.hessian(F, false);
  ASSERT_TRUE(H.allFinite());
  constexpr double h = 1e-6;
  for (int k = 0; k < 9; ++k) {
    Mat3 forward = F, backward = F;
    forward(k / 3, k % 3) += h;
    backward(k / 3, k % 3) -= h;
    const double slope = (material.energy(forward) - material.energy(backward)) / (2 * h);
    EXPECT_NEAR(P(k / 3, k % 3), slope, tolerance * (P.norm() + h * H.norm()));
    const Mat3 change = (material.stress(forward) - material.stress(backward)) / (2 * h);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(H(i, k), change(i / 3, i % 3), tolerance * H.norm());
  }
  const Eigen::SelfAdjointEigenSolver<Mat9> projected(material.hessian(F, true));
  EXPECT_GE(projected.eigenvalues()[0], -1e-12 * projected.eigenvalues()[8]);
}

}  // namespace sinew::test

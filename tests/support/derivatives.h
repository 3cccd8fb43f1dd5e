// Gradients and Hessians of an Energy against central differences, none of which may vanish: an energy that is always
// zero has right derivatives, too.
#pragma once

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/potential/energy.h"

namespace sinew::test {

// h: step of the differences [m]. The tolerances are those of central differences: h^2 times third derivatives, and
// rounding over h, both relative to the largest entry.
inline void expect_derivatives(const Energy& energy, const Points& x, double h,
                               std::shared_ptr<const BlockPattern> pattern = nullptr, double tolerance = 1e-5) {
  const Index n = static_cast<Index>(x.cols());
  if (!pattern) {
    std::vector<std::pair<Index, Index>> pairs;
    energy.collect_pairs(pairs);
    pattern = make_pattern(n, pairs);
  }
  SymBlockMatrix H(pattern);
  Points g = Points::Zero(3, n);
  energy.add_derivatives(x, 1, Projection::none, g, H);
  Points g_alone = Points::Zero(3, n);
  energy.add_gradient(x, 1, g_alone);
  EXPECT_GT(g.norm(), 0) << energy.name() << ": its gradient vanishes here, which tests nothing";
  EXPECT_LE((g - g_alone).norm(), 1e-12 * g.norm());

  Points numeric(3, n);
  MatX columns(3 * n, 3 * n), products(3 * n, 3 * n);
  VecX unit = VecX::Zero(3 * n);
  for (Index k = 0; k < 3 * n; ++k) {
    Points forward = x, backward = x;
    forward.data()[k] += h;
    backward.data()[k] -= h;
    numeric.data()[k] = (energy.value(forward) - energy.value(backward)) / (2 * h);
    Points gf = Points::Zero(3, n), gb = Points::Zero(3, n);
    energy.add_gradient(forward, 1, gf);
    energy.add_gradient(backward, 1, gb);
    columns.col(k) = (gf - gb).reshaped() / (2 * h);
    unit[k] = 1;
    H.multiply(unit.data(), products.col(k).data());
    unit[k] = 0;
  }
  EXPECT_GT(products.norm(), 0) << energy.name() << ": its Hessian vanishes here, which tests nothing";
  EXPECT_LE((g - numeric).cwiseAbs().maxCoeff(), tolerance * g.cwiseAbs().maxCoeff()) << energy.name();
  EXPECT_LE((columns - products).cwiseAbs().maxCoeff(), tolerance * products.cwiseAbs().maxCoeff()) << energy.name();
}

// The projected Hessian at x has no negative eigenvalue.
inline void expect_semidefinite(const Energy& energy, const Points& x) {
  const Index n = static_cast<Index>(x.cols());
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  SymBlockMatrix H(make_pattern(n, pairs));
  Points g = Points::Zero(3, n);
  energy.add_derivatives(x, 1, Projection::psd, g, H);
  MatX dense(3 * n, 3 * n);
  VecX unit = VecX::Zero(3 * n);
  for (Index k = 0; k < 3 * n; ++k) {
    unit[k] = 1;
    H.multiply(unit.data(), dense.col(k).data());
    unit[k] = 0;
  }
  const VecX eigenvalues = Eigen::SelfAdjointEigenSolver<MatX>(dense).eigenvalues();
  EXPECT_GE(eigenvalues[0], -1e-12 * eigenvalues[3 * n - 1]);
}

}  // namespace sinew::test

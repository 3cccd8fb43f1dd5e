#include <random>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/multilevel/subspace_level.h"

namespace sinew {
namespace {

// n vertices at random places, each with 1 to 4 of k handles.
struct Case {
  HandleBasis basis;
  Points rest;
  SymBlockMatrix H;
  std::vector<char> fixed;
};

Case random_case(Index n, Index k, int links) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Case c;
  c.rest.resize(3, n);
  for (Index v = 0; v < n; ++v) c.rest.col(v) = Vec3(uniform(random), uniform(random), uniform(random));
  for (Index i = 0; i < k; ++i) {
    c.basis.center.push_back(Vec3(uniform(random), uniform(random), uniform(random)));
    c.basis.radius.push_back(0.5 + 0.25 * uniform(random));
  }
  c.basis.begin.push_back(0);
  for (Index v = 0; v < n; ++v) {
    // Neighbouring vertices share handles, as in a mesh.
    for (Index i = 0; i < k; ++i) {
      if (std::abs(i - v * static_cast<double>(k) / n) > 2) continue;
      c.basis.handle.push_back(i);
      c.basis.weight.push_back(0.5 + 0.5 * uniform(random));
    }
    c.basis.begin.push_back(static_cast<std::int64_t>(c.basis.handle.size()));
  }
  std::vector<std::pair<Index, Index>> pairs;
  for (Index v = 0; v < n; ++v)
    for (int l = 0; l < links; ++l) {
      const Index w = std::min<Index>(n - 1, v + 1 + static_cast<Index>(random() % 20));
      pairs.push_back({v, w});
    }
  pairs.push_back({0, n - 1});  // a contact between far places
  c.H.set_pattern(make_pattern(n, pairs));
  for (double& value : c.H.values()) value = 0.1 * uniform(random);
  const auto& begin = c.H.pattern().row_begin;
  for (Index v = 0; v < n; ++v) {
    Eigen::Map<Mat3> D(c.H.block(begin[v]));
    D = (0.5 * (D + D.transpose())).eval() + 20 * Mat3::Identity();
  }
  c.fixed.assign(3 * n, 0);
  return c;
}

MatX dense(const SymBlockMatrix& H) {
  MatX A = MatX::Zero(3 * H.rows(), 3 * H.rows());
  const BlockPattern& pattern = H.pattern();
  for (Index i = 0; i < H.rows(); ++i)
    for (auto s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
      const Index j = pattern.columns[s];
      const Eigen::Map<const Mat3> block(H.block(s));
      A.block<3, 3>(3 * i, 3 * j) = block;
      A.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  return A;
}

MatX dense(const HandleBasis& basis, const Points& rest) {
  MatX U(rest.size(), 12 * basis.handle_count());
  for (Index j = 0; j < U.cols(); ++j) {
    const VecX q = VecX::Unit(U.cols(), j);
    Points u;
    lift(basis, rest, q.data(), u);
    U.col(j) = Eigen::Map<const VecX>(u.data(), u.size());
  }
  return U;
}

TEST(Galerkin, EqualsDenseProduct) {
  for (const auto& [n, k] : {std::pair<Index, Index>{40, 3}, {2500, 30}}) {
    Case c = random_case(n, k, 4);
    GalerkinProduct product(c.basis, c.rest);
    SymBlockMatrix A;
    product.compute(c.H, {}, A);
    const MatX U = dense(c.basis, c.rest);
    const MatX expected = U.transpose() * dense(c.H) * U;
    // Sums of n terms of both signs.
    EXPECT_LT((dense(A) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff()) << n;
    // Again, into the same pattern.
    const auto pattern = A.shared_pattern();
    product.compute(c.H, {}, A);
    EXPECT_EQ(A.shared_pattern(), pattern);
    EXPECT_LT((dense(A) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(Galerkin, SameBitsForAnyNumberOfThreads) {
  Case c = random_case(3000, 40, 4);
  std::vector<double> bits[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    GalerkinProduct product(c.basis, c.rest);
    SymBlockMatrix A;
    product.compute(c.H, {}, A);
    bits[threads - 1].assign(A.values().begin(), A.values().end());
  }
  EXPECT_EQ(bits[0], bits[1]);
}

// Onto an earlier product, which has fewer pairs of handles.
TEST(Galerkin, AddsToABase) {
  Case c = random_case(200, 20, 4);
  const auto far = c.H.pattern().find(0, 199);
  SymBlockMatrix contact(make_pattern(200, std::vector<std::pair<Index, Index>>{{0, 199}}));
  std::copy_n(c.H.block(far), 9, contact.block(contact.pattern().find(0, 199)));
  SymBlockMatrix without = c.H;
  std::fill_n(without.block(far), 9, 0.0);
  GalerkinProduct product(c.basis, c.rest);
  SymBlockMatrix base, A, expected;
  product.compute(without, {}, base);
  product.compute(contact, {}, A, &base);
  EXPECT_GT(A.pattern().block_count(), base.pattern().block_count());
  GalerkinProduct(c.basis, c.rest).compute(c.H, {}, expected);
  EXPECT_EQ(A.pattern(), expected.pattern());
  EXPECT_LT((dense(A) - dense(expected)).cwiseAbs().maxCoeff(), 1e-12 * dense(expected).cwiseAbs().maxCoeff());
}

TEST(Galerkin, ForgetsPairsOnReset) {
  Case c = random_case(200, 20, 4);
  GalerkinProduct product(c.basis, c.rest);
  SymBlockMatrix A;
  product.compute(c.H, {}, A);
  const auto blocks = A.pattern().block_count();
  SymBlockMatrix without = c.H;  // the far pair becomes zero
  const auto far = without.pattern().find(0, 199);
  std::fill_n(without.block(far), 9, 0.0);
  product.compute(without, {}, A);
  EXPECT_EQ(A.pattern().block_count(), blocks);
  product.reset();
  product.compute(without, {}, A);
  EXPECT_LT(A.pattern().block_count(), blocks);
}

// U A^-1 U^T r, with some coordinates fixed.
TEST(SubspaceLevel, CorrectsLikeDenseAlgebra) {
  Case c = random_case(300, 5, 4);
  for (Index v = 0; v < 300; v += 7) c.fixed[3 * v + v % 3] = 1;
  MatX U = dense(c.basis, c.rest);
  Points r(3, 300);
  for (Index v = 0; v < 300; ++v)
    for (int k = 0; k < 3; ++k) {
      r(k, v) = c.fixed[3 * v + k] ? 0 : std::sin(3 * v + k);
      if (c.fixed[3 * v + k]) U.row(3 * v + k).setZero();
    }
  const MatX A = U.transpose() * dense(c.H) * U;
  const VecX expected = U * A.ldlt().solve(U.transpose() * Eigen::Map<const VecX>(r.data(), r.size()));
  c.H.constrain(c.fixed, 3.0);  // which no correction sees
  for (const auto kind : {SubspaceLevel::Solver::factor, SubspaceLevel::Solver::pcg}) {
    SubspaceLevel level(c.basis, c.rest, kind, 1e-12);
    level.compute(c.H, nullptr, c.fixed);
    Points correction = Points::Zero(3, 300);
    level.add_correction(r.data(), correction.data());
    const Eigen::Map<const VecX> found(correction.data(), correction.size());
    // Factors are in single precision.
    const double rounding = kind == SubspaceLevel::Solver::factor ? 1e-6 : 1e-9;
    EXPECT_LT((found - expected).norm(), rounding * expected.norm());
  }
}

// A free body, 1e8 times stiffer than its mass: H = 1e8 L + M with the Laplacian L of its graph. Of a translation with
// some deformation, single precision loses ten times as much as double: its rounding of elastic forces moves the body.
TEST(SubspaceLevel, DoublePrecisionSeesInertiaBesideStiffness) {
  constexpr double stiffness = 1e8;
  Case c = random_case(300, 8, 4);
  for (Index v = 0; v < 300; ++v) {  // weights that add up to 1: translations are in the span
    double sum = 0;
    for (auto e = c.basis.begin[v]; e < c.basis.begin[v + 1]; ++e) sum += c.basis.weight[e];
    for (auto e = c.basis.begin[v]; e < c.basis.begin[v + 1]; ++e) c.basis.weight[e] /= sum;
  }
  c.H.set_zero();
  const BlockPattern& pattern = c.H.pattern();
  const auto add = [&](std::int64_t slot, double value) {
    for (int k = 0; k < 3; ++k) c.H.block(slot)[4 * k] += value;
  };
  for (Index i = 0; i < 300; ++i) {
    add(pattern.row_begin[i], 1);
    for (auto s = pattern.row_begin[i] + 1; s < pattern.row_begin[i + 1]; ++s) {
      add(s, -stiffness);
      add(pattern.row_begin[i], stiffness);
      add(pattern.row_begin[pattern.columns[s]], stiffness);
    }
  }
  Points deformed;
  VecX q(12 * c.basis.handle_count());
  for (Index i = 0; i < q.size(); ++i) q[i] = 0.01 * std::sin(i);
  lift(c.basis, c.rest, q.data(), deformed);
  const Points t = Points::Ones(3, 300) + deformed;
  Points r(3, 300);
  c.H.multiply(t.data(), r.data());
  const auto error = [&](bool single) {
    SubspaceLevel level(c.basis, c.rest, SubspaceLevel::Solver::factor, 0.1);
    level.reset(single);
    EXPECT_TRUE(level.compute(c.H, nullptr, c.fixed));
    Points found = Points::Zero(3, 300);
    level.add_correction(r.data(), found.data());
    return (found - t).norm() / t.norm();
  };
  EXPECT_LT(error(false), 1e-3);  // 1e-11 of the diagonal is added to it
  EXPECT_GT(error(true), 5e-3);   // 6e-8 of the forces
}

// Two handles with the same weights: the reduced matrix is singular, the correction is not. Single precision (6e-8) is
// 0.02 of the smallest pivots, the roots of the shift of 1e-11.
TEST(SubspaceLevel, RenewsContacts) {
  const Case c = random_case(200, 20, 4);
  SymBlockMatrix first(make_pattern(200, std::vector<std::pair<Index, Index>>{{3, 150}}));
  SymBlockMatrix second(make_pattern(200, std::vector<std::pair<Index, Index>>{{50, 120}}));
  const auto join = [](SymBlockMatrix& C, Index i, Index j) {
    const auto& begin = C.pattern().row_begin;
    for (int a = 0; a < 3; ++a) {
      C.block(begin[i])[4 * a] = C.block(begin[j])[4 * a] = 50;
      C.block(C.pattern().find(i, j))[4 * a] = -50;
    }
  };
  join(first, 3, 150);
  join(second, 50, 120);
  const auto corrected = [&](SubspaceLevel& level) {
    Points r = c.rest, sum = Points::Zero(3, 200);
    level.add_correction(r.data(), sum.data());
    return sum;
  };
  SubspaceLevel renewed(c.basis, c.rest, SubspaceLevel::Solver::factor, 0.1);
  ASSERT_TRUE(renewed.compute(c.H, &first, c.fixed));
  const Points before = corrected(renewed);
  ASSERT_TRUE(renewed.renew_contacts(second, c.fixed));
  const Points after = corrected(renewed);
  SubspaceLevel fresh(c.basis, c.rest, SubspaceLevel::Solver::factor, 0.1);
  ASSERT_TRUE(fresh.compute(c.H, &second, c.fixed));
  const Points expected = corrected(fresh);
  EXPECT_LT((after - expected).norm(), 1e-5 * expected.norm());  // factors are in single precision
  EXPECT_GT((before - expected).norm(), 1e-2 * expected.norm());
}

TEST(SubspaceLevel, CopesWithDependentColumns) {
  Case c = random_case(100, 1, 4);
  HandleBasis twice = c.basis;
  twice.center.push_back(c.basis.center[0]);
  twice.radius.push_back(c.basis.radius[0]);
  twice.handle.clear();
  twice.weight.clear();
  twice.begin = {0};
  for (Index v = 0; v < 100; ++v) {
    for (Index i = 0; i < 2; ++i) {
      twice.handle.push_back(i);
      twice.weight.push_back(c.basis.weight[v]);
    }
    twice.begin.push_back(2 * (v + 1));
  }
  const Points r = Points::Random(3, 100);
  Points once_correction = Points::Zero(3, 100), twice_correction = Points::Zero(3, 100);
  SubspaceLevel once_level(c.basis, c.rest, SubspaceLevel::Solver::factor, 0.1);
  once_level.compute(c.H, nullptr, c.fixed);
  once_level.add_correction(r.data(), once_correction.data());
  SubspaceLevel twice_level(twice, c.rest, SubspaceLevel::Solver::factor, 0.1);
  twice_level.compute(c.H, nullptr, c.fixed);
  twice_level.add_correction(r.data(), twice_correction.data());
  EXPECT_LT((once_correction - twice_correction).norm(), 0.02 * once_correction.norm());
}

}  // namespace
}  // namespace sinew

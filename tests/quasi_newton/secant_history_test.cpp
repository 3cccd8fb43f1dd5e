#include "sinew/quasi_newton/secant_history.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/core/types.h"

namespace sinew {
namespace {

Points random_points(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Points::NullaryExpr(3, n, [&] { return normal(random); });
}

void diagonal(const Points& q, Points& r) {
  r.resize(3, q.cols());
  for (Index i = 0; i < q.cols(); ++i) r.col(i) = q.col(i) / (1 + i);
}

double dot(const Points& a, const Points& b) {
  return a.cwiseProduct(b).sum();
}

Points applied(SecantHistory& history, Points q) {
  Points r;
  history.apply(diagonal, q, r);
  return r;
}

TEST(SecantHistory, WithoutPairsIsTheFirstGuess) {
  for (const int size : {0, 3}) {
    SecantHistory history(size);
    const Points q = random_points(7, 1);
    Points expected;
    diagonal(q, expected);
    EXPECT_EQ(applied(history, q), expected);
    if (size == 0) history.add(q, q);
    EXPECT_EQ(applied(history, q), expected);
  }
}

// B y = s for the last pair, and B is symmetric and positive definite.
TEST(SecantHistory, KnowsTheLastPair) {
  SecantHistory history(4);
  Points s, y;
  for (unsigned k = 0; k < 9; ++k) {
    s = random_points(7, 10 + k);
    y = s;
    for (Index i = 0; i < 7; ++i) y.col(i) *= 2.0 + (i % 3);
    history.add(s, y);
    EXPECT_EQ(history.count(), std::min<int>(4, static_cast<int>(k) + 1));
    EXPECT_LT((applied(history, y) - s).norm(), 1e-12 * s.norm());
    const Points a = random_points(7, 30 + k), b = random_points(7, 60 + k);
    EXPECT_NEAR(dot(a, applied(history, b)), dot(b, applied(history, a)), 1e-12 * a.norm() * b.norm());
    EXPECT_GT(dot(a, applied(history, a)), 0);
  }
  EXPECT_NEAR(history.scale(), dot(s, y) / dot(y, y), 1e-15);
  history.clear();
  EXPECT_EQ(history.count(), 0);
}

TEST(SecantHistory, LeavesOutPairsWithoutCurvature) {
  SecantHistory history(4);
  const Points s = random_points(5, 3);
  history.add(s, -s);
  history.add(s, Points::Zero(3, 5));
  history.add(Points::Zero(3, 5), Points::Zero(3, 5));
  EXPECT_EQ(history.count(), 0);
}

// A quadratic in 3 n unknowns is minimised in 3 n exact line searches by its conjugate directions.
TEST(SecantHistory, FindsTheMinimumOfAQuadratic) {
  constexpr Index n = 4;
  const Points b = random_points(n, 5);
  Eigen::MatrixXd A = Eigen::MatrixXd::Random(3 * n, 3 * n);
  A = (A * A.transpose() + Eigen::MatrixXd::Identity(3 * n, 3 * n)).eval();
  const auto times = [&](const Points& x) {
    const VecX product = A * Eigen::Map<const VecX>(x.data(), 3 * n);
    return Points(Eigen::Map<const Points>(product.data(), 3, n));
  };
  SecantHistory history(20);
  Points x = Points::Zero(3, n), g = -b;
  for (Index k = 0; k < 3 * n; ++k) {
    const Points d = applied(history, -g);
    const Points Ad = times(d), s = -dot(g, d) / dot(d, Ad) * d;
    x += s;
    const Points next = times(x) - b;
    history.add(s, next - g);
    g = next;
  }
  EXPECT_LT(g.norm(), 1e-9 * b.norm());
}

}  // namespace
}  // namespace sinew

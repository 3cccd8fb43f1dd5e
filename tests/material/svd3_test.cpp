#include "sinew/material/svd3.h"

#include "reference.h"
#include <gtest/gtest.h>

namespace sinew::test {
namespace {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Of `count` matrices: f, u, v 9 each (row-major), s 3 each.
void svd3_batch(std::size_t count, const double* f, double* u, double* s, double* v) {
  for (std::size_t begin = 0; begin < count; begin += lane_count) {
    const std::size_t used = std::min<std::size_t>(lane_count, count - begin);
    Lanes in[9];
    for (int k = 0; k < 9; ++k) {
      in[k] = Lanes([&](auto lane) { return f[9 * (begin + std::min<std::size_t>(lane, used - 1)) + k]; });
    }
    Svd3<Lanes> out;
    svd3(in, out);
    for (std::size_t lane = 0; lane < used; ++lane) {
      for (int k = 0; k < 9; ++k) u[9 * (begin + lane) + k] = out.u[k][lane];
      for (int k = 0; k < 9; ++k) v[9 * (begin + lane) + k] = out.v[k][lane];
      for (int k = 0; k < 3; ++k) s[3 * (begin + lane) + k] = out.s[k][lane];
    }
  }
}

struct Errors {
  double backward = 0, orthogonality = 0, values = 0;
};

// Worst errors relative to |F|; checks signs, determinants and order as it goes.
Errors svd_errors(const std::vector<Mat3>& matrices) {
  const std::size_t n = matrices.size();
  std::vector<double> f(9 * n), u(9 * n), s(3 * n), v(9 * n);
  for (std::size_t i = 0; i < n; ++i) Eigen::Map<RowMat3>(f.data() + 9 * i) = matrices[i];
  svd3_batch(n, f.data(), u.data(), s.data(), v.data());
  Errors worst;
  for (std::size_t i = 0; i < n; ++i) {
    const RowMat3 U = Eigen::Map<RowMat3>(u.data() + 9 * i), V = Eigen::Map<RowMat3>(v.data() + 9 * i);
    const Vec3 S = Eigen::Map<Vec3>(s.data() + 3 * i);
    const double scale = std::max(matrices[i].norm(), 1e-300);
    worst.backward = std::max(worst.backward, (U * S.asDiagonal() * V.transpose() - matrices[i]).norm() / scale);
    worst.orthogonality = std::max({worst.orthogonality, (U.transpose() * U - Mat3::Identity()).norm(),
                                    (V.transpose() * V - Mat3::Identity()).norm()});
    EXPECT_GT(U.determinant(), 0);
    EXPECT_GT(V.determinant(), 0);
    EXPECT_GE(S[0] - S[1], -1e-14 * scale);
    EXPECT_GE(S[1] - std::abs(S[2]), -1e-14 * scale);
    const RealVec3 exact = stretches(matrices[i].cast<Real>());
    for (int k = 0; k < 3; ++k) worst.values = std::max(worst.values, double(std::abs(S[k] - exact[k])) / scale);
  }
  return worst;
}

void expect_accurate(const std::vector<Mat3>& matrices) {
  const Errors worst = svd_errors(matrices);
  EXPECT_LT(worst.backward, 4e-15);
  EXPECT_LT(worst.orthogonality, 5e-15);
  EXPECT_LT(worst.values, 4e-15);
}

TEST(Svd3, RandomMatrices) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Mat3> matrices(5003);
  for (Mat3& F : matrices) F = Mat3::NullaryExpr([&] { return normal(random); });
  expect_accurate(matrices);
}

TEST(Svd3, RepeatedVanishingAndNegativeStretches) {
  std::mt19937 random(2);
  const std::vector<Vec3> cases{{1, 1, 1},       {1, 1, -1},        {2, 1, 1},           {2, 2, 1},
                                {1, 1, 0},       {1, 0, 0},         {0, 0, 0},           {3, 2, -2},
                                {1, 1e-8, 1e-8}, {1, 1e-5, -1e-11}, {1, 0.5, -1e-16},    {1, 1, 1 - 1e-15},
                                {1e3, 1, 1e-3},  {1, 1e-160, 0},    {1e60, 1e59, -1e58}, {1e-60, 1e-61, 1e-61}};
  std::vector<Mat3> matrices;
  for (const Vec3& s : cases)
    for (int k = 0; k < 100; ++k) matrices.push_back(random_state(random, s));
  expect_accurate(matrices);
}

TEST(Svd3, DiagonalAndPermutedMatrices) {
  std::vector<Mat3> matrices;
  for (double a : {3.0, -3.0, 0.0, 1.0})
    for (double b : {2.0, -1.0, 0.0})
      for (double c : {1.0, -5.0, 0.0}) {
        Mat3 F = Vec3(a, b, c).asDiagonal();
        matrices.push_back(F);
        F.col(0).swap(F.col(2));
        matrices.push_back(F);
        F.row(1).swap(F.row(2));
        matrices.push_back(F);
      }
  expect_accurate(matrices);
}

// An exactly representable stretch at rest gives exact factors.
TEST(Svd3, IdentityIsExact) {
  const Mat3 I = Mat3::Identity();
  double u[9], s[3], v[9];
  svd3_batch(1, I.data(), u, s, v);
  for (double value : s) EXPECT_EQ(value, 1.0);
}

// One-sided rotations keep the relative accuracy of small stretches of column-scaled matrices.
TEST(Svd3, SmallStretchesOfScaledColumns) {
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const Mat3 F = uniform_rotation(random) * Vec3(1, 1e-6, 1e-12).asDiagonal();
    RowMat3 f = F, U, V;
    Vec3 s;
    svd3_batch(1, f.data(), U.data(), s.data(), V.data());
    EXPECT_NEAR(s[1] / 1e-6, 1, 1e-14);
    EXPECT_NEAR(s[2] / 1e-12, 1, 1e-14);
  }
}

// The same matrix gives the same bits in every lane, whatever the other lanes hold.
TEST(Svd3, BitsDoNotDependOnTheLane) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  const auto bits = [](const Svd3<LanePair>& svd, int lane) {
    std::vector<double> out;
    const auto push = [&](const LanePair& x) { out.push_back(lane < lane_count ? x.a[lane] : x.b[lane - lane_count]); };
    for (const LanePair& x : svd.u) push(x);
    for (const LanePair& x : svd.s) push(x);
    for (const LanePair& x : svd.v) push(x);
    return out;
  };
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> first;
    const Mat3 F = Mat3::NullaryExpr([&] { return normal(random); });
    for (int lane = 0; lane < 2 * lane_count; ++lane) {
      LanePair f[9];
      for (int k = 0; k < 9; ++k) {
        for (int l = 0; l < 2 * lane_count; ++l) {
          const double value = l == lane ? F(k / 3, k % 3) : normal(random) * (trial % 2 ? 1 : 1e-3) + (k % 4 == 0);
          if (l < lane_count)
            f[k].a[l] = value;
          else
            f[k].b[l - lane_count] = value;
        }
      }
      Svd3<LanePair> svd;
      svd3(f, svd);
      if (lane == 0) first = bits(svd, 0);
      EXPECT_EQ(bits(svd, lane), first);
    }
  }
}

}  // namespace
}  // namespace sinew::test

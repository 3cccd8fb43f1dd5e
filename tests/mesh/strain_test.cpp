#include "sinew/mesh/strain.h"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace sinew {
namespace {

// Of one tet that F deforms, after a rotation.
double strain_of(const Mat3& F) {
  Points rest(3, 4);
  rest << 0.1, 1.3, 0.2, 0.0,  //
      0.2, 0.1, 1.1, 0.3,      //
      0.0, 0.2, 0.1, 0.9;
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Points x = (turn * F * rest).colwise() + Vec3(5, 6, 7);
  Tets tets(4, 1);
  tets << 0, 1, 2, 3;
  return equivalent_strain(rest, x, tets)[0];
}

TEST(Strain, ElongationOfAThinRod) {
  for (const double e : {1e-6, 1e-3, 0.2, 1.5}) {
    const double along = 1 + e, across = 1 / std::sqrt(along);
    // E = diag(along^2 - 1, across^2 - 1, across^2 - 1) / 2; equivalent: 2/3 |E_1 - E_2|.
    const double expected = (along * along - across * across) / 3;
    EXPECT_NEAR(strain_of(Vec3(along, across, across).asDiagonal()), expected, 1e-13);
    if (e < 1e-2) EXPECT_NEAR(expected, e, e * e);
  }
}

TEST(Strain, SimpleShear) {
  const double gamma = 0.4;
  Mat3 F = Mat3::Identity();
  F(0, 1) = gamma;
  // E = [0 g/2; g/2 g^2/2]: dev E : dev E = g^2/2 + (g^2/2)^2 (1 - 1/3)
  EXPECT_NEAR(strain_of(F), std::sqrt(2.0 / 3 * (gamma * gamma / 2 + std::pow(gamma, 4) / 6)), 1e-13);
}

TEST(Strain, IsBlindToRotationsAndSizes) {
  EXPECT_NEAR(strain_of(Mat3::Identity()), 0, 1e-14);
  EXPECT_NEAR(strain_of(2 * Mat3::Identity()), 0, 1e-14);
}

TEST(Strain, OfFlatAndInvertedTets) {
  EXPECT_NEAR(strain_of(Vec3(1, 1, 0).asDiagonal()), 1.0 / 3, 1e-13);
  EXPECT_NEAR(strain_of(Vec3(1, 1, -1).asDiagonal()), 0, 1e-13);
}

}  // namespace
}  // namespace sinew

#include "sinew/render/camera.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

Points camera_points() {
  Points points(3, 4);
  points << 0, 0.5, -0.2, 0.1,  //
      0, 0.25, 0.4, -0.3,       //
      0, 0, 1, -2;
  return points;
}

TEST(Camera, ProjectsAsAPinhole) {
  // Looks along -z from (0, 0, 5): x is to the right, y upwards.
  const Camera camera{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 60, {}};
  const Points points = camera_points();
  const Eigen::Matrix2Xd pixels = camera.project(points, 640, 480);
  const double f = 240 / std::tan(std::numbers::pi / 6);
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const double depth = 5 - points(2, i);
    EXPECT_NEAR(pixels(0, i), 320 + f * points(0, i) / depth, 1e-9);
    EXPECT_NEAR(pixels(1, i), 240 - f * points(1, i) / depth, 1e-9);
  }
}

TEST(Camera, ProjectsWithoutPerspective) {
  const Camera camera{{3, 0, 0}, {0, 0, 0}, {0, 0, 1}, 40, 2.0};  // looks along -x: y is to the right
  const Points points = camera_points();
  const Eigen::Matrix2Xd pixels = camera.project(points, 200, 100);
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    EXPECT_NEAR(pixels(0, i), 100 + 50 * points(1, i), 1e-12);
    EXPECT_NEAR(pixels(1, i), 50 - 50 * points(2, i), 1e-12);
  }
}

TEST(Camera, PointsBehindAreNowhere) {
  const Camera camera{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, 40, {}};
  EXPECT_TRUE(std::isnan(camera.project(Vec3(0, 0, -1), 10, 10)(0, 0)));
}

TEST(Camera, TheMatrixIsRigid) {
  const Camera camera{{1, 2, 3}, {-0.4, 0.3, 0.2}, {0.1, 1, 0}, 40, {}};
  const Mat3 r = camera.matrix().topLeftCorner<3, 3>();
  EXPECT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(r.determinant(), 1, 1e-14);
  const Vec3 target = (camera.matrix() * camera.target.homogeneous()).head<3>();
  EXPECT_LT((target - Vec3(0, 0, (camera.target - camera.position).norm())).norm(), 1e-14);
}

TEST(Camera, FitTouchesTheMarginAndShowsAll) {
  std::srand(3);
  const Points points = Points::Random(3, 50).cwiseProduct(Vec3(2, 0.4, 0.7).replicate(1, 50));
  for (const double aspect : {0.5, 4.0 / 3, 4.0}) {
    const Camera camera = Camera::fit(points, Camera::usual_direction({0, 1, 0}), {0, 1, 0}, 35, aspect);
    const int height = 100;
    const double width = aspect * height;
    const Eigen::Matrix2Xd pixels = camera.project(points, static_cast<int>(width), height);
    const Eigen::Vector2d low = pixels.rowwise().minCoeff(), high = pixels.rowwise().maxCoeff();
    EXPECT_GT(low.minCoeff(), 0);
    EXPECT_LT(high[0], width);
    EXPECT_LT(high[1], height);
    // Along the tighter axis the margin is the same on both sides, 1 - 1/1.08 of the half.
    const double share = std::max((high[0] - low[0]) / width, (high[1] - low[1]) / height);
    EXPECT_NEAR(share, 1 / 1.08, 1e-3);
  }
}

TEST(Camera, UnsuitableOnesAreRefused) {
  EXPECT_THROW((Camera{{0, 0, 1}, {0, 0, 1}, {0, 1, 0}, 40, {}}.check()), InputError);
  EXPECT_THROW((Camera{{0, 0, 1}, {0, 0, 0}, {0, 0, -3}, 40, {}}.check()), InputError);
  EXPECT_THROW((Camera{{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 180, {}}.check()), InputError);
  EXPECT_THROW((Camera{{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 40, 0.0}.check()), InputError);
  EXPECT_THROW((Camera{{0, 0, NAN}, {0, 0, 0}, {0, 1, 0}, 40, {}}.check()), InputError);
}

}  // namespace
}  // namespace sinew::test

#include "sinew/render/renderer.h"

#include <cmath>
#include <map>
#include <numbers>
#include <thread>

#include "render/test_scenes.h"

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

class RendererTest : public PictureTest {
 protected:
  static constexpr int width = 160, height = 120;

  static RenderScene ball_on_ground() {
    RenderScene scene;
    scene.objects.push_back(object_of(make_sphere(0.5, 0.1), 0, {0, 0.6, 0}));
    scene.planes.push_back(ground(0, 1));
    return scene;
  }
  static Camera view() { return {{1.5, 1.8, 3}, {0, 0.4, 0}, {0, 1, 0}, 40, {}}; }

  // The ray through the centre of a pixel: its point at depth 1 is position + ray.
  static Vec3 ray(const Camera& camera, int column, int row) {
    const Vec3 local((column + 0.5 - 0.5 * width) / camera.scale(height),
                     (row + 0.5 - 0.5 * height) / camera.scale(height), 1);
    return camera.matrix().topLeftCorner<3, 3>().transpose() * local;
  }
  static double brightness(const ColorImage& image, int column, int row) {
    const std::uint8_t* pixel = image.values.data() + 3 * (row * image.width + column);
    return pixel[0] + pixel[1] + pixel[2];
  }
};

TEST_F(RendererTest, DepthOfAPlaneIsThatOfRays) {
  const RenderScene scene = {{}, {ground(-0.25, 7)}, {0, 1, 0}};
  const Camera camera = view();
  const DepthImage image = LentRenderer()->depth(scene, camera, width, height);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const Vec3 r = ray(camera, column, row);
      const double depth = (-0.25 - camera.position[1]) / r[1], found = image.values[row * width + column];
      if (depth <= 0) {
        EXPECT_TRUE(std::isinf(found));
      } else {
        EXPECT_NEAR(found / depth, 1, 1e-5);
      }
    }
  }
}

TEST_F(RendererTest, DepthOfABoxIsThatOfRays) {
  RenderScene scene;
  scene.objects.push_back(object_of(make_box({1, 1, 1}, {1, 1, 1}), 3));
  for (const bool orthographic : {false, true}) {
    const Camera camera{{0.2, 0.1, 4}, {0.2, 0.1, 0}, {0, 1, 0}, 30, orthographic ? std::optional(2.0) : std::nullopt};
    const DepthImage depth = LentRenderer()->depth(scene, camera, width, height);
    const SegmentationImage ids = LentRenderer()->segmentation(scene, camera, width, height);
    int covered = 0;
    for (int k = 0; k < width * height; ++k) {
      EXPECT_EQ(std::isinf(depth.values[k]), ids.values[2 * k] == -1);
      if (ids.values[2 * k] == -1) {
        EXPECT_EQ(ids.values[2 * k + 1], -1);
        continue;
      }
      ++covered;
      EXPECT_NEAR(depth.values[k] / 3.5, 1, 1e-5);  // its front, straight ahead
      EXPECT_EQ(ids.values[2 * k], 3);
    }
    const double side = camera.scale(height) / (orthographic ? 1 : 3.5);
    EXPECT_NEAR(covered, side * side, 4 * side);
  }
}

TEST_F(RendererTest, DepthOfASphereLiesBetweenItsBalls) {
  RenderScene scene;
  scene.objects.push_back(object_of(make_sphere(1, 0.05), 0));
  const Camera camera{{0, 0, 6}, {0, 0, 0}, {0, 1, 0}, 25, {}};
  const DepthImage image = LentRenderer()->depth(scene, camera, width, height);
  const float middle = image.values[(height / 2) * width + width / 2];
  EXPECT_NEAR(middle, 5, 2e-3);  // facets lie inside the sphere
}

TEST_F(RendererTest, TrianglesAreThoseOfTheSurface) {
  RenderScene scene = ball_on_ground();
  const RenderObject& ball = scene.objects[0];
  const Camera camera = view();
  const SegmentationImage ids = LentRenderer()->segmentation(scene, camera, width, height);
  const DepthImage depth = LentRenderer()->depth(scene, camera, width, height);
  std::map<int, int> count;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const int k = row * width + column;
      ++count[ids.values[2 * k]];
      if (ids.values[2 * k] != 0) continue;
      const Vec3 place = camera.position + depth.values[k] * ray(camera, column, row);
      ASSERT_LT(ids.values[2 * k + 1], ball.mesh->triangle_count());
      const auto corners = ball.mesh->corners().col(ids.values[2 * k + 1]);
      Mat3 x;
      for (int c = 0; c < 3; ++c) x.col(c) = ball.positions.col(ball.mesh->vertices()[corners[c]]);
      const Vec3 share = x.inverse() * place;  // barycentric, as the plane of the triangle misses the origin
      EXPECT_NEAR(share.sum(), 1, 1e-4);
      EXPECT_GT(share.minCoeff(), -1e-3);
    }
  }
  EXPECT_GT(count[0], 500);
  EXPECT_GT(count[1], 500);
  EXPECT_EQ(count.size(), 2u);  // the plane reaches to the horizon, which is above this view
}

TEST_F(RendererTest, PlanesAreSeenFromTheFront) {
  RenderScene scene = ball_on_ground();
  const Camera below{{0, -3, 0.5}, {0, 0.5, 0}, {0, 1, 0}, 40, {}};
  const SegmentationImage ids = LentRenderer()->segmentation(scene, below, width, height);
  for (int k = 0; k < width * height; ++k) EXPECT_NE(ids.values[2 * k], 1);
}

// The ball is so high that its shadow alone darkens the ground, no occlusion.
TEST_F(RendererTest, ShadowsDarkenTheGround) {
  RenderScene scene = ball_on_ground();
  scene.objects[0].positions.row(1).array() += 0.5;
  const Camera camera{{1.5, 4, 4}, {0, 0.3, 0}, {0, 1, 0}, 50, {}};
  const ColorImage image = LentRenderer()->color(scene, camera, width, height);
  const SegmentationImage ids = LentRenderer()->segmentation(scene, camera, width, height);
  double darkest = 765;
  int dark = 0;
  const double lit = brightness(image, 3, height - 4);  // a corner in front
  EXPECT_GT(lit, 600);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      if (ids.values[2 * (row * width + column)] != 1) continue;
      darkest = std::min(darkest, brightness(image, column, row));
      dark += brightness(image, column, row) < 0.85 * lit;
    }
  }
  EXPECT_LT(darkest, 0.8 * lit);
  EXPECT_GT(darkest, 0.5 * lit);
  EXPECT_GT(dark, 200);
}

TEST_F(RendererTest, EqualScenesGiveEqualPictures) {
  const RenderScene scene = ball_on_ground(), equal = ball_on_ground();
  const ColorImage first = LentRenderer()->color(scene, view(), width, height);
  LentRenderer()->color(scene, view(), 57, 91);  // another size between
  EXPECT_EQ(first.values, LentRenderer()->color(equal, view(), width, height).values);
  Renderer other;
  EXPECT_EQ(first.values, other.color(scene, view(), width, height).values);
}

TEST_F(RendererTest, FieldsHaveTheColoursOfTheirValues) {
  RenderScene scene;
  scene.objects.push_back(object_of(make_sphere(0.5, 0.1), 0));
  const ColorImage own = LentRenderer()->color(scene, view(), width, height);
  scene.objects[0].values = VecX::Constant(scene.objects[0].positions.cols(), NAN);
  EXPECT_EQ(own.values, LentRenderer()->color(scene, view(), width, height).values);
  scene.objects[0].values.setConstant(1);  // yellow: red and green above blue
  const Camera camera{{0, 0.6, 3}, {0, 0, 0}, {0, 1, 0}, 30, {}};
  const ColorImage image = LentRenderer()->color(scene, camera, width, height);
  const std::uint8_t* pixel = image.values.data() + 3 * (height / 2 * width + width / 2);
  EXPECT_GT(pixel[0], pixel[2] + 50);
  EXPECT_GT(pixel[1], pixel[2] + 50);
}

TEST_F(RendererTest, ThreadsHaveTheirOwn) {
  const RenderScene scene = ball_on_ground();
  const ColorImage expected = LentRenderer()->color(scene, view(), width, height);
  std::vector<std::thread> threads;
  std::vector<int> equal(4, 0);
  for (std::size_t t = 0; t < equal.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 5; ++k)
        equal[t] += LentRenderer()->color(scene, view(), width, height).values == expected.values;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 5));
}

TEST_F(RendererTest, SizesHaveLimits) {
  const RenderScene scene = ball_on_ground();
  EXPECT_THROW(LentRenderer()->color(scene, view(), 0, 10), InputError);
  EXPECT_THROW(LentRenderer()->depth(scene, view(), 10, largest_picture + 1), InputError);
  EXPECT_EQ(LentRenderer()->color(scene, view(), 1, 1).values.size(), 3u);
}

TEST_F(RendererTest, AnEmptySceneIsBackground) {
  const ColorImage image = LentRenderer()->color({}, view(), 8, 8);
  EXPECT_GT(*std::ranges::min_element(image.values), 180);
}

}  // namespace
}  // namespace sinew::test

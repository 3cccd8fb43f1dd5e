#include <cmath>

#include "render/test_scenes.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/render/color_bar.h"
#include "sinew/render/lettering.h"
#include "sinew/render/studio_light.h"
#include "sinew/render/studio_renderer.h"

namespace sinew::test {
namespace {

TEST(StudioLight, WeightsOfLampsSumToAll) {
  for (const int count : {16, 64}) {
    double sum = 0;
    for (const StudioLamp& lamp : studio_lamps(count)) {
      EXPECT_NEAR(lamp.direction.norm(), 1, 1e-12);
      EXPECT_GE(lamp.weight, 0);
      sum += lamp.weight;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

// The harmonics against sums over directions.
TEST(StudioLight, HarmonicsGiveTheIrradiance) {
  const std::vector<Vec3> c = studio_harmonics();
  const Points directions = even_directions(20000), normals = even_directions(17);
  for (const auto& n : normals.colwise()) {
    Vec3 sum = Vec3::Zero();
    for (const auto& d : directions.colwise()) sum += std::max(0.0, n.dot(d)) * studio_radiance(d);
    sum *= 4 / 20000.0;  // over pi
    const Vec3 found = c[0] + c[1] * n[1] + c[2] * n[2] + c[3] * n[0] + c[4] * n[0] * n[1] + c[5] * n[1] * n[2] +
                       c[6] * (3 * n[2] * n[2] - 1) + c[7] * n[0] * n[2] + c[8] * (n[0] * n[0] - n[1] * n[1]);
    EXPECT_LT((found - sum).norm(), 0.1 * sum.norm()) << n.transpose();
  }
}

// What a matt surface mirrors is nearly the same all around, what a smooth one does is the room.
TEST(StudioLight, MirrorBlursWithRoughness) {
  const StudioMirror mirror = studio_mirror(16, 3);
  const auto spread = [&](int level) {
    float low = 1e9f, high = 0;
    for (int k = 0; k < 16 * 16; ++k) {
      const float value = mirror.pixels[static_cast<std::size_t>(3 * (level * 16 * 16 + k))];
      low = std::min(low, value);
      high = std::max(high, value);
    }
    return high / low;
  };
  EXPECT_GT(spread(0), 4);
  EXPECT_LT(spread(2), spread(1));
  EXPECT_LT(spread(1), spread(0));
}

TEST(ColorMaps, EndsAreThoseOfTheMapsAndBeyond) {
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::coolwarm}) {
    EXPECT_EQ(map_color(map, -1), map_color(map, 0));
    EXPECT_EQ(map_color(map, 2), map_color(map, 1));
    EXPECT_NE(map_color(map, 0), map_color(map, 1));
  }
  EXPECT_EQ(color_of_hex("#ff0080", "x")[0], 1);
  EXPECT_THROW(color_of_hex("red", "x"), InputError);
}

TEST(Lettering, DrawsInsideItsWidth) {
  ColorImage image{120, 24, std::vector<std::uint8_t>(3 * 120 * 24, 255)};
  const double width = text_width("von Mises 0.25 [kPa]", 8);
  draw_text(image, "von Mises 0.25 [kPa]", 4, 16, 8, {0, 0, 0});
  int last = 0, dark = 0;
  for (int row = 0; row < 24; ++row)
    for (int column = 0; column < 120; ++column)
      if (image.values[static_cast<std::size_t>(3 * (row * 120 + column))] < 128) {
        last = std::max(last, column);
        ++dark;
      }
  EXPECT_GT(dark, 100);
  EXPECT_LE(last, 4 + width + 3);
  draw_text(image, "off the picture", 115, 400, 8, {0, 0, 0});  // changes nothing
}

TEST(ColorBars, UnitsHavePrefixes) {
  EXPECT_EQ(unit_prefix(2500, "Pa"), (std::pair{1e3, std::string("k")}));
  EXPECT_EQ(unit_prefix(0.002, "m"), (std::pair{1e-3, std::string("m")}));
  EXPECT_EQ(unit_prefix(2500, ""), (std::pair{1.0, std::string()}));
  EXPECT_EQ(unit_prefix(2500, "kg"), (std::pair{1.0, std::string()}));
  EXPECT_EQ(unit_prefix(0, "Pa"), (std::pair{1.0, std::string()}));
}

class StudioRendererTest : public PictureTest {
 protected:
  static constexpr int width = 128, height = 96;

  static StudioScene studio_ball(const StudioLook& look = {Rgb(0.8f, 0.2f, 0.1f), 0.6, 0, 1}) {
    StudioScene studio;
    RenderObject ball = object_of(make_sphere(0.5, 0.12), 0, {0, 0.5, 0});
    const Index count = ball.mesh->triangle_count();
    studio.scene.objects.push_back(std::move(ball));
    studio.groups.push_back({{0, count, look}});
    studio.scene.planes.push_back(ground(0, 1));
    studio.grids.push_back(false);
    studio.room = {{-0.6, 0, -0.6}, {0.6, 1.1, 0.6}};
    return studio;
  }
  static Camera view() { return {{1.2, 1.5, 3}, {0, 0.4, 0}, {0, 1, 0}, 36, {}}; }
  static int value(const ColorImage& image, int column, int row, int channel) {
    return image.values[static_cast<std::size_t>(3 * (row * image.width + column) + channel)];
  }
};

TEST_F(StudioRendererTest, EqualScenesGiveEqualPictures) {
  StudioRenderer first(StudioQuality::draft), second(StudioQuality::draft);
  const ColorImage a = first.draw(studio_ball(), view(), width, height);
  const auto differing = [&](const ColorImage& b) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < a.values.size(); ++k) count += a.values[k] != b.values[k] ? 1 : 0;
    return count;
  };
  EXPECT_EQ(differing(first.draw(studio_ball(), view(), width, height)), 0u);
  EXPECT_EQ(differing(second.draw(studio_ball(), view(), width, height)), 0u);
  first.draw(studio_ball({Rgb(0, 0, 1), 0.1, 1, 0.4}), view(), width / 2, height);  // leaves nothing behind
  EXPECT_EQ(differing(first.draw(studio_ball(), view(), width, height)), 0u);
}

TEST_F(StudioRendererTest, BodiesHaveTheirColourAndThrowShadows) {
  StudioRenderer renderer(StudioQuality::draft);
  const ColorImage with = renderer.draw(studio_ball(), view(), width, height);
  StudioScene empty = studio_ball();
  empty.scene.objects.clear();
  empty.groups.clear();
  const ColorImage without = renderer.draw(empty, view(), width, height);
  const Eigen::Matrix2Xd middle = view().project(Vec3(0, 0.5, 0), width, height);
  const int column = static_cast<int>(middle(0, 0)), row = static_cast<int>(middle(1, 0));
  EXPECT_GT(value(with, column, row, 0), 2 * value(with, column, row, 2));  // red
  // Under the ball the ground is darker than without it.
  const Eigen::Matrix2Xd below = view().project(Vec3(0.25, 0, 0.2), width, height);
  const int x = static_cast<int>(below(0, 0)), y = static_cast<int>(below(1, 0));
  EXPECT_LT(value(with, x, y, 1), 0.8 * value(without, x, y, 1));
  // Far away nothing changes.
  EXPECT_NEAR(value(with, 2, 2, 1), value(without, 2, 2, 1), 1);
}

TEST_F(StudioRendererTest, ClearBodiesShowWhatIsBehind) {
  StudioRenderer renderer(StudioQuality::draft);
  StudioScene scene = studio_ball({Rgb(0.9f, 0.9f, 0.9f), 0.2, 0, 0.2});
  RenderObject block = object_of(make_box({0.5, 0.5, 0.1}, {1, 1, 1}), 1, {-0.25, 0.5, -1});
  const Index count = block.mesh->triangle_count();
  scene.scene.objects.push_back(std::move(block));
  scene.groups.push_back({{0, count, {Rgb(0, 0.7f, 0), 0.9, 0, 1}}});
  const ColorImage clear = renderer.draw(scene, view(), width, height);
  scene.groups[0][0].look.opacity = 1;
  const ColorImage solid = renderer.draw(scene, view(), width, height);
  int greener = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const auto green = [&](const ColorImage& image) {
        return value(image, column, row, 1) - value(image, column, row, 0);
      };
      if (green(clear) > green(solid) + 30) ++greener;
    }
  EXPECT_GT(greener, 40);
}

TEST_F(StudioRendererTest, FieldsHaveTheColoursOfTheirMap) {
  StudioRenderer renderer(StudioQuality::draft);
  StudioScene scene = studio_ball();
  scene.field = true;
  RenderObject& ball = scene.scene.objects[0];
  ball.values = VecX::Constant(ball.positions.cols(), 1);
  ball.map = ColorMap::viridis;
  const ColorImage image = renderer.draw(scene, view(), width, height);
  const Eigen::Matrix2Xd middle = view().project(Vec3(0, 0.6, 0.3), width, height);
  const int column = static_cast<int>(middle(0, 0)), row = static_cast<int>(middle(1, 0));
  EXPECT_GT(value(image, column, row, 0), 1.5 * value(image, column, row, 2));  // yellow
  EXPECT_GT(value(image, column, row, 1), 1.5 * value(image, column, row, 2));
}

TEST_F(StudioRendererTest, RefusesSizes) {
  StudioRenderer renderer(StudioQuality::draft);
  EXPECT_THROW(renderer.draw(studio_ball(), view(), 0, 10), InputError);
  EXPECT_THROW(renderer.draw(studio_ball(), view(), 10, largest_picture + 1), InputError);
}

}  // namespace
}  // namespace sinew::test

// Textures in studio pictures: where an image lies on a surface, and how it colours it.
#include <cmath>

#include "render/test_scenes.h"

#include "sinew/render/studio_renderer.h"

namespace sinew::test {
namespace {

// Upper half: red, green. Lower half: blue, yellow.
std::shared_ptr<const ColorImage> four_colors() {
  auto image = std::make_shared<ColorImage>(ColorImage{64, 64, {}});
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const bool right = x >= 32, lower = y >= 32;
      const std::uint8_t r = lower == right ? 255 : 0, g = right ? 255 : 0, b = lower && !right ? 255 : 0;
      image->values.insert(image->values.end(), {r, g, b});
    }
  return image;
}

TEST(BoxProjection, IsUprightAndNotMirroredOnEachSide) {
  Points rest(3, 2);
  rest << 1, 5, 2, 4, 3, 4;  // columns (1, 2, 3) and (5, 4, 4)
  const BoxProjection box(rest, Mat3::Identity(), 0);
  EXPECT_EQ(box.width(), 4);
  for (const double side : {-1.0, 1.0}) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 normal = side * Vec3::Unit(axis);
      const auto at = [&](const Vec3& p) {
        const auto found = box.coordinates(p, normal);
        return Eigen::Vector2d(found[0], found[1]);
      };
      EXPECT_EQ(at(Vec3::Zero()), Eigen::Vector2d(0.5, 0.5));
      Mat3 gradient;  // of u and v, and the normal: a right-handed frame of the side as seen from outside
      for (int k = 0; k < 3; ++k) gradient.col(k) << 4 * (at(Vec3::Unit(k)) - at(Vec3::Zero())), normal[k];
      EXPECT_NEAR(gradient.determinant(), 1, 1e-6);
      if (axis == 1) continue;
      EXPECT_GT(at(Vec3(0, 1, 0))[1], 0.5);
    }
  }
}

TEST(RenderMeshKinds, SplitVerticesAndKeepNormals) {
  const TetMesh ball = make_sphere(1, 0.4);
  const Triangles triangles = boundary_triangles(ball.tets);
  std::vector<Index> kinds(static_cast<std::size_t>(triangles.size()));
  for (std::size_t c = 0; c < kinds.size(); ++c) kinds[c] = c / 3 % 2 == 0 ? 7 : 3;
  const RenderMesh plain(ball.vertices, triangles), split(ball.vertices, triangles, kinds);
  EXPECT_GT(split.vertices().size(), plain.vertices().size());
  const Points expected = plain.normals(ball.vertices), found = split.normals(ball.vertices);
  for (Index c = 0; c < triangles.size(); ++c) {
    const Index of_plain = plain.corners().data()[c], of_split = split.corners().data()[c];
    EXPECT_EQ(split.vertices()[of_split], triangles.data()[c]);
    EXPECT_EQ(split.kinds()[of_split], kinds[static_cast<std::size_t>(c)]);
    EXPECT_EQ(found.col(of_split), expected.col(of_plain));
  }
}

class StudioTextureTest : public PictureTest {
 protected:
  static constexpr int side = 96;

  // A cube of edge 1 with a texture, from one side.
  static ColorImage picture(const Vec3& from, StudioLook look, const Points& shift = {}) {
    const TetMesh cube = make_box({1, 1, 1}, {2, 2, 2});
    StudioScene studio;
    RenderObject object = object_of(cube, 0);
    const BoxProjection projection(cube.vertices, Mat3::Identity(), 0);
    studio.places.push_back(texture_places(*object.mesh, cube.vertices, projection, {}));
    look.texture_width = projection.width();
    studio.groups.push_back({{0, object.mesh->triangle_count(), look}});
    const Vec3 center = cube.vertices.rowwise().mean();
    if (shift.cols() > 0) object.positions += shift;
    studio.scene.objects.push_back(std::move(object));
    studio.room = {center - Vec3::Constant(1), center + Vec3::Constant(1)};
    StudioRenderer renderer(StudioQuality::draft);
    return renderer.draw(studio, {center + 4 * from, center, {0, 1, 0}, 30, {}}, side, side);
  }
  // Which colours are bright at the middle of a quarter of the cube.
  static std::string color_at(const ColorImage& image, int column, int row) {
    std::string found;
    for (int k = 0; k < 3; ++k)
      if (image.values[static_cast<std::size_t>(3 * (row * side + column) + k)] > 90) found += "rgb"[k];
    return found;
  }
  static void expect_colors(const ColorImage& image) {
    constexpr int low = side / 2 - 10, high = side / 2 + 10;
    EXPECT_EQ(color_at(image, low, low), "r");
    EXPECT_EQ(color_at(image, high, low), "g");
    EXPECT_EQ(color_at(image, low, high), "b");
    EXPECT_EQ(color_at(image, high, high), "rg");
  }
};

TEST_F(StudioTextureTest, IsSeenTheRightWayUpFromEachSide) {
  StudioLook look{Rgb(1, 1, 1), 0.8, 0, 1};
  look.texture = four_colors();
  for (const Vec3& from : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)})
    expect_colors(picture(from, look));
}

TEST_F(StudioTextureTest, MultipliesTheColourAndStaysOnTheBody) {
  StudioLook look{Rgb(0, 1, 1), 0.8, 0, 1};
  look.texture = four_colors();
  const ColorImage green = picture({0, 0, 1}, look);
  EXPECT_EQ(color_at(green, side / 2 + 10, side / 2 + 10), "g");  // yellow times cyan
  look.color = Rgb(1, 1, 1);
  const TetMesh cube = make_box({1, 1, 1}, {2, 2, 2});
  Points shift = Points::Zero(3, cube.vertices.cols());
  shift.row(0).setConstant(0.25);  // a quarter of the cube to the right
  const ColorImage moved = picture({0, 0, 1}, look, shift);
  EXPECT_EQ(color_at(moved, side / 2, side / 2 - 10), "r");
}

}  // namespace
}  // namespace sinew::test

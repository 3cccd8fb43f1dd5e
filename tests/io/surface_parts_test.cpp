// What surfaces are for exported files: polygons of layouts, rigid motion, materials, axes, limits.
#include "sinew/io/surface_parts.h"

#include <filesystem>

#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/atomic_stream.h"
#include "sinew/core/error.h"
#include "sinew/formats/obj_polygons.h"
#include "sinew/io/affine_track.h"
#include "sinew/io/gltf_file.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SurfacePartsTest : public test::FolderTest {
 protected:
  static std::shared_ptr<const System> system_of(const nlohmann::json& json) {
    Scene scene = parse_scene(json, ".");
    return build_system(scene);
  }
};

TEST_F(SurfacePartsTest, PolygonsOfALayout) {
  const ObjPolygons p = obj_polygons(
      "mtllib a.mtl\no all\nvt 0.25 0.5\nvt 1\nf 1/1 2/2 3/1 4/2\ng left side\nusemtl skin\nf 4/1 3/1 5/1\nf 1 2 5\n");
  EXPECT_THAT(p.sizes, ElementsAre(4, 3, 3));
  EXPECT_THAT(p.corners, ElementsAre(0, 1, 2, 3, 3, 2, 4, 0, 1, 4));
  EXPECT_THAT(p.texture, ElementsAre(0, 1, 0, 1, 0, 0, 0, 2, 2, 2));
  ASSERT_EQ(p.coordinates.size(), 3u);
  EXPECT_THAT(p.coordinates[1], ElementsAre(1.f, 0.f));
  EXPECT_THAT(p.coordinates[2], ElementsAre(0.f, 0.f));  // of corners without some
  EXPECT_THAT(p.group, ElementsAre(-1, 0, 0));
  EXPECT_THAT(p.groups, ElementsAre("left side"));
  EXPECT_THAT(p.material, ElementsAre(-1, 0, 0));
  EXPECT_THAT(p.materials, ElementsAre("skin"));
  EXPECT_THAT(p.libraries, ElementsAre("a.mtl"));
  EXPECT_TRUE(obj_polygons("f 1 2 3\n").texture.empty());
  EXPECT_THAT(obj_polygons("o whole\nf 1 2 3\n").groups, ElementsAre("whole"));
}

TEST_F(SurfacePartsTest, RigidAndAffineMotionIsFound) {
  Points start(3, 5);
  start << 0, 1, 0, 0, 2, 0, 0, 1, 0, 3, 0, 0, 0, 1, 4;
  const auto frame = [&](std::size_t k) {
    const Eigen::AngleAxisd turn(0.9 * static_cast<double>(k), Vec3(1, 2, 3).normalized());
    return Eigen::Matrix3Xf(((turn * start).colwise() + Vec3(1, 0, 2) * static_cast<double>(k)).cast<float>());
  };
  const auto track = affine_track(8, frame);
  ASSERT_TRUE(track);
  EXPECT_TRUE(track->moves);
  for (std::size_t k = 0; k < 8; ++k) {
    const Points found = (track->rotation[k] * (start.colwise() - track->center)).colwise() + track->translation[k];
    EXPECT_LT((found - frame(k).cast<double>()).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_GT(track->rotation[k].dot(track->rotation[k > 0 ? k - 1 : 0]), 0);
  }
  EXPECT_FALSE(affine_track(1, frame)->moves);
  EXPECT_TRUE(track->rigid);
  // Affine, nearly rigid and far from it.
  for (const double size : {1e-5, 0.2}) {
    const auto sheared = [&](std::size_t k) {
      const double part = static_cast<double>(k);
      Mat3 a = Mat3::Identity();
      a(0, 1) = size * part;
      a(2, 2) += 0.5 * size * part;
      const Eigen::AngleAxisd turn(0.3 * part, Vec3(1, 2, 3).normalized());
      return Eigen::Matrix3Xf((turn.toRotationMatrix() * a * start).cast<float>());
    };
    const auto affine = affine_track(6, sheared);
    ASSERT_TRUE(affine);
    EXPECT_FALSE(affine->rigid);
    for (std::size_t k = 0; k < 6; ++k) {
      const Mat3 motion =
          affine->rotation[k].toRotationMatrix() * affine->scale[k].asDiagonal() * affine->axes[k].toRotationMatrix();
      const Points found = (motion * (start.colwise() - affine->center)).colwise() + affine->translation[k];
      EXPECT_LT((found - sheared(k).cast<double>()).cwiseAbs().maxCoeff(), 2e-6);
    }
  }
  const auto bent = [&](std::size_t k) {
    Eigen::Matrix3Xf x = start.cast<float>();
    x(0, 2) += 1e-4f * static_cast<float>(k);
    return x;
  };
  EXPECT_FALSE(affine_track(2, bent));
  // Mirrored is not turned.
  const auto mirrored = [&](std::size_t k) {
    Eigen::Matrix3Xf x = start.cast<float>();
    if (k > 0) x.row(0) *= -1;
    return x;
  };
  EXPECT_FALSE(affine_track(2, mirrored));
}

TEST_F(SurfacePartsTest, TheUpAxisTurnsToY) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3 up = sign * Vec3::Unit(axis);
      EXPECT_LT((turn_to_y(up_axis(-9.81 * up)) * up - Vec3::UnitY()).norm(), 1e-15) << axis << sign;
    }
  }
  EXPECT_EQ(up_axis(Vec3::Zero()).axis, 1);
}

TEST_F(SurfacePartsTest, NamesOfPartsAndMaterials) {
  nlohmann::json scene = test::sample_scene();
  scene["materials"]["rubber"]["look"] = {{"color", "#ff0000"}};
  scene["materials"]["steel"] = {{"model", "neo_hookean"}, {"young", 1e6}, {"poisson", 0.3}, {"density", 7800}};
  nlohmann::json other = scene["bodies"][0];
  other["name"] = "cube/";  // a file name like that of "cube_"
  other["transform"]["translate"] = {0, 0.3, 0};
  other["material"] = "steel";
  scene["bodies"].push_back(other);
  other["name"] = "cube_";
  other["transform"]["translate"] = {0, 0.5, 0};
  scene["bodies"].push_back(other);
  const auto system = system_of(scene);
  const SurfaceParts parts(*system);
  ASSERT_EQ(parts.parts().size(), 5u);
  EXPECT_EQ(parts.parts()[1].stem, "cube_");
  EXPECT_EQ(parts.parts()[2].stem, "cube__2");
  std::vector<std::string> names;
  for (const PartMaterial& m : parts.materials()) names.push_back(m.name);
  EXPECT_THAT(names, ElementsAre("rubber", "steel", "obstacle"));
  EXPECT_EQ(parts.materials()[0].color, Rgb(1, 0, 0));
  EXPECT_TRUE(parts.parts()[0].closed);
  EXPECT_FALSE(parts.parts()[4].closed);  // the plane
}

TEST_F(SurfacePartsTest, AFileLargerThanGlbAllowsIsRefused) {
  const auto system = system_of(test::sample_scene());
  const SurfaceParts parts(*system);
  SurfaceAnimation animation{parts, "long", std::vector<double>(33000), {}};
  for (std::size_t k = 0; k < animation.times.size(); ++k) animation.times[k] = static_cast<double>(k);
  animation.positions = [&](std::size_t part, std::size_t frame) {
    Eigen::Matrix3Xf x = Eigen::Matrix3Xf::Random(3, parts.parts()[part].vertices);
    if (part > 0) x.setOnes();
    return Eigen::Matrix3Xf(x * (1 + static_cast<float>(frame)));
  };
  write("long.glb", "before");
  try {
    write_glb(path("long.glb"), animation);
    FAIL() << "no error";
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("but a .glb file holds 4.29 GB at most"));
  }
  EXPECT_EQ(test::slurp(path("long.glb")), "before");
  EXPECT_THAT(listing(), ElementsAre("long.glb"));
}

TEST_F(SurfacePartsTest, AStreamAppearsOnlyWhenItIsComplete) {
  {
    AtomicStream out(path("a"));
    out.write("lost");
  }
  EXPECT_TRUE(listing().empty());
  std::filesystem::create_symlink(path("target"), path("link"));
  AtomicStream out(path("link"));
  const std::string large(3 << 20, 'x');
  out.write("head");
  out.write(large);
  out.commit();
  EXPECT_EQ(test::slurp(path("target")), "head" + large);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_THROW(AtomicStream(path("none/a")), SimulationError);
}

}  // namespace
}  // namespace sinew

// Point caches: their bytes, and the frames of a run in them.
#include <cstring>

#include "record_scene.h"
#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/formats/read.h"
#include "sinew/io/blender_script.h"
#include "sinew/io/pc2_frames.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class Pc2Test : public test::FolderTest {
 protected:
  Points sample(double x) const {
    Points points(3, 2);
    points << x, 1, 2, 3, 4, 5;
    return points;
  }

  void run(const std::string& folder, FolderMode mode, int until, bool finish = true) {
    const auto simulation = test::record(scene_, path(folder), mode, until, finish);
    positions_ = simulation->system().to_user(simulation->state().x, &simulation->system().user_rest);
  }

  std::string error_of(const std::string& folder) {
    try {
      run(folder, FolderMode::resume, 5);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  nlohmann::json scene_ = [] {
    nlohmann::json scene = test::sample_scene();
    scene["output"] = {{"formats", {"pc2"}}};
    return scene;
  }();
  Points positions_;
};

TEST_F(Pc2Test, Layout) {
  Pc2File file(path("a.pc2"), 2);
  EXPECT_EQ(file.samples(), 0);
  file.append(sample(7));
  file.append(sample(8));
  const std::string bytes = test::slurp(path("a.pc2"));
  ASSERT_EQ(bytes.size(), 32u + 2 * 2 * 12);
  EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(at<std::int32_t>(bytes, 12), 1);
  EXPECT_EQ(at<std::int32_t>(bytes, 16), 2);
  EXPECT_EQ(at<float>(bytes, 20), 0.f);
  EXPECT_EQ(at<float>(bytes, 24), 1.f);
  EXPECT_EQ(at<std::int32_t>(bytes, 28), 2);
  // Vertex by vertex, coordinates together.
  const float expected[] = {7, 2, 4, 1, 3, 5, 8, 2, 4, 1, 3, 5};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(at<float>(bytes, 32 + 4 * i), expected[i]) << i;
}

TEST_F(Pc2Test, ASampleThatIsCutShortDoesNotCount) {
  Pc2File(path("a.pc2"), 2).append(sample(7));
  std::string bytes = test::slurp(path("a.pc2"));
  write("a.pc2", bytes + "abc");  // as left by a process that was killed while it wrote
  Pc2File again(path("a.pc2"), 2);
  EXPECT_EQ(again.samples(), 1);
  again.append(sample(9));
  EXPECT_EQ(at<float>(test::slurp(path("a.pc2")), 32 + 24), 9.f);
  again.truncate(1);
  EXPECT_EQ(test::slurp(path("a.pc2")), bytes);
}

TEST_F(Pc2Test, OtherFilesAreRefused) {
  const auto error = [&](const std::string& bytes) -> std::string {
    write("a.pc2", bytes);
    try {
      Pc2File(path("a.pc2"), 2).samples();
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(error("text"), HasSubstr("a.pc2: expected a PC2 point cache (version 1), found another file"));
  Pc2File(path("b.pc2"), 3).append(Points::Zero(3, 3));
  EXPECT_THAT(error(test::slurp(path("b.pc2"))), HasSubstr("expected a point cache of 2 vertices, found one of 3"));
  Pc2File(path("c.pc2"), 2).append(sample(1));
  EXPECT_THAT(error(test::slurp(path("c.pc2")).substr(0, 50)),
              HasSubstr("announces 1 samples, but the file ends earlier"));
}

TEST_F(Pc2Test, FramesHoldTheSurfaces) {
  scene_["output"]["every"] = 2;
  run("out", FolderMode::refuse, 4);
  EXPECT_THAT(listing("out/pc2"),
              ElementsAre("cube.obj", "cube.pc2", "ground.obj", "ground.pc2", "import.py", "wall.obj", "wall.pc2"));
  const TriMesh surface = read_tri_mesh(path("out/pc2/cube.obj"));
  EXPECT_EQ(surface.vertices.cols(), 26);  // of 27, one is inside
  EXPECT_EQ(surface.triangles.cols(), 48);
  const std::string bytes = test::slurp(path("out/pc2/cube.pc2"));
  ASSERT_EQ(at<std::int32_t>(bytes, 16), 26);
  ASSERT_EQ(at<std::int32_t>(bytes, 28), 3);  // steps 0, 2, 4
  // The first vertex of the surface is the first of the box; the last sample is the state the run ended in.
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(at<float>(bytes, 32 + 4 * k), static_cast<float>(surface.vertices(k, 0)));
    EXPECT_EQ(at<float>(bytes, 32 + 2 * 26 * 12 + 4 * k), static_cast<float>(positions_(k, 0)));
  }
}

// A body's render surface: the names and texture coordinates of its file, and its vertices where the tets carry them.
TEST_F(Pc2Test, FramesHoldTheRenderSurface) {
  const std::string layout =
      "o crate\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\ng lid\nusemtl wood\nf 1/1 4/4 3/3 2/2\ng side\nusemtl iron\n"
      "f 1/1 2/2 6/3 5/4\n";
  write("crate.obj",
        "v -0.05 0.05 -0.05\nv 0.05 0.05 -0.05\nv 0.05 0.05 0.05\nv -0.05 0.05 0.05\nv -0.06 -0.05 -0.05\n"
        "v 0.05 -0.05 -0.05\nv 0 0 0\n" +
            layout);
  scene_["bodies"][0]["render"] = path("crate.obj");
  scene_["bodies"][0]["angular_velocity"] = {3, 2, 1};
  run("out", FolderMode::refuse, 4);
  EXPECT_THAT(listing("out/pc2"),
              ElementsAre("cube.obj", "cube.pc2", "ground.obj", "ground.pc2", "import.py", "wall.obj", "wall.pc2"));
  EXPECT_EQ(read_layout(path("out/pc2/cube.obj")), layout);
  const Points rest = read_tri_mesh(path("out/pc2/cube.obj")).vertices;
  EXPECT_LE((rest.colwise() - Vec3(0, 0.06, 0) - read_tri_mesh(path("crate.obj")).vertices).norm(), 1e-15);
  const std::string bytes = test::slurp(path("out/pc2/cube.pc2"));
  ASSERT_EQ(at<std::int32_t>(bytes, 16), 7);
  ASSERT_EQ(at<std::int32_t>(bytes, 28), 5);
  // Vertices 2, 6 and 7 of the file are vertices of the box; vertex 5 lies outside.
  const auto place = [&](int v) {
    Vec3 x;
    for (int k = 0; k < 3; ++k) x[k] = at<float>(bytes, 32 + (4 * 7 + v) * 12 + 4 * k);
    return x;
  };
  EXPECT_LE((place(1) - positions_.col(8)).norm(), 1e-7);
  EXPECT_LE((place(5) - positions_.col(2)).norm(), 1e-7);
  EXPECT_LE((place(6) - positions_.col(13)).norm(), 1e-7);
}

TEST(BlenderScript, TurnsWhatIsUpToZ) {
  const auto turn = [](const Vec3& gravity) {
    const std::string script = blender_script({"a \"b\""}, gravity);
    const std::size_t begin = script.find("TURN = (") + 8;
    double x = 0, y = 0, z = 0;
    EXPECT_EQ(std::sscanf(script.c_str() + begin, "%lf, %lf, %lf", &x, &y, &z), 3);
    EXPECT_THAT(script, HasSubstr("PARTS = [\"a \\\"b\\\"\"]\n"));
    using Eigen::AngleAxisd;
    return Eigen::Matrix3d(AngleAxisd(z, Vec3::UnitZ()) * AngleAxisd(y, Vec3::UnitY()) * AngleAxisd(x, Vec3::UnitX()));
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1, 1}) {
      const Vec3 gravity = sign * 9.81 * Vec3::Unit(axis) + Vec3(0.1, 0.1, 0.1);
      const Vec3 up = turn(gravity) * (-sign * Vec3::Unit(axis));
      EXPECT_LT((up - Vec3::UnitZ()).norm(), 2e-15) << axis << " " << sign;
    }
  }
  EXPECT_EQ(turn(Vec3::Zero()), Eigen::Matrix3d::Identity());
}

TEST_F(Pc2Test, ResumeGoesOnBehindTheCheckpoint) {
  run("whole", FolderMode::refuse, 5);
  scene_["output"]["checkpoint"] = 3;
  run("parts", FolderMode::refuse, 4, /*finish=*/false);  // the checkpoint is of step 3
  run("parts", FolderMode::resume, 5);
  for (const char* name : {"cube.pc2", "wall.pc2", "cube.obj"}) {
    EXPECT_EQ(test::slurp(path("whole/pc2/") + name), test::slurp(path("parts/pc2/") + name)) << name;
  }
}

TEST_F(Pc2Test, ResumeNeedsTheSamplesBefore) {
  scene_["output"]["formats"] = {"vtu"};
  run("out", FolderMode::refuse, 3);
  scene_["output"]["formats"] = {"vtu", "pc2"};
  EXPECT_THAT(error_of("out"), HasSubstr("cube.pc2: expected at least 4 samples, one each 1 steps up to step 3, found "
                                         "0; continue with the output.every of the run"));
  EXPECT_TRUE(std::filesystem::exists(path("out/summary.json")));  // nothing was touched
}

TEST_F(Pc2Test, OverwriteLeavesOtherFiles) {
  run("out", FolderMode::refuse, 2);
  write("out/pc2/notes.txt", "mine");
  scene_["output"]["formats"] = {"vtu"};
  run("out", FolderMode::overwrite, 1);
  EXPECT_THAT(listing("out/pc2"), ElementsAre("notes.txt"));
}

}  // namespace
}  // namespace sinew

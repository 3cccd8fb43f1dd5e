#include "sinew/io/recorded_run.h"

#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/recorder.h"
#include "sinew/io/report_surface.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

using testing::HasSubstr;

// What the simulation said at a step that has a frame.
struct SeenFrame {
  int step = 0;
  double time = 0;
  Points user, obstacles;
  std::vector<PlaneState> planes;
  std::vector<VecX> fields;  // as on the page
};

class RecordedRunTest : public test::FolderTest {
 protected:
  std::vector<SeenFrame> run(const nlohmann::json& json, int steps = 4) {
    Scene scene = parse_scene(json, ".");
    RecorderSettings settings;
    settings.scene = {scene.completed, ".", ""};
    settings.folder = path("out");
    settings.every = scene.output.every;
    settings.checkpoint = scene.output.checkpoint;
    settings.formats = scene.output.formats;
    settings.fields = scene.output.fields;
    const auto system = build_system(scene);
    Simulation simulation(system);
    settings.facts = {system->setup.name, "newton", 1};
    std::vector<SeenFrame> seen;
    ReportSurface surface(*system);
    const auto look = [&] {
      if (simulation.clock().step % settings.every != 0) return;
      Frame frame(simulation);
      seen.push_back({frame.step(),
                      frame.time(),
                      frame.positions(),
                      frame.state().x.rightCols(system->obstacle_vertex_count()),
                      frame.state().planes,
                      {}});
      for (std::size_t f = 0; f < std::size(report_fields); ++f)
        seen.back().fields.push_back(surface.vertex_field(frame, f));
    };
    Recorder recorder(settings, simulation);
    look();
    for (int step = 0; step < steps; ++step) {
      recorder.record(simulation.step());
      look();
    }
    recorder.finish();
    return seen;
  }

  void expect_message(const std::string& part) {
    try {
      const RecordedRun run(path("out"));
      FAIL() << "expected an error with: " << part;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }

  nlohmann::json scene_ = test::sample_scene();
};

TEST_F(RecordedRunTest, PositionsAreThoseOfTheRun) {
  scene_["output"] = {{"every", 2}, {"formats", {"vtu"}}};
  scene_["obstacles"][0]["motion"] = {{"translate", {{"times", {0, 1}}, {"values", {{0, 0, 0}, {0, 0.5, 0}}}}}};
  const std::vector<SeenFrame> seen = run(scene_);
  const RecordedRun read(path("out"));
  ASSERT_EQ(read.size(), seen.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const RecordedFrame frame = read.frame(k);
    EXPECT_EQ(frame.step, seen[k].step);
    EXPECT_EQ(read.step(k), seen[k].step);
    EXPECT_EQ(frame.time, seen[k].time);
    EXPECT_EQ(frame.user, seen[k].user);
    EXPECT_EQ(frame.obstacles, seen[k].obstacles);
    ASSERT_EQ(frame.planes.size(), 1u);
    EXPECT_LT((frame.planes[0].normal - seen[k].planes[0].normal).norm(), 1e-12);
    EXPECT_NEAR(frame.planes[0].normal.dot(frame.planes[0].point - seen[k].planes[0].point), 0, 1e-12);
    const State state = frame.state(read.system());
    EXPECT_EQ(state.x.rightCols(frame.obstacles.cols()), seen[k].obstacles);
  }
}

TEST_F(RecordedRunTest, FieldsAreThoseOfThePage) {
  scene_["output"] = {{"formats", {"vtu"}}, {"fields", {"contact_pressure"}}};
  const std::vector<SeenFrame> seen = run(scene_);
  const RecordedRun read(path("out"));
  for (std::size_t k = 0; k < seen.size(); ++k)
    for (std::size_t f = 0; f < std::size(report_fields); ++f) {
      const VecX &expected = seen[k].fields[f], found = read.field(k, report_fields[f].name);
      EXPECT_LE((found - expected).norm(), 1e-9 * (expected.norm() + 1e-12)) << report_fields[f].name << " " << k;
    }
  EXPECT_EQ(read.field(1, "contact_pressure").size(), read.system().user_vertex_count);
  try {
    read.field(0, "colour");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("von_mises, displacement, speed, contact_force, strain"));
  }
}

TEST_F(RecordedRunTest, ObstaclesWithoutMotionHaveOneFrame) {
  scene_["output"] = {{"formats", {"vtu"}}};
  scene_["obstacles"][1].erase("motion");
  const std::vector<SeenFrame> seen = run(scene_, 2);
  const RecordedRun read(path("out"));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read.frame(2).obstacles, seen[2].obstacles);
  EXPECT_EQ(read.frame(2).planes.size(), 1u);
}

TEST_F(RecordedRunTest, NamesWhatAFolderLacks) {
  expect_message("found nothing");
  scene_["output"] = {{"formats", nlohmann::json::array()}};
  run(scene_, 1);
  expect_message("run the scene with \"vtu\" in output.formats");
  std::filesystem::remove(path("out/checkpoint.h5"));
  expect_message("output.checkpoint above 0");
}

TEST_F(RecordedRunTest, RefusesDamagedFrames) {
  scene_["output"] = {{"formats", {"vtu"}}};
  run(scene_, 1);
  const RecordedRun read(path("out"));
  std::ofstream(path("out/frames/cube___plane_000001.vtu")) << "<VTKFile/>";
  EXPECT_THROW(read.frame(1), InputError);
}

}  // namespace
}  // namespace sinew

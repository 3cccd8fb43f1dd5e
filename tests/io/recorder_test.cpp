#include "sinew/io/recorder.h"

#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/formats/read.h"
#include "sinew/io/initial_state.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RecorderTest : public test::FolderTest {
 protected:
  // A simulation of the sample scene and the settings to record it.
  struct Run {
    explicit Run(const nlohmann::json& json) {
      Scene scene = parse_scene(json, ".");
      settings.scene = {scene.completed, ".", ""};
      settings.every = scene.output.every;
      settings.checkpoint = scene.output.checkpoint;
      simulation = std::make_unique<Simulation>(build_system(std::move(scene.setup)));
      settings.facts = {simulation->system().setup.name, "newton", 1};
    }
    void record(const std::string& folder, FolderMode mode, int until) {
      settings.folder = folder;
      settings.mode = mode;
      Recorder recorder(settings, *simulation);
      while (simulation->state().step < until) recorder.record(simulation->step());
      recorder.finish();
    }
    RecorderSettings settings;
    std::unique_ptr<Simulation> simulation;
  };

  Json summary(const std::string& folder) const { return Json::parse(test::slurp(folder_ / folder / "summary.json")); }

  nlohmann::json scene_ = test::sample_scene();
};

TEST_F(RecorderTest, FolderHoldsWhatTheContractSays) {
  scene_["output"] = {{"every", 2}};
  Run(scene_).record(path("out"), FolderMode::refuse, 3);
  EXPECT_THAT(listing("out"), ElementsAre("checkpoint.h5", "frames", "steps.jsonl", "summary.json"));
  EXPECT_THAT(listing("out/frames"),
              ElementsAre("cube___plane.pvd", "cube___plane_000000.vtu", "cube___plane_000002.vtu",
                          "cube___plane_obstacles.pvd", "cube___plane_obstacles_000000.vtu",
                          "cube___plane_obstacles_000002.vtu"));
  const Json s = summary("out");
  EXPECT_EQ(s["scene"], "cube & plane");
  EXPECT_EQ(s["method"], "newton");
  EXPECT_EQ(s["vertices"], 27);
  EXPECT_EQ(s["tets"], 40);
  EXPECT_EQ(s["dofs"], 81);
  EXPECT_EQ(s["threads"], 1);
  EXPECT_EQ(s["steps"], 3);
  for (const char* key : {"seconds", "newton_iterations", "linear_iterations", "min_distance", "min_jacobian",
                          "max_residual", "energies", "peak_memory_mb", "version"}) {
    EXPECT_TRUE(s.contains(key)) << key;
  }
  EXPECT_GE(s["seconds"]["total"].get<double>(), s["seconds"]["steps"].get<double>());
}

TEST_F(RecorderTest, FramesHoldTheStateInTheUsersNumbering) {
  Run run(scene_);
  run.record(path("out"), FolderMode::refuse, 2);
  const std::string frame = path("out/frames/cube___plane_000002.vtu");
  const TetMesh mesh = read_tet_mesh(frame);
  const System& system = run.simulation->system();
  EXPECT_EQ(mesh.vertices, system.to_user(run.simulation->state().x, &system.user_rest));
  EXPECT_EQ(mesh.tets, system.user_tets);
  Eigen::MatrixXd cauchy;
  std::vector<double> von_mises;
  run.simulation->stress(cauchy, von_mises);
  for (Index t = 0; t < system.tet_count(); ++t) {
    EXPECT_EQ(mesh.cell_fields.at("von_mises")[system.tet_to_user[t]], von_mises[t]);
  }
  const std::string text = test::slurp(frame);
  for (const char* name : {"displacement", "velocity", "contact_force", "friction_force", "reaction_force",
                           "material_id", "body_id", "von_mises", "cauchy_stress"}) {
    EXPECT_THAT(text, HasSubstr(std::string("Name=\"") + name + "\""));
  }
  const TriMesh obstacles = read_tri_mesh(path("out/frames/cube___plane_obstacles_000002.vtu"));
  EXPECT_GT(obstacles.triangles.cols(), 12);  // the wall and the plane's two
}

// What an adaptive subspace takes in is a field of frames.
TEST_F(RecorderTest, FramesHoldWhatAnAdaptiveSubspaceTakesIn) {
  scene_["solver"]["method"] = "adaptive";
  Run run(scene_);
  run.record(path("out"), FolderMode::refuse, 2);
  const std::optional<ActiveSubspace> active = run.simulation->active_subspace();
  ASSERT_TRUE(active);
  const std::string frame = path("out/frames/cube___plane_000002.vtu");
  const std::vector<double> region = read_tet_mesh(frame).cell_fields.at("region");
  const System& system = run.simulation->system();
  for (Index t = 0; t < system.tet_count(); ++t) EXPECT_EQ(region[system.tet_to_user[t]], active->tet_region[t]) << t;
  Run(scene_).record(path("again"), FolderMode::refuse, 2);
  EXPECT_EQ(test::slurp(frame), test::slurp(folder_ / "again/frames/cube___plane_000002.vtu"));
}

TEST_F(RecorderTest, ResumedRunEqualsTheUninterruptedOne) {
  Run(scene_).record(path("whole"), FolderMode::refuse, 6);
  Run(scene_).record(path("parts"), FolderMode::refuse, 3);
  Run(scene_).record(path("parts"), FolderMode::resume, 6);
  ASSERT_EQ(listing("whole/frames"), listing("parts/frames"));
  for (const std::string& name : listing("whole/frames")) {
    EXPECT_EQ(test::slurp(folder_ / "whole/frames" / name), test::slurp(folder_ / "parts/frames" / name)) << name;
  }
  const auto facts = [&](const std::string& folder) {
    Json s = summary(folder);
    s.erase("seconds");
    s.erase("peak_memory_mb");
    return s;
  };
  EXPECT_EQ(facts("whole"), facts("parts"));
  EXPECT_GT(summary("parts")["seconds"]["setup"].get<double>() + 1, 0);
}

TEST_F(RecorderTest, ResumeDropsRowsAndFramesAfterTheCheckpoint) {
  Run(scene_).record(path("whole"), FolderMode::refuse, 5);
  scene_["output"] = {{"checkpoint", 3}};
  {  // ended without finish(), as by a crash after step 5: the checkpoint is of step 3
    Run run(scene_);
    run.settings.folder = path("parts");
    Recorder recorder(run.settings, *run.simulation);
    for (int s = 0; s < 5; ++s) recorder.record(run.simulation->step());
  }
  EXPECT_FALSE(std::filesystem::exists(path("parts/summary.json")));
  Run run(scene_);
  run.record(path("parts"), FolderMode::resume, 3);
  EXPECT_EQ(run.simulation->state().step, 3);
  EXPECT_THAT(listing("parts/frames"), testing::Not(testing::Contains("cube___plane_000004.vtu")));
  EXPECT_EQ(summary("parts")["steps"], 3);
  Run(scene_).record(path("parts"), FolderMode::resume, 5);
  EXPECT_EQ(test::slurp(path("whole/frames/cube___plane_000005.vtu")),
            test::slurp(path("parts/frames/cube___plane_000005.vtu")));
}

TEST_F(RecorderTest, CheckpointOfAnotherSceneIsRefusedWithTheDifference) {
  Run(scene_).record(path("out"), FolderMode::refuse, 1);
  const std::string rows = test::slurp(path("out/steps.jsonl"));
  scene_["time"]["steps"] = 100;  // may differ
  scene_["output"] = {{"every", 5}};
  scene_["solver"]["tolerance"] = 1e-3;
  Run other(scene_);
  EXPECT_THAT([&] { other.record(path("out"), FolderMode::resume, 2); },
              testing::ThrowsMessage<InputError>(
                  path("out/checkpoint.h5") +
                  ": belongs to another scene: solver.tolerance is 0.001 in the scene, 1e-06 in the checkpoint. Undo "
                  "the change, or start again in another folder or with --overwrite."));
  EXPECT_EQ(test::slurp(path("out/steps.jsonl")), rows);
}

TEST_F(RecorderTest, KeysThatACheckpointDoesNotKnowCountAsTheirDefaults) {
  {  // as a version wrote it that had neither key
    Run older(scene_);
    older.settings.scene.completed["solver"].erase("linear_iterations");
    older.settings.scene.completed["solver"]["multilevel"].erase("lag");
    older.record(path("out"), FolderMode::refuse, 1);
  }
  const int passes = Run(scene_).settings.scene.completed["solver"]["linear_iterations"];
  nlohmann::json changed = scene_;
  changed["solver"]["linear_iterations"] = passes + 1;
  EXPECT_THAT([&] { Run(changed).record(path("out"), FolderMode::resume, 2); },
              testing::ThrowsMessage<InputError>(HasSubstr(fmt::format(
                  "solver.linear_iterations is {} in the scene, {} in the checkpoint.", passes + 1, passes))));
  Run(scene_).record(path("out"), FolderMode::resume, 2);
  EXPECT_EQ(summary("out")["steps"], 2);
}

TEST_F(RecorderTest, KeysThatOnlyACheckpointKnowsAreNamed) {
  {
    Run other(scene_);
    other.settings.scene.completed["solver"]["unheard_of"] = 3;
    other.record(path("out"), FolderMode::refuse, 1);
  }
  EXPECT_THAT(
      [&] { Run(scene_).record(path("out"), FolderMode::resume, 2); },
      testing::ThrowsMessage<InputError>(HasSubstr("solver.unheard_of is absent in the scene, 3 in the checkpoint.")));
}

TEST_F(RecorderTest, FoldersInUseAreRefused) {
  write("mine.txt", "precious");
  EXPECT_THAT([&] { check_output_folder(folder_.string(), FolderMode::refuse); },
              testing::ThrowsMessage<InputError>(
                  folder_.string() + ": expected a new or empty folder for the output, found one with files; replace "
                                     "an earlier run with --overwrite, or choose another folder with -o"));
  EXPECT_THAT(
      [&] { check_output_folder(folder_.string(), FolderMode::resume); },
      testing::ThrowsMessage<InputError>(
          folder_.string() +
          ": found no checkpoint.h5 to resume from; run without --resume in a new folder, or with --overwrite"));
  EXPECT_THAT([&] { check_output_folder(path("mine.txt"), FolderMode::overwrite); },
              testing::ThrowsMessage<InputError>(
                  path("mine.txt") + ": expected a folder for the output, found a file; choose another with -o"));
}

TEST_F(RecorderTest, OverwriteRemovesOnlyWhatRunsWrite) {
  Run(scene_).record(path("out"), FolderMode::refuse, 4);
  write("out/mine.txt", "precious");
  write("out/frames/checkpoint.h5.sinew-tmp-1", "left by a crash");
  Run(scene_).record(path("out"), FolderMode::overwrite, 1);
  EXPECT_THAT(listing("out"), ElementsAre("checkpoint.h5", "frames", "mine.txt", "steps.jsonl", "summary.json"));
  EXPECT_THAT(listing("out/frames"),
              ElementsAre("cube___plane.pvd", "cube___plane_000000.vtu", "cube___plane_000001.vtu",
                          "cube___plane_obstacles.pvd", "cube___plane_obstacles_000000.vtu",
                          "cube___plane_obstacles_000001.vtu"));
}

TEST_F(RecorderTest, OneRunAtATimeWritesToAFolder) {
  Run first(scene_), second(scene_);
  first.settings.folder = second.settings.folder = path("out");
  std::optional<Recorder> recorder(std::in_place, first.settings, *first.simulation);
  for (const FolderMode mode : {FolderMode::resume, FolderMode::overwrite}) {
    second.settings.mode = mode;
    EXPECT_THAT([&] { Recorder(second.settings, *second.simulation); },
                testing::ThrowsMessage<InputError>(
                    path("out") + ": another run is writing to this folder; wait until it has ended, or choose another "
                                  "with -o"));
  }
  recorder->record(first.simulation->step());
  recorder->finish();
  recorder.reset();
  second.record(path("out"), FolderMode::resume, 2);
  EXPECT_EQ(summary("out")["steps"], 2);
}

TEST_F(RecorderTest, UnwritableFolderIsNamedAndWhatWasWrittenStaysWhole) {
  write("file", "");
  EXPECT_THAT([&] { check_output_folder(path("file/out"), FolderMode::refuse); },
              testing::ThrowsMessage<InputError>(path("file/out") + ": expected a folder for the output, but " +
                                                 path("file") + " is a file; choose another with -o"));
  if (::geteuid() != 0) {  // root may write anywhere
    std::filesystem::create_directory(path("closed"));
    std::filesystem::permissions(path("closed"),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_THAT([&] { check_output_folder(path("closed/out"), FolderMode::refuse); },
                testing::ThrowsMessage<InputError>(HasSubstr(path("closed") + " is not writable")));
    Run(scene_).record(path("kept"), FolderMode::refuse, 1);
    std::filesystem::permissions(path("kept/frames"),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_THAT([&] { Run(scene_).record(path("kept"), FolderMode::overwrite, 1); },
                testing::ThrowsMessage<InputError>(HasSubstr(path("kept/frames") + " is not writable")));
    EXPECT_THAT(listing("kept"), ElementsAre("checkpoint.h5", "frames", "steps.jsonl", "summary.json"));
    std::filesystem::permissions(path("kept/frames"), std::filesystem::perms::owner_all);
  }
  Run run(scene_);
  run.settings.folder = path("out");
  Recorder recorder(run.settings, *run.simulation);
  recorder.record(run.simulation->step());
  const std::string rows = test::slurp(path("out/steps.jsonl"));
  std::filesystem::remove_all(path("out/frames"));
  write("out/frames", "in the way");
  EXPECT_THAT([&] { recorder.record(run.simulation->step()); },
              testing::ThrowsMessage<SimulationError>(HasSubstr(path("out/frames"))));
  EXPECT_EQ(test::slurp(path("out/steps.jsonl")), rows);
  Run again(scene_);
  load_checkpoint(path("out/checkpoint.h5"), again.settings.scene, *again.simulation);
  EXPECT_EQ(again.simulation->state().step, 1);
}

TEST_F(RecorderTest, RunsStartFromFramesAndCheckpoints) {
  Run first(scene_);
  first.record(path("out"), FolderMode::refuse, 2);
  for (const char* file : {"out/checkpoint.h5", "out/frames/cube___plane_000002.vtu"}) {
    const auto next = start_simulation(first.simulation->shared_system(), InitialSetup{path(file)}, "scene");
    const Index n = next->system().dynamic_count;
    EXPECT_EQ(next->state().x.leftCols(n), first.simulation->state().x.leftCols(n)) << file;
    EXPECT_EQ(next->state().v.leftCols(n), first.simulation->state().v.leftCols(n)) << file;
    EXPECT_EQ(next->time(), first.simulation->time());
    EXPECT_EQ(next->state().step, 0);
    EXPECT_EQ(next->state().x, first.simulation->state().x) << "the obstacles are where they were";
    const auto reset = start_simulation(first.simulation->shared_system(), InitialSetup{path(file), true}, "scene");
    EXPECT_EQ(reset->time(), 0);
    EXPECT_NE(reset->state().x, first.simulation->state().x) << "the obstacles are at their first key";
  }
  const auto start = [&](const Run& run, const std::string& file) {
    return [system = run.simulation->shared_system(), file = path(file)] {
      start_simulation(system, InitialSetup{file}, "s.json");
    };
  };
  EXPECT_THAT(start(first, "out/frames/cube___plane_obstacles_000002.vtu"),
              testing::ThrowsMessage<InputError>(
                  HasSubstr("has no 'velocity' in <PointData>; expected a frame of the bodies that sinew wrote")));
  EXPECT_THAT(start(first, "none.vtu"),
              testing::ThrowsMessage<InputError>("s.json: initial: found no file \"" + path("none.vtu") +
                                                 "\", expected a frame or checkpoint of a run"));
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {3, 2, 2};
  const Run other(scene_);
  EXPECT_THAT(start(other, "out/checkpoint.h5"),
              testing::ThrowsMessage<InputError>(
                  "s.json: " + path("out/checkpoint.h5") +
                  ": belongs to other meshes than those of the scene; expected a checkpoint of the same bodies"));
}

TEST_F(RecorderTest, FramesWithoutATimeSayHowToStart) {
  Run first(scene_);
  first.record(path("out"), FolderMode::refuse, 2);
  std::string frame = test::slurp(path("out/frames/cube___plane_000002.vtu"));
  const auto from = frame.find("<FieldData>"), to = frame.find("<Piece");
  const auto start = [&](bool reset) {
    return start_simulation(first.simulation->shared_system(), InitialSetup{path("frame.vtu"), reset}, "s.json")
        ->time();
  };
  write("frame.vtu", frame.substr(0, from) + frame.substr(to));
  EXPECT_THAT([&] { start(false); },
              testing::ThrowsMessage<InputError>(
                  "s.json: " + path("frame.vtu") +
                  ": has no time (TimeValue in <FieldData>) from which the run could continue; to start at time 0 give "
                  "{\"file\": ..., \"time\": \"reset\"}, or use a frame that sinew wrote"));
  EXPECT_EQ(start(true), 0);
  write("frame.vtu", frame.replace(frame.find(">0.02<"), 6, ">soon<"));
  EXPECT_THAT([&] { start(false); }, testing::ThrowsMessage<InputError>(
                                         HasSubstr("found time \"soon\" (TimeValue in <FieldData>), expected")));
}

// A share of a load is no time in seconds.
TEST_F(RecorderTest, TimeStartsAnewInTheOtherMode) {
  nlohmann::json still = scene_;
  still["time"] = {{"mode", "static"}, {"steps", 4}};
  still["bodies"][0]["fix"] = {"all"};
  Run loaded(still), falling(scene_);
  loaded.record(path("static"), FolderMode::refuse, 2);
  falling.record(path("dynamic"), FolderMode::refuse, 2);
  const auto time = [&](const Run& run, const std::string& file) {
    return start_simulation(run.simulation->shared_system(), InitialSetup{path(file)}, "s.json")->time();
  };
  for (const std::string name : {"checkpoint.h5", "frames/cube___plane_000002.vtu"}) {
    EXPECT_EQ(time(loaded, "static/" + name), 0.5);
    EXPECT_EQ(time(falling, "static/" + name), 0);
    EXPECT_EQ(time(loaded, "dynamic/" + name), 0);
  }
}

TEST_F(RecorderTest, CopiedStateGivesTheSameBits) {
  Run a(scene_), b(scene_);
  for (int s = 0; s < 3; ++s) a.simulation->step();
  b.simulation->replace(a.simulation->state());
  a.simulation->step();
  b.simulation->step();
  EXPECT_EQ(a.simulation->state().x, b.simulation->state().x);
  EXPECT_EQ(a.simulation->state().v, b.simulation->state().v);
}

}  // namespace
}  // namespace sinew

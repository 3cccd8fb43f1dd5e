#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "command.h"
#include <gmock/gmock.h>
#include <sys/wait.h>

namespace sinew {
namespace {

using test::sinew;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class Run : public test::CommandTest {
 protected:
  std::vector<std::string> run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run", scene_path_, "-o", path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(Run, WritesTheFolderAndSaysWhere) {
  const auto result = sinew(run());
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("6 steps in "));
  EXPECT_THAT(result.out, HasSubstr("results in " + path("out")));
  EXPECT_EQ(result.err, "");  // no progress bar without a terminal
  EXPECT_THAT(listing("out"),
              ElementsAre("checkpoint.h5", "frames", "report", "report.html", "steps.jsonl", "summary.json"));
  EXPECT_EQ(json("out/summary.json")["steps"], 6);
  EXPECT_EQ(sinew(run({"--quiet", "--overwrite"})).out, "");
}

TEST_F(Run, OverridesStepsMethodAndValues) {
  const auto result = sinew(run({"--steps", "2", "--method", "newton-pcg", "--set", "name=other", "--set",
                                 "bodies.0.velocity=[0,0,0]", "--threads", "1"}));
  EXPECT_EQ(result.code, 0) << result.err;
  const auto summary = json("out/summary.json");
  EXPECT_EQ(summary["steps"], 2);
  EXPECT_EQ(summary["method"], "newton-pcg");
  EXPECT_EQ(summary["scene"], "other");
  EXPECT_EQ(summary["threads"], 1);
  EXPECT_GT(summary["linear_iterations"].get<long>(), 0);
  EXPECT_TRUE(fs::exists(path("out/frames/other_000002.vtu")));
}

// What a recording of sinew live says is done at its steps.
TEST_F(Run, ScriptsAreFollowed) {
  const auto script = [&](const std::string& events) {
    std::ofstream(path("script.json")) << R"({"sinew_script": 1, "steps": 4, "events": [)" + events + "]}";
    return path("script.json");
  };
  const std::string gravity = R"({"step": 2, "type": "set", "key": "gravity", "value": [0, 0, 0]})";
  const auto result = sinew(run({"--script", script(gravity)}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json("out/summary.json")["steps"], 4);
  EXPECT_EQ(json("out/summary.json")["energies"]["gravity"], 0);
  EXPECT_EQ(sinew(run({"--overwrite", "--steps", "6", "--script", script(gravity)})).code, 0);
  EXPECT_EQ(json("out/summary.json")["steps"], 6);

  const auto error = [&](const std::string& events) {
    const auto bad = sinew(run({"--overwrite", "--script", script(events)}));
    EXPECT_EQ(bad.code, 2);
    return bad.err;
  };
  EXPECT_THAT(error(R"({"step": 0, "type": "jump"})"), HasSubstr("script.json: events[0].type: found \"jump\""));
  EXPECT_THAT(error(gravity + "," + R"({"step": 1, "type": "method", "name": "x"})"), HasSubstr("ascending"));
  EXPECT_THAT(error(R"({"step": 0, "type": "set", "key": "gravtiy", "value": 1})"), HasSubstr("gravity"));
  EXPECT_THAT(error(R"({"step": 0, "type": "pull", "client": 0, "id": 1, "vertex": 1})"), HasSubstr("target"));
  EXPECT_THAT(sinew(run({"--overwrite", "--script", path("none.json")})).err, HasSubstr("none.json"));
  EXPECT_EQ(sinew(run({"--resume", "--script", path("script.json")})).code, 2);
}

TEST_F(Run, LinearSolverOfTheSceneYieldsToTheCommandLine) {
  scene_["solver"]["linear_solver"] = "pcg";
  save();
  ASSERT_EQ(sinew(run({"--steps", "1"})).code, 0);
  EXPECT_EQ(json("out/summary.json")["method"], "newton-pcg");
  ASSERT_EQ(sinew(run({"--steps", "1", "--method", "newton", "--overwrite"})).code, 0);
  EXPECT_EQ(json("out/summary.json")["method"], "newton");
}

TEST_F(Run, BadInputLeavesNothingWritten) {
  const auto unknown = sinew(run({"--set", "materials.rubber.yuong=1"}));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("yuong"));
  const auto method = sinew(run({"--method", "newtn"}));
  EXPECT_EQ(method.code, 2);
  EXPECT_EQ(method.err,
            "error: --method: found \"newtn\", expected one of \"auto\", \"newton\", \"newton-pcg\", "
            "\"newton-multilevel\", \"multilevel\", "
            "\"adaptive\", \"mixed\", \"reduced\", \"quasi_newton\"; did you "
            "mean \"newton\"?\n");
  const auto intersecting = sinew(run({"--set", "bodies.0.transform.translate=[0,0.04,0]"}));
  EXPECT_EQ(intersecting.code, 2);
  EXPECT_THAT(intersecting.err, HasSubstr("cube"));
  EXPECT_THAT(intersecting.err, HasSubstr("obstacle 'ground'"));
  EXPECT_THAT(intersecting.err, HasSubstr("sinew check SCENE --intersections FILE.vtu"));
  const auto huge = sinew(run({"--set", "bodies.0.mesh.box.cells=[4000,4000,4000]"}));
  EXPECT_EQ(huge.code, 2);
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Run, NonEmptyFoldersNeedAWord) {
  ASSERT_EQ(sinew(run({"--steps", "2"})).code, 0);
  const std::string before = test::slurp(path("out/summary.json"));
  const auto refused = sinew(run());
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "error: " + path("out") +
                ": expected a new or empty folder for the output, found one with files; continue the run with "
                "--resume, replace an earlier run with --overwrite, or choose another folder with -o\n");
  EXPECT_EQ(test::slurp(path("out/summary.json")), before);
  EXPECT_EQ(sinew(run({"--overwrite", "--steps", "1"})).code, 0);
  EXPECT_EQ(json("out/summary.json")["steps"], 1);
}

TEST_F(Run, ResumeEqualsTheUninterruptedRun) {
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("whole")}).code, 0);
  ASSERT_EQ(sinew(run({"--steps", "2"})).code, 0);
  const auto resumed = sinew(run({"--resume"}));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(listing("whole/frames"), listing("out/frames"));
  for (const std::string& name : listing("whole/frames")) {
    EXPECT_EQ(test::slurp(folder_ / "whole/frames" / name), test::slurp(folder_ / "out/frames" / name)) << name;
  }
  const auto nothing = sinew({"run", scene_path_, "-o", path("empty"), "--resume"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.err,
            "error: " + path("empty") +
                ": found no checkpoint.h5 to resume from; run without --resume in a new folder, or with --overwrite\n");
}

TEST_F(Run, IterativeMethodsGiveTheSameBitsForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2"}) {
    ASSERT_EQ(sinew({"run", scene_path_, "-o", path(threads), "--method", "newton-pcg", "--threads", threads}).code, 0);
  }
  EXPECT_EQ(test::slurp(path("1/frames/cube___plane_000006.vtu")),
            test::slurp(path("2/frames/cube___plane_000006.vtu")));
}

TEST_F(Run, UnconvergedStepsWarnAndStrictStops) {
  scene_["solver"]["max_iterations"] = 1;
  scene_["solver"]["tolerance"] = 1e-12;
  save();
  const auto lenient = sinew(run());
  EXPECT_EQ(lenient.code, 0);
  EXPECT_THAT(lenient.err, HasSubstr("warning: step 1 did not converge: "));
  EXPECT_THAT(lenient.err, HasSubstr("\n  what to do: "));
  EXPECT_THAT(lenient.err, HasSubstr("warning: step 2 did not converge either: "));
  std::istringstream rows(test::slurp(path("out/steps.jsonl")));
  std::string row;
  std::getline(rows, row);
  const auto diagnosis = nlohmann::json::parse(row)["diagnosis"];
  EXPECT_EQ(diagnosis["cause"], "slow_motion");  // of the wall
  EXPECT_EQ(diagnosis["body"], "cube");
  EXPECT_GT(diagnosis["forces"].size(), 1u);
  EXPECT_EQ(json("out/summary.json")["steps_failed"], 6);
  const auto strict = sinew({"run", scene_path_, "-o", path("strict"), "--strict"});
  EXPECT_EQ(strict.code, 1);
  EXPECT_THAT(strict.err,
              HasSubstr("error: stopped by --strict at step 1, which did not converge: the prescribed motion "
                        "did not reach its target within solver.max_iterations\n  where: vertex "));
  EXPECT_THAT(strict.err, HasSubstr("\n  what to do: raise solver.max_iterations (now 1)"));
  EXPECT_THAT(strict.err, HasSubstr("\n  Continue from the last checkpoint with --resume; change values with --set\n"));
  EXPECT_THAT(strict.err, Not(HasSubstr("warning")));  // said once
  EXPECT_EQ(json("strict/summary.json")["steps"], 1);
  EXPECT_TRUE(fs::exists(path("strict/checkpoint.h5")));
  // More iterations are no other scene: the step is computed anew.
  const auto resumed = sinew({"run", scene_path_, "-o", path("strict"), "--strict", "--resume", "--set",
                              "solver.max_iterations=100", "--set", "solver.tolerance=1e-12"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(json("strict/summary.json")["steps"], 6);
  EXPECT_EQ(json("strict/summary.json")["steps_failed"], 0);
  EXPECT_THAT(test::slurp(path("strict/steps.jsonl")), Not(HasSubstr("diagnosis")));
}

TEST_F(Run, StaticsIsNotResumedWithOtherLoadSteps) {
  scene_["time"] = {{"mode", "static"}, {"steps", 2}};
  scene_["bodies"][0]["fix"] = {"all"};
  scene_["obstacles"] = nlohmann::json::array();
  save();
  ASSERT_EQ(sinew(run()).code, 0);
  const auto other = sinew(run({"--resume", "--steps", "4"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("belongs to another scene: time.steps is 4 in the scene, 2 in the checkpoint."));
}

TEST_F(Run, OverwritingForgetsFramesOfOtherNames) {
  ASSERT_EQ(sinew(run({"--steps", "1"})).code, 0);
  ASSERT_EQ(sinew(run({"--steps", "1", "--overwrite", "--set", "name=other"})).code, 0);
  for (const std::string& name : listing("out/frames")) EXPECT_TRUE(name.starts_with("other")) << name;
}

TEST_F(Run, ResumesWithoutTheFileItStartedFrom) {
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("first"), "--steps", "2"}).code, 0);
  scene_["initial"] = "first/checkpoint.h5";
  save();
  ASSERT_EQ(sinew(run({"--steps", "2"})).code, 0);
  fs::remove_all(path("first"));
  const auto resumed = sinew(run({"--resume", "--steps", "3"}));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  const auto anew = sinew(run({"--overwrite"}));
  EXPECT_EQ(anew.code, 2);
  EXPECT_EQ(anew.err, "error: " + scene_path_ + ": initial: found no file \"" + path("first/checkpoint.h5") +
                          "\", expected a frame or checkpoint of a run\n");
}

TEST_F(Run, FormatsMayBeEmpty) {
  scene_["output"] = {{"formats", nlohmann::json::array()}};
  save();
  ASSERT_EQ(sinew(run()).code, 0);
  EXPECT_THAT(listing("out"), ElementsAre("checkpoint.h5", "steps.jsonl", "summary.json"));
}

TEST_F(Run, StartsFromAnotherRunsEnd) {
  ASSERT_EQ(sinew(run()).code, 0);
  scene_["initial"] = "out/checkpoint.h5";
  save();
  const auto result = sinew({"run", scene_path_, "-o", path("next"), "--steps", "1"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto points = [](const std::string& frame) { return frame.substr(frame.find("<AppendedData"), 500); };
  EXPECT_EQ(points(test::slurp(path("out/frames/cube___plane_000006.vtu"))),
            points(test::slurp(path("next/frames/cube___plane_000000.vtu"))));
}

// A strip is bent plastically in load steps. A run that starts from its checkpoint has the plastic strain, one from a
// frame says that it has none, and other materials are refused.
TEST_F(Run, PlasticStrainGoesOnFromAnotherRunsState) {
  scene_ = nlohmann::json::parse(R"({
    "time": {"mode": "static", "steps": 4}, "gravity": [0, 0, 0],
    "materials": {"steel": {"model": "hencky", "young": 2e11, "poisson": 0.3, "density": 7800,
                            "plasticity": {"yield_stress": 2.5e8, "hardening": 1e9}},
                  "rubber": {"young": 1e6, "viscosity": [{"time": 1, "modulus": 1}]}},
    "bodies": [{"mesh": {"box": {"size": [0.1, 0.01, 0.01], "cells": [8, 1, 1]}}, "material": "steel",
                "elements": "quadratic",
                "fix": [{"halfspace": {"point": [-0.05, 0, 0], "normal": [-1, 0, 0]}},
                        {"halfspace": {"point": [0.05, 0, 0], "normal": [1, 0, 0]},
                         "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 0.01, 0]]}}}]}],
    "contact": {"enabled": false}, "output": {"formats": ["vtu"]}})");
  save();
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("first")}).code, 0);
  EXPECT_NE(test::slurp(path("first/frames/scene_000004.vtu")).find("plastic_strain"), std::string::npos);
  nlohmann::json& body = scene_["bodies"][0];
  body["fix"].erase(1);
  scene_["time"] = {{"step", 0.1}, {"steps", 3}};
  scene_["initial"] = {{"file", "first/checkpoint.h5"}, {"time", "reset"}};
  save();
  const auto on = sinew({"run", scene_path_, "-o", path("second")});
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_EQ(on.err.find("history"), std::string::npos) << on.err;
  // It springs back, but not to its rest shape.
  const double bent = json("second/summary.json")["energies"]["elastic"];
  scene_["initial"]["file"] = "first/frames/scene_000004.vtu";
  save();
  const auto frame = sinew({"run", scene_path_, "-o", path("third")});
  EXPECT_NE(frame.err.find("has no history of plastic materials"), std::string::npos) << frame.err;
  EXPECT_GT(json("third/summary.json")["energies"]["elastic"], 0);
  EXPECT_NE(json("third/summary.json")["energies"]["elastic"], bent);
  body["material"] = "rubber";
  scene_["initial"]["file"] = "first/checkpoint.h5";
  save();
  const auto other = sinew({"run", scene_path_, "-o", path("fourth")});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("holds the history of other viscous or plastic materials"), std::string::npos) << other.err;
}

TEST_F(Run, TimesOfADividedRunAreThoseOfAWholeOne) {
  scene_["output"]["formats"] = nlohmann::json::array();
  save();
  ASSERT_EQ(sinew(run({"--steps", "40"})).code, 0);
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("first"), "--steps", "30"}).code, 0);
  const std::string set = "initial=" + path("first/checkpoint.h5");
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("next"), "--steps", "10", "--set", set}).code, 0);
  EXPECT_EQ(json("next/summary.json")["time"], json("out/summary.json")["time"]);
}

// The sides of the cube are carried along by the wall's motion; from step 3 of 6 on the run is made once more.
TEST_F(Run, TimeGoesOnFromAnotherRunsState) {
  scene_["time"]["integrator"] = "implicit_euler";  // BDF2 would start anew, without history
  scene_["bodies"][0]["fix"] = {{{"halfspace", {{"point", {0.04, 0, 0}}, {"normal", {1, 0, 0}}}},
                                 {"motion", scene_["obstacles"][1]["motion"]},
                                 {"until", 0.045}}};
  scene_["contact"]["stiffness"] = 1e5;
  save();
  ASSERT_EQ(sinew(run()).code, 0);
  for (const std::string start : {"out/frames/cube___plane_000003.vtu", "three/checkpoint.h5"}) {
    if (start[0] == 't') {
      ASSERT_EQ(sinew({"run", scene_path_, "-o", path("three"), "--steps", "3"}).code, 0);
    }
    const std::string set = "initial=" + path(start);
    const auto rest = sinew({"run", scene_path_, "-o", path("next"), "--steps", "3", "--set", set, "--overwrite"});
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(rest.err, "");
    EXPECT_EQ(test::slurp(path("out/frames/cube___plane_000006.vtu")),
              test::slurp(path("next/frames/cube___plane_000003.vtu")))
        << start;
    EXPECT_EQ(json("next/summary.json")["time"], json("out/summary.json")["time"]);
    EXPECT_EQ(json("next/summary.json")["steps"], 3);
    EXPECT_THAT(test::slurp(path("next/frames/cube___plane.pvd")), HasSubstr("timestep=\"0.03\""));
    // Going on in the new run gives the same bits again, and its frames keep their times.
    ASSERT_EQ(sinew({"run", scene_path_, "-o", path("parts"), "--steps", "1", "--set", set, "--overwrite"}).code, 0);
    ASSERT_EQ(sinew({"run", scene_path_, "-o", path("parts"), "--steps", "3", "--set", set, "--resume"}).code, 0);
    for (const std::string& name : listing("next/frames"))
      EXPECT_EQ(test::slurp(path("next/frames/" + name)), test::slurp(path("parts/frames/" + name))) << name;
  }
  // Started again, the motion would carry the vertices back.
  scene_["initial"] = {{"file", "out/frames/cube___plane_000003.vtu"}, {"time", "reset"}};
  save();
  const auto reset = sinew({"run", scene_path_, "-o", path("reset"), "--steps", "1"});
  ASSERT_EQ(reset.code, 0) << reset.err;
  EXPECT_EQ(json("reset/summary.json")["time"], 0.01);
}

// Half of the load is on; the steps of the second run put on the other half.
TEST_F(Run, LoadStepsShareOutWhatIsLeftOfTheLoad) {
  scene_["time"] = {{"mode", "static"}, {"steps", 4}};
  scene_["obstacles"] = nlohmann::json::array();
  scene_["bodies"][0]["fix"] = {{{"halfspace", {{"point", {0, 0.1, 0}}, {"normal", {0, 1, 0}}}}}};
  scene_["bodies"][0].erase("velocity");
  save();
  ASSERT_EQ(sinew(run()).code, 0);
  const std::string set = "initial=" + path("out/frames/cube___plane_000002.vtu");
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("next"), "--steps", "2", "--set", set}).code, 0);
  EXPECT_EQ(test::slurp(path("out/frames/cube___plane_000004.vtu")),
            test::slurp(path("next/frames/cube___plane_000002.vtu")));
  EXPECT_THAT(test::slurp(path("next/steps.jsonl")), HasSubstr("\"time\":0.75,"));
}

// ---- what a check finds

TEST_F(Run, SaysWhatACheckFinds) {
  scene_["materials"]["rubber"]["poisson"] = 0.49;
  scene_["materials"]["spare"] = {{"young", 1e6}};
  scene_["bodies"][0]["transform"]["translate"] = {0, 0.0505, 0};  // closer than the contact distance
  scene_["bodies"][0]["acceleration"] = {0, 0, 1e-9};
  scene_["contact"]["slip_speed"] = 1e-3;
  scene_["solver"]["handles"] = 3;  // without effect
  scene_["solver"]["method"] = "newton";
  save();
  const auto result = sinew(run({"--steps", "2"}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, testing::StartsWith("warning: " + scene_path_ + ": solver.handles: has no effect"));
  EXPECT_THAT(result.err, HasSubstr("\nwarning: locking: body 'cube' has 2 layers of tets across"));
  EXPECT_THAT(result.err, HasSubstr("\nremark: thin gap: 'cube' and 'ground' start with "));
  EXPECT_THAT(result.err, HasSubstr("\nremark: unused material: no body uses material 'spare'\n"));
  EXPECT_THAT(result.err, testing::EndsWith("\nwhat to do: sinew check " + scene_path_ + " --steps 2 --brief\n"));
  EXPECT_LT(result.err.find("locking"), result.err.find("thin gap"));
  const nlohmann::json findings = json("out/summary.json")["findings"];
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0]["kind"], "locking");
  EXPECT_EQ(findings[0]["severity"], "warning");
  EXPECT_THAT(findings[0]["message"].get<std::string>(), HasSubstr("2 layers"));
  EXPECT_THAT(findings[0]["remedy"].get<std::string>(), HasSubstr("6 layers or more"));
  EXPECT_FALSE(findings[0].contains("primitives"));
  // The page shows them, and what goes on keeps them and says nothing again.
  const std::string page = test::slurp(path("out/report.html"));
  EXPECT_THAT(page, HasSubstr("remark: thin gap: 'cube' and 'ground'"));
  EXPECT_THAT(page, HasSubstr("solver.handles: has no effect"));
  const auto resumed = sinew(run({"--steps", "3", "--resume"}));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("locking")));
  EXPECT_EQ(json("out/summary.json")["findings"], findings);
  EXPECT_THAT(test::slurp(path("out/report.html")), HasSubstr("remark: thin gap: 'cube' and 'ground'"));
  const auto quiet = sinew(run({"--steps", "1", "--quiet", "--overwrite"}));
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(json("out/summary.json")["findings"], findings);
}

TEST_F(Run, SaysTheWorstOfManyFindings) {
  nlohmann::json& fix = scene_["bodies"][0]["fix"];
  fix = {{{"halfspace", {{"point", {0, 0.1, 0}}, {"normal", {0, 1, 0}}}},
          {"motion", {{"translate", {{"times", {0}}, {"values", {{0, 0.02, 0}}}}}}}}};
  scene_["materials"]["rubber"]["poisson"] = 0.49;
  for (const char* name : {"a", "b", "c"}) scene_["materials"][name] = {{"young", 1e6}};
  save();
  const auto result = sinew(run({"--steps", "1", "--set", "name=two words"}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning: jump: 9 prescribed vertices of body 'cube' start up to 0.02 m"));
  EXPECT_THAT(result.err, testing::EndsWith("\n2 more, and what to do: sinew check " + scene_path_ +
                                            " --steps 1 --set 'name=two words' --brief\n"));
  EXPECT_EQ(json("out/summary.json")["findings"].size(), 5u);
}

TEST_F(Run, NothingFoundIsAnEmptyList) {
  ASSERT_EQ(sinew(run({"--steps", "1"})).code, 0);
  EXPECT_EQ(json("out/summary.json")["findings"], nlohmann::json::array());
}

TEST_F(Run, OverwritingKeepsWhatTheSceneReads) {
  ASSERT_EQ(sinew(run({"--steps", "1"})).code, 0);
  for (const std::string start : {"out/checkpoint.h5", "out/frames/cube___plane_000001.vtu"}) {
    scene_["initial"] = {{"file", start}};
    save();
    const auto refused = sinew(run({"--steps", "1", "--overwrite"}));
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err, "error: --overwrite: would remove " + path(start) + ", which " + scene_path_ +
                               " reads; choose another folder with -o\n");
    EXPECT_TRUE(fs::exists(path(start)));
  }
}

// The signal goes to a process of its own: the program beside this test.
TEST_F(Run, InterruptEndsInAnOrderlyWay) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "../bin/sinew";
  if (!fs::exists(program)) GTEST_SKIP() << program << " is not built";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::freopen(path("err").c_str(), "w", stderr);
    const std::string out = path("out");
    ::execl(program.c_str(), "sinew", "run", scene_path_.c_str(), "-o", out.c_str(), "--steps", "1000000", nullptr);
    ::_exit(127);
  }
  const auto rows = [&] {
    const std::string text = test::slurp(path("out/steps.jsonl"));
    return std::count(text.begin(), text.end(), '\n');
  };
  for (int wait = 0; wait < 600 && rows() < 2; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(test::slurp(path("err")),
              HasSubstr("continue with: sinew run " + scene_path_ + " -o " + path("out") + " --resume"));
  const int steps = json("out/summary.json")["steps"];
  EXPECT_EQ(rows(), steps);
  const auto resumed = sinew(run({"--resume", "--steps", std::to_string(steps + 1)}));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(rows(), steps + 1);
}

}  // namespace
}  // namespace sinew

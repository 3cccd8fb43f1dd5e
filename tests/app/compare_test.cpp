#include "command.h"
#include <gmock/gmock.h>

namespace sinew {
namespace {

using test::sinew;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Compare : public test::CommandTest {
 protected:
  test::CommandResult compare(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"compare", scene_path_, "--json", path("compare.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sinew(arguments);
  }
};

TEST_F(Compare, ReportHoldsTheKeysOfTheContract) {
  // Without friction, whose own tolerance of 1 % exceeds that of the solver.
  const auto result =
      compare({"--methods", "newton,newton-pcg", "--from", "2", "--steps", "3", "--set", "contact.friction=0"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = json("compare.json");
  EXPECT_EQ(report["scene"], "cube & plane");
  EXPECT_EQ(report["from"], 2);
  EXPECT_EQ(report["steps"], 3);
  ASSERT_EQ(report["methods"].size(), 2u);
  for (const auto& method : report["methods"]) {
    for (const char* key : {"method", "seconds", "setup_seconds", "newton_iterations", "local_iterations",
                            "linear_iterations", "speedup", "max_error", "mean_error", "rms_error", "residual",
                            "steps_converged", "steps_budget", "steps_failed", "each_step"}) {
      EXPECT_TRUE(method.contains(key)) << key;
    }
  }
  const auto& newton = report["methods"][0];
  const auto& pcg = report["methods"][1];
  EXPECT_EQ(newton["method"], "newton");
  EXPECT_EQ(newton["speedup"], 1.0);
  EXPECT_EQ(newton["max_error"], 0.0);
  EXPECT_EQ(newton["linear_iterations"], 0);
  EXPECT_EQ(pcg["method"], "newton-pcg");
  EXPECT_GT(pcg["linear_iterations"].get<long>(), 0);
  EXPECT_GT(pcg["max_error"].get<double>(), 0);
  EXPECT_LT(pcg["max_error"].get<double>(), 1e-6);  // the tolerance is 1e-6 m/s, a step 0.01 s, the diagonal 0.17 m
  EXPECT_LE(pcg["mean_error"].get<double>(), pcg["max_error"].get<double>());
  EXPECT_THAT(result.out, HasSubstr("newton-pcg"));
}

TEST_F(Compare, AMethodAgainstItselfHasNoError) {
  const auto result = compare({"--methods", "newton,newton", "--from", "3", "--steps", "2", "--reach", "newton-pcg"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = json("compare.json");
  EXPECT_EQ(report["methods"][1]["max_error"], 0.0);
  EXPECT_EQ(report["methods"][0]["newton_iterations"], report["methods"][1]["newton_iterations"]);
}

TEST_F(Compare, EachStepAddsUpToTheWhole) {
  const auto result = compare({"--methods", "newton,newton-pcg", "--from", "2", "--steps", "3"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = json("compare.json");
  const auto& pcg = report["methods"][1];
  long iterations = 0;
  double worst = 0;
  for (const auto& step : pcg["each_step"]) {
    iterations += step["linear_iterations"].get<long>();
    worst = std::max(worst, step["rms_error"].get<double>());
    EXPECT_LE(step["mean_error"], step["rms_error"]);
    EXPECT_LE(step["rms_error"], step["max_error"]);
    EXPECT_LE(step["linear_solve_seconds"], step["seconds"]);
  }
  EXPECT_EQ(pcg["each_step"].size(), 3u);
  EXPECT_EQ(pcg["each_step"][0]["step"], 3);
  EXPECT_EQ(iterations, pcg["linear_iterations"]);
  EXPECT_EQ(worst, pcg["rms_error"]);
  EXPECT_GE(report["methods"][0]["each_step"][0]["factorizations"], 1);
}

// Counts are means over the starts, the first of which is that without the option.
TEST_F(Compare, StartsDifferByRounding) {
  const std::vector<std::string> one = {"--methods", "newton,newton-pcg", "--from", "2", "--steps", "3"};
  ASSERT_EQ(compare(one).code, 0);
  const auto alone = json("compare.json");
  std::vector<std::string> three = one;
  three.insert(three.end(), {"--starts", "3"});
  const auto result = compare(three);
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = json("compare.json");
  EXPECT_EQ(alone["starts"], 1);
  EXPECT_EQ(report["starts"], 3);
  const auto& steps = report["methods"][1]["each_step"];
  ASSERT_EQ(steps.size(), 9u);
  double iterations = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    iterations += steps[s]["newton_iterations"].get<double>();
    EXPECT_EQ(steps[s]["step"], 3 + s % 3);
    if (s < 3) {
      EXPECT_EQ(steps[s]["residual"], alone["methods"][1]["each_step"][s]["residual"]);
    }
  }
  EXPECT_NE(steps[0]["residual"], steps[3]["residual"]);
  EXPECT_NEAR(report["methods"][1]["newton_iterations"], iterations / 3, 1e-12);
  EXPECT_EQ(report["methods"][1]["steps_converged"], 9);
}

// Load steps know no velocities, so that all starts would be one.
TEST_F(Compare, StartsOfLoadStepsAreRefused) {
  const auto result = compare(
      {"--methods", "newton", "--steps", "1", "--starts", "2", "--set", "time={\"mode\":\"static\",\"steps\":2}"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("--starts: found 2 in a scene of load steps"));
}

// "auto" means the same in every command, for the method that reaches the state, and as a variant's own setting.
TEST_F(Compare, TheAutomaticToleranceIsThatOfARun) {
  scene_["solver"].erase("tolerance");
  save();
  const std::string folder = path("run");
  ASSERT_EQ(sinew({"run", scene_path_, "-o", folder, "--steps", "5", "--set", "output.formats=[]"}).code, 0);
  std::istringstream rows(test::slurp(folder + "/steps.jsonl"));
  std::vector<nlohmann::json> run;
  for (std::string row; std::getline(rows, row);) run.push_back(nlohmann::json::parse(row));
  ASSERT_EQ(run.size(), 5u);
  const auto expect_as_run = [&](const nlohmann::json& method) {
    for (int step = 0; step < 3; ++step) {
      EXPECT_EQ(method["each_step"][step]["newton_iterations"], run[step + 2]["newton_iterations"]);
      EXPECT_EQ(method["each_step"][step]["residual"], run[step + 2]["residual"]);
    }
  };
  auto result =
      compare({"--methods", "newton-pcg,newton", "--reach", "newton", "--from", "2", "--steps", "3", "--free"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_as_run(json("compare.json")["methods"][1]);
  result = compare({"--methods", "newton:tolerance=auto", "--reach", "newton:tolerance=auto", "--from", "2", "--steps",
                    "3", "--set", "solver.tolerance=1e-9"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_as_run(json("compare.json")["methods"][0]);
}

// A loose tolerance of one of them, and errors that add up where it goes its own way.
TEST_F(Compare, VariantsOfAMethodHaveTheirOwnSettings) {
  const std::string loose = "newton-pcg:linear_tolerance=0.5:tolerance=0.1";
  const std::vector<std::string> options{"--methods", "newton,newton-pcg," + loose, "--from", "2", "--steps", "5"};
  auto result = compare(options);
  ASSERT_EQ(result.code, 0) << result.err;
  const auto bound = json("compare.json")["methods"];
  EXPECT_EQ(bound[2]["method"], loose);
  EXPECT_THAT(result.out, HasSubstr(loose + " "));
  EXPECT_LT(bound[2]["linear_iterations"], bound[1]["linear_iterations"]);
  EXPECT_GT(bound[2]["max_error"], bound[1]["max_error"]);
  auto free_options = options;
  free_options.push_back("--free");
  result = compare(free_options);
  ASSERT_EQ(result.code, 0) << result.err;
  const auto free = json("compare.json");
  EXPECT_EQ(free["free"], true);
  EXPECT_EQ(free["methods"][2]["each_step"][0]["max_error"], bound[2]["each_step"][0]["max_error"]);
  EXPECT_NE(free["methods"][2]["each_step"][4]["max_error"], bound[2]["each_step"][4]["max_error"]);
}

// Warnings are told once, and that a setting is for other methods only where none of them is compared.
TEST_F(Compare, WarningsAreOfAllMethods) {
  const auto count = [&](const std::string& methods, const std::string& text) {
    const auto result = compare({"--methods", methods, "--steps", "1", "--set", "solver.multilevel.forcing=0.2",
                                 "--set", "materials.unused={\"young\": 1e5}"});
    EXPECT_EQ(result.code, 0) << result.err;
    int found = 0;
    for (auto at = result.err.find(text); at != std::string::npos; at = result.err.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("newton,newton:norm=mean", "solver.multilevel: has no effect"), 1);
  EXPECT_EQ(count("newton,multilevel", "solver.multilevel: has no effect"), 0);
  EXPECT_EQ(count("newton,multilevel", "no body uses"), 1);
}

// What is wrong with the numbers is in the table itself.
TEST_F(Compare, QuietLeavesErrorsAndTheTable) {
  const std::vector<std::string> options{
      "--methods", "newton,newton-pcg:max_iterations=1", "--from", "2", "--steps", "2",
      "--set",     "materials.unused={\"young\": 1e5}"};
  const auto told = compare(options);
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.err, AllOf(HasSubstr("unused"), HasSubstr("newton-pcg:max_iterations=1: step 3 did not converge")));
  auto quiet_options = options;
  quiet_options.push_back("--quiet");
  const auto quiet = compare(quiet_options);
  ASSERT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.err, "");
  for (const std::string& out : {told.out, quiet.out}) {
    EXPECT_THAT(out, StartsWith("method "));
    EXPECT_THAT(out, HasSubstr("\n2 steps from step 2 of cube & plane; "));
    EXPECT_THAT(out, EndsWith("\n2 of these steps failed to converge with newton-pcg:max_iterations=1\n"));
  }
  const auto wrong = compare({"--methods", "newtom", "--quiet"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean"));
}

TEST_F(Compare, PreconditionersDifferInIterationsAlone) {
  const auto result = compare({"--methods", "newton-pcg,newton-pcg:linear_preconditioner=jacobi", "--from", "2",
                               "--steps", "5", "--set", "solver.linear_tolerance=1e-8"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto methods = json("compare.json")["methods"];
  EXPECT_NE(methods[0]["linear_iterations"], methods[1]["linear_iterations"]);
  EXPECT_LT(methods[1]["max_error"].get<double>(), 1e-6);
}

TEST_F(Compare, BadVariantsAreRefused) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"newton:", "error: --methods: found \"\" in \"newton:\", expected KEY=VALUE of solver, such as handles=100"},
      {"newton:norm", "error: --methods: found \"norm\" in \"newton:norm\", expected KEY=VALUE of solver"},
      {"newton:norm=rms", "solver.norm: found \"rms\", expected one of \"max\", \"mean\""},
      {"newton:nrom=max", "solver"},
      {"newton:method=newton-pcg",
       "--methods: found method in \"newton:method=newton-pcg\", but the method is the word"},
      {"newton:linear_solver=pcg", "--methods: found linear_solver in"}};
  for (const auto& [methods, text] : cases) {
    const auto result = compare({"--methods", methods, "--steps", "1"});
    EXPECT_EQ(result.code, 2) << methods;
    EXPECT_THAT(result.err, HasSubstr(text));
  }
}

TEST_F(Compare, ReachedStatesAreCachedByContent) {
  ASSERT_EQ(compare({"--methods", "newton", "--from", "2", "--steps", "1"}).code, 0);
  ASSERT_EQ(listing("cache/sinew").size(), 1u);
  const auto time = std::filesystem::last_write_time(path("cache/sinew/" + listing("cache/sinew")[0]));
  ASSERT_EQ(compare({"--methods", "newton,newton-pcg", "--from", "2", "--steps", "1"}).code, 0);
  ASSERT_EQ(listing("cache/sinew").size(), 1u);
  EXPECT_EQ(std::filesystem::last_write_time(path("cache/sinew/" + listing("cache/sinew")[0])), time);
  ASSERT_EQ(compare({"--methods", "newton", "--from", "2", "--steps", "1", "--set", "gravity=[0,0,0]"}).code, 0);
  EXPECT_EQ(listing("cache/sinew").size(), 2u);
  // A damaged file is computed anew.
  for (const std::string& name : listing("cache/sinew")) write("cache/sinew/" + name, "damaged");
  const auto result = compare({"--methods", "newton", "--from", "2", "--steps", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("the state is computed again"));
}

TEST_F(Compare, SaysWhatACheckFinds) {
  scene_["materials"]["rubber"]["poisson"] = 0.49;
  save();
  const auto result = compare({"--methods", "newton", "--steps", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("warning: locking: body 'cube' has 2 layers of tets across"));
  EXPECT_THAT(result.err, HasSubstr("\nwhat to do: sinew check " + scene_path_ + " --brief\n"));
}

// A state reached from another time is another state, whatever the positions are.
TEST_F(Compare, ReachedStatesAreOfTheirTime) {
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("first"), "--steps", "2"}).code, 0);
  for (const char* time : {"continue", "reset", "reset"}) {
    const std::string initial = R"(initial={"file":")" + path("first/checkpoint.h5") + R"(","time":")" + time + "\"}";
    ASSERT_EQ(compare({"--methods", "newton", "--from", "1", "--steps", "1", "--set", initial}).code, 0);
  }
  EXPECT_EQ(listing("cache/sinew").size(), 2u);
}

TEST_F(Compare, NamesOfMethodsAreTrimmed) {
  const auto result = compare({"--methods", " newton , newton-pcg", "--steps", "1"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json("compare.json")["methods"][0]["method"], "newton");
  EXPECT_EQ(json("compare.json")["methods"][1]["method"], "newton-pcg");
  for (const std::string list : {"", " ", "newton,", ",newton", "newton,,newton-pcg"}) {
    const auto refused = compare({"--methods", list});
    EXPECT_EQ(refused.code, 2) << list;
    EXPECT_EQ(refused.err, "error: --methods: found an empty name in \"" + list +
                               "\", expected names of methods separated by commas\n");
  }
}

TEST_F(Compare, AMissingFolderIsRefusedBeforeTheWork) {
  const std::string file = path("no/dir/x.json");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"compare", scene_path_, "--methods", "newton", "--json", file}, {"bench", "spmv", "--json", file}}) {
    const auto result = sinew(command);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "error: " + file + ": cannot write: the folder " + path("no/dir") + " does not exist; create it first\n");
  }
}

// Neither pays for what happens once in a process. Wide bounds: the machine may be busy.
TEST_F(Compare, AMethodAgainstItselfTakesTheSameTime) {
  // Other work on the machine may hit one of the two.
  double speedup = 0;
  for (int attempt = 0; attempt < 5 && !(speedup > 0.25 && speedup < 4); ++attempt) {
    const auto result = compare({"--methods", "newton,newton", "--from", "1", "--steps", "5"});
    ASSERT_EQ(result.code, 0) << result.err;
    speedup = json("compare.json")["methods"][1]["speedup"];
  }
  EXPECT_GT(speedup, 0.25);
  EXPECT_LT(speedup, 4);
}

TEST_F(Compare, UnknownMethodsAreRefused) {
  const auto result = compare({"--methods", "newton,multigrid"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("error: --methods: found \"multigrid\", expected one of \"auto\", \"newton\", \"newton-pcg\""));
}

}  // namespace
}  // namespace sinew

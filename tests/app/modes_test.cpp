// sinew modes: what it prints and writes, and what it refuses.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "command.h"
#include <gmock/gmock.h>

#include "sinew/formats/npz.h"

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;
using testing::Not;

using Modes = test::CommandTest;

TEST_F(Modes, LinearOnesHaveFrequencies) {
  const auto result = sinew({"modes", scene_path_, "--count", "8", "-o", path("modes.npz")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("frequency [Hz]"));
  EXPECT_THAT(result.out, HasSubstr("    6             rigid"));
  const NpzReader file(path("modes.npz"));
  EXPECT_EQ(file.text("kind"), "linear");
  const NumberArray modes = file.array("modes"), rest = file.array("rest"), values = file.array("values");
  EXPECT_EQ(modes.columns, 8u);
  EXPECT_EQ(modes.rows, 3 * rest.rows);
  EXPECT_GT(values.values[7], 0);
  // A library of an adaptive run.
  const auto run = sinew({"run", scene_path_, "--method", "adaptive", "--steps", "1", "-o", path("run"), "--set",
                          "solver.adaptive.library=[\"" + path("modes.npz") + "\"]"});
  EXPECT_EQ(run.code, 0) << run.err;
}

// With an obstacle whose frames lie beside those of the bodies.
TEST_F(Modes, ThoseOfFramesComeFromARun) {
  scene_["obstacles"].push_back(
      {{"mesh", {{"sphere", {{"radius", 0.3}, {"size", 0.2}}}}}, {"transform", {{"translate", {0, -5, 0}}}}});
  save();
  ASSERT_EQ(sinew({"run", scene_path_, "--steps", "3", "-o", path("run"), "--set", "output.formats=[\"vtu\"]"}).code,
            0);
  const std::filesystem::directory_iterator frames(path("run") + "/frames");
  EXPECT_EQ(
      std::count_if(begin(frames), end(frames), [](const auto& entry) { return entry.path().extension() == ".pvd"; }),
      2);
  const auto result =
      sinew({"modes", scene_path_, "--kind", "pod", "--frames", path("run"), "--count", "2", "-o", path("pod.npz")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("share of energy"));
  EXPECT_EQ(NpzReader(path("pod.npz")).text("kind"), "pod");
}

TEST_F(Modes, ThePageIsTheSameForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2"}) {
    const auto result =
        sinew({"modes", scene_path_, "--count", "8", "--html", path(threads + ".html"), "--threads", threads});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(path(threads + ".html")));
  }
  const std::string page = test::slurp(folder_ / "1.html");
  EXPECT_EQ(page, test::slurp(folder_ / "2.html"));
  EXPECT_THAT(page, HasSubstr(R"("kind":"modes")"));
  EXPECT_THAT(page, HasSubstr(R"("mode":8)"));
  EXPECT_THAT(page, Not(HasSubstr(R"("mode":9)")));
  EXPECT_THAT(page, Not(HasSubstr(folder_.string())));
}

// Each kind is written, and is a subspace of a reduced run; files of modes too.
TEST_F(Modes, EachKindIsASubspace) {
  for (const std::string kind : {"derivatives", "inertia", "inertia_derivatives", "quadratic"}) {
    const std::string file = path(kind + ".npz");
    const auto result = sinew({"modes", scene_path_, "--kind", kind, "--count", "6", "-o", file});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(NpzReader(file).text("kind"), kind);
    for (const std::string& subspace : {kind, file}) {
      const auto run = sinew({"run", scene_path_, "--method", "reduced", "--steps", "1", "--overwrite", "-o",
                              path("run"), "--set", "solver.subspace=" + subspace, "--set", "solver.handles=6"});
      EXPECT_EQ(run.code, 0) << subspace << run.err;
      const auto check = sinew({"check", scene_path_, "--method", "reduced", "--set", "solver.subspace=" + subspace});
      EXPECT_THAT(check.out, HasSubstr("modes; cubature: energies")) << check.err;
    }
  }
}

// Fewer than were asked for, but as many as there are.
TEST_F(Modes, FewerAreTold) {
  const auto result = sinew({"modes", scene_path_, "--kind", "derivatives", "--linear", "2", "--count", "20"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("--count: found 20 modes of kind \"derivatives\", of which only 5 exist: linear modes and "
                        "their derivatives span no more; use more linear modes"));
}

// A cube of 27 vertices has at most 6 parts, as many as the run makes.
TEST_F(Modes, PartsThatABodyIsTooSmallForAreToldOf) {
  const auto check = [&](const std::string& domains) {
    return sinew({"check", scene_path_, "--method", "reduced", "--set", "solver.subspace=linear", "--set",
                  "solver.handles=3", "--set", "solver.domains=" + domains, "--json", path("c")});
  };
  const std::string many = check("100").out;
  EXPECT_EQ(json("c")["run"]["subspace"]["parts"], 6);
  EXPECT_THAT(many,
              HasSubstr("linear, 3 modes in each of 6 parts (solver.domains asks for 100: the bodies have too few "
                        "vertices); cubature"));
  EXPECT_THAT(check("4").out, HasSubstr("linear, 3 modes in each of 4 parts; cubature"));
}

TEST_F(Modes, AListOfKindsIsASubspace) {
  const std::string file = path("own.npz");
  ASSERT_EQ(sinew({"modes", scene_path_, "--kind", "quadratic", "--count", "6", "-o", file}).code, 0);
  const std::string list = "solver.subspace=[\"linear\",\"" + file + "\"]";
  const auto run = sinew({"run", scene_path_, "--method", "reduced", "--steps", "1", "-o", path("run"), "--set", list,
                          "--set", "solver.handles=6"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto check = sinew(
      {"check", scene_path_, "--method", "reduced", "--set", list, "--set", "solver.handles=6", "--json", path("c")});
  EXPECT_THAT(check.out, HasSubstr("subspace: linear + " + file + ", 6 modes each; cubature: energies, 40 points"))
      << check.err;
  EXPECT_EQ(json("c")["run"]["subspace"]["kind"], (nlohmann::json{"linear", file}));
  EXPECT_THAT(sinew({"modes", scene_path_, "--set", list, "-o", file}).err,
              HasSubstr("a file that " + scene_path_ + " reads"));
  const auto more = sinew({"run", scene_path_, "--method", "reduced", "--steps", "1", "-o", path("more"), "--set", list,
                           "--set", "solver.handles=7"});
  EXPECT_EQ(more.code, 2);
  EXPECT_THAT(more.err, HasSubstr("solver.handles: found 7, expected at most 6, the modes of " + file));
}

// The numbers as JSON, and starts and products of inertia modes.
TEST_F(Modes, NumbersAreWritten) {
  const auto numbers = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"modes", scene_path_, "--json", path("modes.json")});
    const auto result = sinew(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return json("modes.json");
  };
  const auto linear = numbers({"--count", "8"});
  EXPECT_EQ(linear["kind"], "linear");
  EXPECT_EQ(linear["modes"], 8);
  EXPECT_GT(linear["vertices"], 8);
  EXPECT_GT(linear["seconds"], 0);
  ASSERT_EQ(linear["values"].size(), 8u);
  EXPECT_EQ(linear["frequencies"][5], 0);
  EXPECT_NEAR(linear["frequencies"][7].get<double>(), std::sqrt(linear["values"][7].get<double>()) / 6.283185307179586,
              1e-9 * linear["frequencies"][7].get<double>());
  const auto all = numbers({"--kind", "inertia", "--count", "9"}),
             few = numbers({"--kind", "inertia", "--count", "9", "--start", "linear"}),
             nearly = numbers({"--kind", "inertia", "--count", "9", "--products", "sampled", "--least-cosine", "0.5"});
  EXPECT_NE(all["values"], few["values"]);
  EXPECT_NE(all["values"], nearly["values"]);
  const auto derivatives = numbers({"--kind", "inertia_derivatives", "--count", "9", "--linear", "4", "--start",
                                    "linear,quadratic", "--products", "sampled"});
  EXPECT_EQ(derivatives["values"].size(), 9u);
}

TEST_F(Modes, ErrorsNameTheOption) {
  const auto error = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"modes", scene_path_});
    const auto result = sinew(words);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_THAT(error({"--kind", "pid"}), HasSubstr("did you mean \"pod\"?"));
  EXPECT_THAT(error({"--kind", "pod"}), HasSubstr("--frames"));
  EXPECT_THAT(error({"--kind", "pod", "--frames", path("none")}), HasSubstr("found no frames"));
  EXPECT_THAT(error({"--frames", path("none")}), HasSubstr("--kind pod"));
  EXPECT_THAT(error({"--count", "1000000"}),
              HasSubstr("--count: found 1000000 modes of kind \"linear\", expected at most "));
  for (const std::string kind : {"derivatives", "inertia", "inertia_derivatives", "quadratic"})
    EXPECT_THAT(error({"--count", "100000", "--kind", kind}),
                HasSubstr("--count: found 100000 modes of kind \"" + kind + "\", expected at most "));
  EXPECT_THAT(error({"--kind", "derivatives", "--linear", "999", "--count", "3"}),
              HasSubstr("--linear: found 999 linear modes"));
  EXPECT_THAT(error({"--linear", "3"}), HasSubstr("only with --kind derivatives or inertia_derivatives"));
  EXPECT_THAT(error({"--kind", "inertia", "--order", "2"}), HasSubstr("--order: has an effect"));
  EXPECT_THAT(error({"--kind", "derivatives", "--reduce", "pcs"}), HasSubstr("did you mean \"pca\"?"));
  for (const std::string option : {"--start", "--products", "--least-cosine"})
    EXPECT_THAT(error({"--kind", "derivatives", option, option == "--least-cosine" ? "0.1" : "sampled"}),
                HasSubstr(option + ": has an effect only with --kind inertia or inertia_derivatives"));
  EXPECT_THAT(error({"--kind", "inertia", "--start", "x,lineal"}), HasSubstr("did you mean \"linear\"?"));
  EXPECT_THAT(error({"--kind", "inertia", "--start", "x,"}), HasSubstr("--start: found \"\", expected names"));
  EXPECT_THAT(error({"--kind", "inertia", "--start", "x,x"}), HasSubstr("--start: found \"x\" twice"));
  EXPECT_THAT(error({"--kind", "inertia", "--start", "x,y"}), HasSubstr("moves without strain"));
  EXPECT_THAT(error({"--kind", "inertia", "--products", "sample"}), HasSubstr("did you mean \"sampled\"?"));
  EXPECT_THAT(error({"--kind", "inertia", "--least-cosine", "0.1"}), HasSubstr("only with --products sampled"));
  EXPECT_THAT(error({"--kind", "inertia", "--least-cosine", "2"}), HasSubstr("found 2, expected a number from 0 to 1"));
  EXPECT_THAT(error({"--json", path("x"), "-o", path("x")}), HasSubstr("different names"));
  EXPECT_THAT(error({"--kind", "derivates"}), HasSubstr("did you mean \"derivatives\"?"));
  EXPECT_THAT(error({"-o", scene_path_}), HasSubstr("the scene's own file"));
  EXPECT_THAT(error({"--html", scene_path_}), HasSubstr("the scene's own file"));
  EXPECT_THAT(error({"--html", path("no/where.html")}), HasSubstr(path("no")));
  EXPECT_THAT(error({"--html", path("x"), "-o", path("x")}), HasSubstr("different names"));
}

}  // namespace
}  // namespace sinew

// sinew modes --state, sinew buckling and sinew response: what they print and write, and what they refuse.
#include <algorithm>

#include "command.h"
#include <gmock/gmock.h>

#include "sinew/formats/npz.h"

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;
using testing::StartsWith;

// A bar along x, clamped at one end, with a force on the other one.
class LinearAnalyses : public test::CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    scene_ = nlohmann::json::parse(R"({
      "sinew": 1, "name": "bar", "time": {"mode": "static", "steps": 2}, "gravity": [0, 0, 0],
      "materials": {"m": {"young": 1e8, "poisson": 0.3}},
      "bodies": [{"name": "bar", "mesh": {"box": {"size": [1, 0.05, 0.06], "cells": [12, 2, 2]}},
                  "fix": [{"halfspace": {"point": [-0.49, 0, 0], "normal": [-1, 0, 0]}}],
                  "loads": [{"halfspace": {"point": [0.49, 0, 0], "normal": [1, 0, 0]}, "force": [-10, 0, 0]}]}],
      "sensors": {"tip": {"body": "bar", "select": {"halfspace": {"point": [0.49, 0, 0], "normal": [1, 0, 0]}},
                          "quantities": ["displacement"]}},
      "contact": {"enabled": false}, "output": {"formats": ["vtu"]}})");
    save();
  }
};

TEST_F(LinearAnalyses, ModesAreAboutAStateOfARun) {
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("run")}).code, 0);
  std::vector<double> first;
  for (const std::string& state :
       {path("run"), path("run") + "/checkpoint.h5", path("run") + "/frames/bar_000002.vtu", std::string()}) {
    std::vector<std::string> words = {"modes", scene_path_, "--count", "2", "-o", path("modes.npz")};
    if (!state.empty()) words.insert(words.end(), {"--state", state});
    const auto result = sinew(words);
    ASSERT_EQ(result.code, 0) << result.err;
    const NpzReader file(path("modes.npz"));
    EXPECT_EQ(file.text("kind"), state.empty() ? "linear" : "vibrations");
    first.push_back(file.array("values").values[0]);
  }
  EXPECT_NEAR(first[1], first[0], 1e-6 * first[0]);
  EXPECT_NEAR(first[2], first[0], 1e-6 * first[0]);
  EXPECT_LT(first[0], 0.99 * first[3]);  // compressed
}

TEST_F(LinearAnalyses, BucklingWritesFactorsAndShapes) {
  const auto result =
      sinew({"buckling", scene_path_, "--count", "2", "-o", path("shapes.npz"), "--json", path("numbers.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("load factor"));
  const NpzReader file(path("shapes.npz"));
  EXPECT_EQ(file.text("kind"), "buckling");
  const nlohmann::json numbers = json("numbers.json");
  EXPECT_EQ(numbers["factors"].size(), 2u);
  EXPECT_EQ(numbers["factors"][0], file.array("values").values[0]);
  EXPECT_EQ(numbers["times"], numbers["factors"]);
  // Half of the load reached leaves twice the factor on the rest, less what has acted.
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("run")}).code, 0);
  const auto later = sinew({"buckling", scene_path_, "--state", path("run") + "/frames/bar_000001.vtu", "--count", "1",
                            "--json", path("later.json")});
  ASSERT_EQ(later.code, 0) << later.err;
  const nlohmann::json about = json("later.json");
  EXPECT_EQ(about["state_time"], 0.5);
  const double expected = numbers["times"][0];
  EXPECT_NEAR(about["times"][0].get<double>(), expected, 0.01 * expected);
}

TEST_F(LinearAnalyses, ResponsesAreTablesAndPlots) {
  const auto result = sinew({"response", scene_path_, "--from", "1", "--to", "50", "--points", "7", "--damping-ratio",
                             "0.02", "-o", path("response.csv"), "--plot", path("response.svg")});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string table = test::slurp(path("response.csv"));
  EXPECT_THAT(table, StartsWith("frequency [Hz],tip.displacement.x amplitude [m],tip.displacement.x phase [deg],"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 8);
  EXPECT_THAT(test::slurp(path("response.svg")), HasSubstr("</svg>"));
}

TEST_F(LinearAnalyses, OptionsThatDoNotFitAreRefused) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"modes", scene_path_, "--kind", "inertia", "--state", "x.h5"},
       "--state: has an effect only with --kind linear"},
      {{"modes", scene_path_, "--contact", "tide"}, "did you mean \"tied\"?"},
      {{"modes", scene_path_, "--state", path("none.vtu")}, "found no file"},
      {{"buckling", scene_path_, "--set", "time={\"mode\": \"dynamic\"}"}, "expected a static one"},
      {{"buckling", scene_path_, "--set", "time.ramp=false"}, "no load changes"},
      {{"response", scene_path_, "--from", "0", "--to", "5"}, "expected 0 < from <= to"},
      {{"response", scene_path_, "--from", "1", "--to", "5", "--direct", "--modes", "3"}, "--modes: has no effect"},
      {{"response", scene_path_, "--from", "1", "--to", "5", "--direct", "--damping-ratio", "0.1"}, "--loss-factor"}};
  for (const auto& [words, text] : refused) {
    const auto result = sinew(words);
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_THAT(result.err, HasSubstr(text));
  }
}

}  // namespace
}  // namespace sinew

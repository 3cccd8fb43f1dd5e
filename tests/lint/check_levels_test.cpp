// What `sinew check` says of the method: which one "auto" takes, and the handles of multilevel.
#include <filesystem>

#include "app/check_fixture.h"

namespace sinew::check_test {
namespace {

using test::sinew;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// ---- the method "auto"

TEST_F(Check, SaysWhichMethodAutoTakes) {
  const auto method = [&] {
    const Json run = Json::parse(check({"--json", "-"}).out)["run"];
    return run["method"].get<std::string>() + ", " + (run["method_reason"].is_null() ? "named" : "chosen");
  };
  EXPECT_EQ(method(), "newton, chosen");
  EXPECT_THAT(check().out, HasSubstr(", method newton\n  solver.method is \"auto\": a Cholesky factorisation takes "));
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {8, 8, 8};
  EXPECT_EQ(method(), "multilevel, chosen");
  EXPECT_THAT(check().out, HasSubstr("\nlevels: "));
  scene_["solver"]["method"] = "newton";
  EXPECT_EQ(method(), "newton, named");
  EXPECT_THAT(check().out, Not(HasSubstr("auto\": ")));
}

TEST_F(Check, SettingsOfMultilevelThatAutoDoesNotUse) {
  scene_["solver"]["handles"] = 3;
  scene_["solver"]["multilevel"] = {{"forcing", 0.2}};
  const auto found = of_kind("no effect");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0]["message"].get<std::string>(), HasSubstr("since method \"auto\" is newton here: a Cholesky"));
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {8, 8, 8};
  EXPECT_THAT(of_kind("no effect"), IsEmpty());
}

TEST_F(Check, RunsAndComparisonsSayWhatAutoTakes) {
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {8, 8, 8};
  save();
  const auto run = sinew({"run", scene_path_, "-o", path("out"), "--steps", "1"});
  EXPECT_THAT(run.out, testing::StartsWith("method multilevel: a Cholesky factorisation takes "));
  const Json summary = json("out/summary.json");
  EXPECT_EQ(summary["method"], "multilevel");
  EXPECT_THAT(summary["method_reason"].get<std::string>(), HasSubstr("flops a vertex"));
  EXPECT_THAT(test::slurp(path("out/report.html")), HasSubstr("flops a vertex"));
  sinew({"run", scene_path_, "-o", path("named"), "--steps", "1", "--method", "multilevel"});
  EXPECT_FALSE(json("named/summary.json").contains("method_reason"));
  EXPECT_EQ(test::slurp(path("named/frames/cube___plane_000001.vtu")),
            test::slurp(path("out/frames/cube___plane_000001.vtu")));
  const auto compare =
      sinew({"compare", scene_path_, "--methods", "newton,auto", "--steps", "1", "--json", path("compare.json")});
  EXPECT_THAT(compare.out, HasSubstr("\nauto is multilevel: a Cholesky factorisation takes "));
  const Json rows = json("compare.json")["methods"];
  EXPECT_EQ(rows[1]["method"], "auto");
  EXPECT_EQ(rows[1]["settled_method"], "multilevel");
  EXPECT_FALSE(rows[0].contains("settled_method"));
}

// ---- the method multilevel

TEST_F(Check, NamesTheHandlesOfMultilevel) {
  EXPECT_THAT(check({"--brief"}).out, Not(HasSubstr("handle")));
  EXPECT_TRUE(Json::parse(check({"--json", "-"}).out)["run"]["levels"].is_null());
  scene_["solver"]["method"] = "multilevel";
  scene_["solver"]["handles"] = 10;
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {6, 6, 6};
  Json second = scene_["bodies"][0];
  second["name"] = "second";
  second["mesh"]["box"]["cells"] = {1, 1, 1};
  second["transform"]["translate"] = {0, 0.2, 0};
  Json held = second;
  held["name"] = "held";
  held["transform"]["translate"] = {0, 0.4, 0};
  held["fix"] = {{{"box", {{-1, -1, -1}, {1, 1, 1}}}}};
  held.erase("velocity");
  scene_["bodies"].push_back(second);
  scene_["bodies"].push_back(held);
  const std::string out = check().out;
  EXPECT_THAT(out, HasSubstr("second: 8 vertices, 5 tets, 2 handles, "));
  EXPECT_THAT(out, HasSubstr("held: 8 vertices, 5 tets, 8 fixed vertices, 0 handles, "));
  EXPECT_THAT(out, HasSubstr("\nlevels: 9 handles, solver.handles is 10; 1 body with as many as the vertices allow\n"
                             "  made at the start of each run: under 20000 tets\n"));
  const Json run = Json::parse(check({"--json", "-"}).out)["run"];
  EXPECT_EQ(run["levels"]["handles"], 9);
  EXPECT_EQ(run["levels"]["pieces"], 3);
  EXPECT_EQ(run["bodies"][0]["handles"], 7);
  EXPECT_EQ(run["bodies"][2]["handles"], 0);
  EXPECT_THAT(of_kind("handles"), IsEmpty());
}

TEST_F(Check, HandlesBeyondTheVertices) {
  scene_["solver"]["method"] = "multilevel";
  scene_["solver"]["handles"] = 7;
  expect_one("handles", "warning", "solver.handles is 7, but the bodies allow at most 6");
  scene_["solver"]["handles"] = 6;
  EXPECT_THAT(of_kind("handles"), IsEmpty());
}

TEST_F(Check, OneHandleForALargeBody) {
  scene_["solver"]["method"] = "multilevel";
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {18, 17, 17};
  EXPECT_THAT(of_kind("handles"), IsEmpty());
  scene_["solver"]["handles"] = 1;
  expect_one("handles", "warning", "body 'cube' gets one handle for each 6156 vertices");
  EXPECT_THAT(of_kind("handles")[0]["remedy"].get<std::string>(), HasSubstr("solver.handles to about 9"));
  const std::string plan = check().out;
  EXPECT_THAT(plan, HasSubstr("levels: 1 handle, solver.handles is 1\n  kept in the cache: about "));
  EXPECT_THAT(plan, HasSubstr(path("cache/sinew/hierarchies/")));
  EXPECT_FALSE(std::filesystem::exists(path("cache/sinew/hierarchies")));
}

// The advice is that of the commands that make the handles, too.
TEST_F(Check, HandlesBeyondTheVerticesInOtherCommands) {
  scene_["solver"]["handles"] = 7;
  save();
  const std::string text =
      ": solver.handles is 7, but the bodies allow at most 6: one for each 4 free vertices of a connected piece; "
      "remove solver.handles to get ";
  const auto run = sinew({"run", scene_path_, "-o", path("out"), "--steps", "1", "--method", "multilevel"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warning: handles: solver.handles is 7, but the bodies allow at most 6"));
  EXPECT_THAT(sinew({"subspace", scene_path_}).err, HasSubstr("warning: " + scene_path_ + text));
  const auto compare =
      sinew({"compare", scene_path_, "--steps", "1", "--methods", "newton,multilevel:handles=6,multilevel"});
  EXPECT_THAT(compare.err, testing::StartsWith("warning: multilevel" + text));
}

// What a run would make anew is not "read from the cache".
TEST_F(Check, ADamagedFileOfTheCache) {
  scene_["solver"]["method"] = "multilevel";
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {16, 16, 16};
  save();
  ASSERT_EQ(sinew({"subspace", scene_path_}).code, 0);
  EXPECT_THAT(check().out, HasSubstr("\n  read from the cache: "));
  const auto files = std::filesystem::directory_iterator(path("cache/sinew/hierarchies"));
  const std::filesystem::path file = files->path();
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  const std::string out = check().out;
  EXPECT_THAT(out, HasSubstr("\n  kept in the cache: about "));
  EXPECT_THAT(out, HasSubstr("the cached hierarchy is damaged and is rebuilt: " + file.string()));
}

}  // namespace
}  // namespace sinew::check_test

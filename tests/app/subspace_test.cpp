#include <algorithm>

#include "command.h"
#include <gmock/gmock.h>

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;
using testing::Not;

// Two boxes, one of them of 6 x 6 x 6 cells in two materials.
class Subspace : public test::CommandTest {
 protected:
  void SetUp() override {
    scene_["bodies"][0]["mesh"]["box"]["cells"] = {6, 6, 6};
    scene_["bodies"].push_back(scene_["bodies"][0]);
    scene_["bodies"][1]["name"] = "second";
    scene_["bodies"][1]["mesh"]["box"]["cells"] = {2, 2, 2};
    scene_["bodies"][1]["transform"]["translate"] = {0, 0.2, 0};
    CommandTest::SetUp();
  }
};

TEST_F(Subspace, TellsBodiesAndTotals) {
  const auto result = sinew({"subspace", scene_path_, "--handles", "9", "--json", path("out.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("clusters"));
  EXPECT_THAT(result.out, HasSubstr("second"));
  EXPECT_THAT(result.out, HasSubstr("not made (--cubature)"));
  const auto facts = json("out.json");
  EXPECT_EQ(facts["partition"], "geodesic");
  EXPECT_TRUE(facts["cubature"].is_null());
  EXPECT_TRUE(facts["cubature_points"].is_null());
  ASSERT_EQ(facts["bodies"].size(), 2);
  for (const char* count : {"vertices", "tets", "clusters", "handles"}) {
    EXPECT_EQ(facts[count].get<int>(), facts["bodies"][0][count].get<int>() + facts["bodies"][1][count].get<int>());
  }
  EXPECT_EQ(facts["bodies"][0]["name"], "cube");
  EXPECT_EQ(facts["bodies"][0]["vertices"], 343);
  EXPECT_EQ(facts["clusters"], 9);
  EXPECT_EQ(facts["handles"], 9);
  EXPECT_GE(facts["weights_per_vertex"].get<double>(), 1);
  EXPECT_GE(facts["volume_balance"].get<double>(), 1);
  EXPECT_GT(facts["mean_hops"].get<double>(), 0);
  // Clusters, and the tets in each.
  const auto volumes = facts["cluster_volumes"].get<std::vector<double>>();
  const auto clusters = facts["tet_clusters"].get<std::vector<int>>();
  ASSERT_EQ(volumes.size(), 9u);
  ASSERT_EQ(clusters.size(), facts["tets"].get<std::size_t>());
  EXPECT_EQ(*std::ranges::min_element(clusters), 0);
  EXPECT_EQ(*std::ranges::max_element(clusters), 8);
  double whole = 0;
  for (const double volume : volumes) whole += volume;
  EXPECT_NEAR(*std::ranges::max_element(volumes) * 9 / whole, facts["volume_balance"].get<double>(), 1e-9);
  const auto plain = sinew({"subspace", scene_path_, "--handles", "9", "--json", path("plain.json"), "--set",
                            "solver.multilevel.prune_ratio=off"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(json("plain.json")["tet_clusters"], facts["tet_clusters"]);
}

TEST_F(Subspace, MakesTheCubatureWhenAsked) {
  const auto result = sinew(
      {"subspace", scene_path_, "--cubature", "--set", "solver.multilevel.basis=rbf", "--json", path("out.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("not made")));
  const auto facts = json("out.json");
  EXPECT_EQ(facts["cubature"], "stiffness");
  EXPECT_EQ(facts["basis"], "rbf");
  EXPECT_GT(facts["cubature_points"].get<int>(), 0);
}

TEST_F(Subspace, IsTheSameForAnyMethodOfTheScene) {
  ASSERT_EQ(sinew({"subspace", scene_path_, "--json", path("a.json")}).code, 0);
  ASSERT_EQ(sinew({"subspace", scene_path_, "--set", "solver.method=newton-pcg", "--json", path("b.json")}).code, 0);
  auto a = json("a.json"), b = json("b.json");
  for (auto* facts : {&a, &b}) {
    facts->erase("seconds");
    facts->erase("cached");
  }
  EXPECT_EQ(a, b);
}

TEST_F(Subspace, ThePageIsTheSameForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2"}) {
    const auto result = sinew({"subspace", scene_path_, "--html", path(threads + ".html"), "--threads", threads,
                               "--set", "solver.multilevel.cache=false"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(path(threads + ".html")));
  }
  const auto data = [&](const std::string& name) {  // the binary part; the header tells the time
    const std::string text = test::slurp(folder_ / name);
    const auto begin = text.find("\n\"", text.find("id=\"sinew-subspace\""));
    return text.substr(begin, text.find("</script>", begin) - begin);
  };
  EXPECT_GT(data("1.html").size(), 100);
  EXPECT_EQ(data("1.html"), data("2.html"));
  EXPECT_THAT(test::slurp(folder_ / "1.html"), HasSubstr(R"("kind":"subspace")"));
}

TEST_F(Subspace, RefusesBeforeTheWork) {
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"subspace", scene_path_});
    const auto result = sinew(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(error({"--html", path("no/where.html")}), HasSubstr(path("no")));
  EXPECT_THAT(error({"--json", path("no/where.json")}), HasSubstr(path("no")));
  EXPECT_THAT(error({"--json", path("x"), "--html", path("x")}), HasSubstr("different names"));
  EXPECT_THAT(error({"--handles", "0"}), HasSubstr("expected a whole number from 1"));
  EXPECT_THAT(error({"--set", "solver.multilevel.basis=sns"}), HasSubstr("sms"));
  EXPECT_EQ(listing(), std::vector<std::string>{"scene.json"});
}

}  // namespace
}  // namespace sinew

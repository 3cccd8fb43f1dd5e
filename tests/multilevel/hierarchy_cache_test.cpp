// Hierarchies in the cache folder: read as they were written, made anew when damaged, found only for what they are of.
#include "sinew/multilevel/hierarchy_cache.h"

#include <filesystem>

#include "support/bodies.h"
#include "support/folder.h"
#include <gtest/gtest.h>

#include "sinew/core/log.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const System> block(double young) {
  sinew::Setup setup;
  setup.contact.enabled = false;
  setup.solver.handles = 5;
  setup.solver.multilevel.cache = false;
  setup.bodies.push_back(
      test::body("block", make_box(Vec3(1, 0.3, 0.3), {10, 3, 3}), test::material("neo_hookean", young, 0.3)));
  return build_system(std::move(setup));
}

class HierarchyCache : public testing::Test {
 protected:
  void SetUp() override {
    log::set_sink([this](log::Level, std::string_view text) { messages_ += std::string(text) + "\n"; });
  }
  void TearDown() override { log::set_sink({}); }

  std::string path() const { return (folder_.path / "a" / "h.h5").string(); }

  test::Folder folder_;
  std::string messages_;
  std::shared_ptr<const System> system_ = block(1e5);
  std::vector<char> fixed_ = std::vector<char>(3 * static_cast<std::size_t>(system_->dynamic_count), 0);
  Domain domain_ = make_domain(*system_, fixed_);
  MultilevelSetup levels_ = system_->setup.solver.multilevel;
};

TEST_F(HierarchyCache, ReadsWhatWasWritten) {
  const auto made = make_hierarchy(*system_, fixed_);
  EXPECT_FALSE(made->cached);
  EXPECT_GT(made->hops, 0);
  write_hierarchy(path(), *made);
  const auto read = read_hierarchy(path(), domain_, levels_);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->cached);
  EXPECT_EQ(read->partition.tet_cluster, made->partition.tet_cluster);
  EXPECT_EQ(read->subspace.weight, made->subspace.weight);
  EXPECT_EQ(read->subspace.handle, made->subspace.handle);
  EXPECT_EQ(read->affine.weight, made->affine.weight);
  EXPECT_EQ(read->hops, made->hops);
  EXPECT_EQ(messages_, "");
}

TEST_F(HierarchyCache, IsMadeAnewWhenDamaged) {
  EXPECT_FALSE(read_hierarchy(path(), domain_, levels_));  // there is none
  EXPECT_EQ(messages_, "");
  write_hierarchy(path(), *make_hierarchy(*system_, fixed_));
  fs::resize_file(path(), fs::file_size(path()) / 2);
  EXPECT_FALSE(read_hierarchy(path(), domain_, levels_));
  EXPECT_NE(messages_.find("damaged"), std::string::npos) << messages_;
}

TEST_F(HierarchyCache, OfAnotherMeshIsRefused) {
  write_hierarchy(path(), *make_hierarchy(*system_, fixed_));
  Domain larger = domain_;
  larger.vertices.conservativeResize(3, larger.vertices.cols() + 1);
  larger.vertices.col(larger.vertices.cols() - 1).setZero();
  EXPECT_FALSE(read_hierarchy(path(), larger, levels_));
  MultilevelSetup more = levels_;
  more.printed = PrintedSetup();
  EXPECT_FALSE(read_hierarchy(path(), domain_, more));  // and one without the rule that is asked for
}

TEST_F(HierarchyCache, WarnsWhereItCannotBeWritten) {
  folder_.write("a", "a file where a folder should be");
  write_hierarchy(path(), *make_hierarchy(*system_, fixed_));
  EXPECT_NE(messages_.find("cannot be cached"), std::string::npos) << messages_;
}

// Another mesh, stiffness, set of fixed vertices or setting is another path.
TEST_F(HierarchyCache, PathDependsOnEverything) {
  const test::Variable cache("XDG_CACHE_HOME", folder_.path.string());
  const SolverSetup solver = system_->setup.solver;
  std::vector<std::string> paths = {hierarchy_cache_path(domain_, solver)};
  EXPECT_EQ(hierarchy_cache_path(make_domain(*block(1e5), fixed_), solver), paths[0]);
  const auto add = [&](auto&& change) {
    Domain domain = domain_;
    SolverSetup changed = solver;
    change(domain, changed);
    paths.push_back(hierarchy_cache_path(domain, changed));
  };
  add([](Domain& d, SolverSetup&) { d.vertices(0, 3) += 1e-9; });
  add([](Domain& d, SolverSetup&) { std::swap(d.tets(0, 0), d.tets(1, 0)); });
  add([](Domain& d, SolverSetup&) { d.young[7] *= 1.001; });
  add([](Domain& d, SolverSetup&) { d.material[7] = 5; });
  add([](Domain& d, SolverSetup&) { d.fixed[7] = 1; });
  add([](Domain&, SolverSetup& s) { s.handles = 6; });
  add([](Domain&, SolverSetup& s) { s.multilevel.partition = "metis"; });
  add([](Domain&, SolverSetup& s) { s.multilevel.basis = "rbf"; });
  add([](Domain&, SolverSetup& s) { s.multilevel.interface_stiffness = 0.5; });
  add([](Domain&, SolverSetup& s) { s.multilevel.prune_ratio = 0; });
  add([](Domain&, SolverSetup& s) { s.multilevel.printed = PrintedSetup(); });
  add([](Domain&, SolverSetup& s) { (s.multilevel.printed = PrintedSetup())->affine = false; });
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(std::unique(paths.begin(), paths.end()), paths.end());
}

}  // namespace
}  // namespace sinew

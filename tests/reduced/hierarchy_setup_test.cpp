// Making a hierarchy: it tells how far it is, ends when it is asked to, and its handles are known beforehand.
#include <filesystem>

#include "support/bodies.h"
#include "support/folder.h"
#include <gtest/gtest.h>

#include "sinew/core/activity.h"
#include "sinew/core/cache_folder.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Large enough to be kept.
std::shared_ptr<const System> block() {
  sinew::Setup setup;
  setup.contact.enabled = false;
  setup.solver.handles = 12;
  setup.solver.multilevel.printed = PrintedSetup();
  const TetMesh mesh = make_box(Vec3(1, 0.5, 0.4), {24, 14, 12});
  setup.bodies.push_back(test::body("block", mesh, test::material("neo_hookean", 1e5, 0.3)));
  setup.bodies.push_back(
      test::body("dice", make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1}), test::material("neo_hookean", 1e5, 0.3)));
  return build_system(std::move(setup));
}

class HierarchySetup : public testing::Test {
 protected:
  int files() const {
    int count = 0;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path, none)) count += entry.is_regular_file();
    return count;
  }

  test::Folder folder_;
  test::Variable cache_{"XDG_CACHE_HOME", folder_.path.string()};
  std::shared_ptr<const System> system_ = block();
  std::vector<char> fixed_ = prescribed_at_start(*system_);
};

TEST_F(HierarchySetup, TellsWhatItMakes) {
  ASSERT_GE(system_->tet_count(), least_cached_tets);
  std::vector<std::string> lines;
  {
    const activity::Listening listening({.interrupted = {}, .progress = [&](const std::string& line) {
                                           if (line.empty() || line.ends_with("...")) lines.push_back(line);
                                         }});
    EXPECT_FALSE(make_hierarchy(*system_, fixed_)->cached);
    EXPECT_EQ(lines.back(), "");
    EXPECT_TRUE(make_hierarchy(*system_, fixed_)->cached);
  }
  const std::size_t before = lines.size();
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  EXPECT_EQ(lines, (std::vector<std::string>{"making clusters ...", "making basis functions ...",
                                             "making cubature rules ...", ""}));
  activity::begin("what nobody hears");
  activity::finish();
  EXPECT_LE(lines.size(), before);
  EXPECT_EQ(files(), 1);
}

// At whichever moment: nothing is kept, and what is asked for again is made.
TEST_F(HierarchySetup, EndsWhenAsked) {
  const auto limited = [&](long most, long& calls) {
    const activity::Listening listening({.interrupted = [&] { return ++calls > most; }, .progress = {}});
    return make_hierarchy(*system_, fixed_);
  };
  long all = 0;
  const auto made = limited(1L << 40, all);
  EXPECT_GT(all, 3 * 12);  // a moment for each function and rule at least
  fs::remove_all(folder_.path);
  for (const long most : {0L, all / 4, all / 2, all - 1}) {
    SCOPED_TRACE(most);
    long calls = 0;
    EXPECT_THROW(limited(most, calls), Interrupted);
    EXPECT_LE(calls, most + 2 + 64) << "threads that were at work may each ask once more";
    EXPECT_EQ(files(), 0);
  }
  const auto again = make_hierarchy(*system_, fixed_);
  EXPECT_EQ(again->subspace.weight, made->subspace.weight);
  EXPECT_EQ(again->cubature.weights, made->cubature.weights);
}

TEST_F(HierarchySetup, HandlesAreKnownBeforehand) {
  const Domain domain = make_domain(*system_, fixed_);
  EXPECT_EQ(partition_options(system_->setup.solver).handles, 12);
  for (const Index handles : {1, 2, 12, 5000}) {
    SCOPED_TRACE(handles);
    PartitionOptions options;
    options.handles = handles;
    const std::vector<ComponentShare> shares = component_shares(domain, options);
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares[0].free_vertices, 25 * 15 * 13);
    EXPECT_EQ(shares[0].most, 25 * 15 * 13 / 4);
    EXPECT_EQ(shares[1].free_vertices, 8);
    EXPECT_EQ(shares[1].most, 2);
    if (handles > 12) continue;  // a partition of so many takes long
    const Partition partition = make_partition(domain, options);
    EXPECT_LE(partition.cluster_count(), shares[0].clusters + shares[1].clusters);
    EXPECT_EQ(shares[0].clusters + shares[1].clusters, std::max<Index>(2, handles));
  }
  PartitionOptions options;
  options.handles = 5000;
  EXPECT_EQ(component_shares(domain, options)[1].clusters, 2);
}

}  // namespace
}  // namespace sinew

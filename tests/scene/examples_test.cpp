// The example scenes of the repository are read without a warning and make sense.
#include "scene_tools.h"
#include "support/paths.h"
#include <gtest/gtest.h>

#include "sinew/model/system.h"

namespace sinew {
namespace {

TEST(Examples, AreReadAndBuilt) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() + "/scenes")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Scene scene = read_scene(entry.path().string());
    EXPECT_TRUE(scene.warnings.empty());
    const auto system = build_system(scene.setup);
    EXPECT_GT(system->tet_count() + system->triangle_count(), 0);
    EXPECT_GT(system->contact_distance, 0);
    // No body starts within the contact distance of a plane.
    for (std::size_t p = 0; p < system->planes.size(); ++p) {
      const PlaneSetup& plane = system->planes[p];
      const auto x = system->rest.leftCols(system->dynamic_count);
      const double lowest = (plane.normal.transpose() * (x.colwise() - plane.point)).minCoeff();
      EXPECT_GT(lowest, system->contact_distance);
    }
    ++count;
  }
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace sinew

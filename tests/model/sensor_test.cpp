// Names of quantities, and the tets that a selection means.
#include "sinew/model/sensor.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

std::string reading_error(SensorTarget target, const std::string& name) {
  try {
    parse_reading(target, name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SensorReadings, TableIsInTheOrderOfTheEnumeration) {
  for (std::size_t k = 0; k < quantities().size(); ++k)
    EXPECT_EQ(static_cast<std::size_t>(quantities()[k].quantity), k) << quantities()[k].name;
  EXPECT_EQ(quantities().size(), static_cast<std::size_t>(Quantity::total) + 1);
  for (int t = 0; t < sensor_targets; ++t)
    for (const std::string& name : default_readings(static_cast<SensorTarget>(t)))
      EXPECT_EQ(reading_error(static_cast<SensorTarget>(t), name), "");
}

TEST(SensorReadings, ComponentsAndStatistics) {
  EXPECT_EQ(parse_reading(SensorTarget::fix, "force").count(), 3);
  EXPECT_EQ(parse_reading(SensorTarget::fix, "force.y").component, 1);
  EXPECT_EQ(parse_reading(SensorTarget::fix, "force.norm").component, SensorReading::norm);
  const SensorReading most = parse_reading(SensorTarget::body, "stress.xy.max");
  EXPECT_EQ(most.component, 3);
  EXPECT_EQ(most.statistic, Statistic::max);
  EXPECT_EQ(most.count(), 1);
  EXPECT_EQ(parse_reading(SensorTarget::body, "stress").count(), 6);
  EXPECT_EQ(parse_reading(SensorTarget::body, "von_mises.min").statistic, Statistic::min);
}

TEST(SensorReadings, ErrorsNameWhatIsKnown) {
  EXPECT_NE(reading_error(SensorTarget::fix, "forse").find("did you mean \"force\""), std::string::npos);
  EXPECT_NE(reading_error(SensorTarget::fix, "stress").find("expected a quantity of \"fix\""), std::string::npos);
  EXPECT_NE(reading_error(SensorTarget::fix, "force.max").find("alone or followed by"), std::string::npos);
  EXPECT_NE(reading_error(SensorTarget::body, "von_mises.x").find("\"mean\""), std::string::npos);
  EXPECT_NE(reading_error(SensorTarget::body, "stress.max.xx"), "");  // the statistic comes last
  EXPECT_NE(reading_error(SensorTarget::body, "stress.xx.yy"), "");
  EXPECT_NE(reading_error(SensorTarget::point, "von_mises.max").find("alone"), std::string::npos);
  EXPECT_NE(reading_error(SensorTarget::contact, "area.x").find("\"area\" alone"), std::string::npos);
}

TEST(SelectedTets, AllVerticesElseAFaceElseAVertex) {
  const TetMesh box = make_box(Vec3(1, 1, 1), {2, 2, 2});
  std::vector<Index> all(box.vertex_count());
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<Index>(v);
  EXPECT_EQ(selected_tets(box.tets, all, {}).size(), static_cast<std::size_t>(box.tet_count()));
  // The vertices of a side hold no tet whole: those with a face there.
  std::vector<Index> side;
  for (Index v = 0; v < box.vertex_count(); ++v)
    if (box.vertices(0, v) > 0.49) side.push_back(v);
  const Triangles boundary = boundary_triangles(box.tets);
  Triangles faces(3, boundary.cols());
  Index count = 0;
  for (Index f = 0; f < boundary.cols(); ++f)
    if (box.vertices(0, boundary(0, f)) > 0.49 && box.vertices(0, boundary(1, f)) > 0.49 &&
        box.vertices(0, boundary(2, f)) > 0.49)
      faces.col(count++) = boundary.col(f);
  EXPECT_EQ(selected_tets(box.tets, side, faces.leftCols(count)).size(), static_cast<std::size_t>(count));
  EXPECT_FALSE(selected_tets(box.tets, std::vector<Index>{0}, Triangles(3, 0)).empty());
}

}  // namespace
}  // namespace sinew

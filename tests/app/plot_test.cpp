// sinew plot: curves of sensors and of other numbers of a run, and sensors.csv.
#include <cmath>

#include "command.h"
#include <gmock/gmock.h>

#include "sinew/app/svg_chart.h"
#include "sinew/io/sensor_table.h"

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;

class PlotCommand : public test::CommandTest {
 protected:
  // A block pressed by a fifth in four load steps, in out/.
  void run() {
    const std::string scene = write("press.json", R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 4},
      "materials": {"m": {"young": 1e5, "poisson": 0.3}},
      "bodies": [{"name": "block", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
        "fix": [{"halfspace": {"point": [0, -0.05, 0], "normal": [0, -1, 0]}},
                {"halfspace": {"point": [0, 0.05, 0], "normal": [0, 1, 0]},
                 "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, -0.02, 0]]}}}]}],
      "contact": {"enabled": false}, "output": {"formats": []},
      "sensors": {"press": {"fix": {"body": "block", "entry": 1}, "quantities": ["force", "displacement", "work"]}}})");
    const auto result = sinew({"run", scene, "-o", path("out")});
    ASSERT_EQ(result.code, 0) << result.err;
  }
};

TEST_F(PlotCommand, TableHasUnitsAndTheStart) {
  run();
  const SensorTable table = read_sensor_table(path("out/sensors.csv"));
  ASSERT_EQ(table.columns.size(), 9u);   // step, time, two vectors, work
  EXPECT_EQ(table.columns[1].unit, "");  // the share of the load
  EXPECT_EQ(table.columns[3].name, "press.force.y");
  EXPECT_EQ(table.columns[3].unit, "N");
  ASSERT_EQ(table.columns[3].values.size(), 5u);
  EXPECT_EQ(table.columns[3].values[0], 0);
  EXPECT_LT(table.columns[3].values[4], -10);
  EXPECT_NEAR(table.columns[6].values[4], -0.02, 1e-12);
  EXPECT_GT(table.columns[8].values[4], 0);
}

TEST_F(PlotCommand, ResumedRunsHaveTheSameTable) {
  run();
  const std::string whole = test::slurp(path("out/sensors.csv"));
  const auto again = sinew({"run", path("press.json"), "-o", path("out"), "--resume"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(test::slurp(path("out/sensors.csv")), whole);
  // A run that was killed between its two tables.
  write("out/sensors.csv", whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
  ASSERT_EQ(sinew({"run", path("press.json"), "-o", path("out"), "--resume"}).code, 0);
  EXPECT_EQ(test::slurp(path("out/sensors.csv")), whole);
}

TEST_F(PlotCommand, DrawsForceOverDisplacement) {
  run();
  const auto result = sinew({"plot", path("out"), "--x", "press.displacement", "--y", "press.force.y"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 curve of 5 points"));
  const std::string svg = test::slurp(path("out/plot.svg"));
  for (const char* text : {"press.displacement [mm]", "press.force.y [N]"}) EXPECT_THAT(svg, HasSubstr(text));
  // All sensors: a chart for each unit. Vectors are three curves.
  const auto all = sinew({"plot", path("out"), "-o", path("all.svg")});
  EXPECT_THAT(all.out, HasSubstr("7 curves"));
  const auto steps =
      sinew({"plot", path("out"), "--y", "energies.elastic", "--y", "newton_iterations", "-o", path("steps.svg")});
  EXPECT_EQ(steps.code, 0) << steps.err;
}

// 0.01 m^2 are not 10 mm^2.
TEST(Charts, SquaresAndKilogramsHaveNoPrefix) {
  const auto text = [](const char* unit) {
    return app::svg_of(
        {{"", {"t", "s", false, {}}, {"value", unit, false, {}}, {{{}, "#000", {0, 1}, {0, 0.01}}}, {}}});
  };
  EXPECT_THAT(text("m"), HasSubstr("value [mm]"));
  EXPECT_THAT(text("m/s^2"), HasSubstr("value [mm/s^2]"));
  for (const char* unit : {"m^2", "m^3", "kg m/s", "kg"})
    EXPECT_THAT(text(unit), HasSubstr("value [" + std::string(unit)));
}

TEST_F(PlotCommand, ErrorsSayWhatIsThere) {
  run();
  const auto plot = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"plot", path("out")});
    return sinew(more);
  };
  auto result = plot({"--y", "press.forse"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown quantity \"press.forse\""));
  EXPECT_THAT(result.err, HasSubstr("press.force.x"));
  result = plot({"-o", path("plot.pdf")});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("ends in .svg or .png"));
  result = sinew({"plot", path("nowhere")});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("expected the output folder of a run"));
  write("out/sensors.csv", "step,time\n0,0\n1,soft\n");
  result = plot({});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("line 3"));
}

}  // namespace
}  // namespace sinew

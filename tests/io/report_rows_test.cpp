#include "sinew/io/report_rows.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

Json summary_of(const std::vector<StepReport>& reports) {
  RunTotals totals;
  for (const StepReport& report : reports) totals.add(step_row(report, {}));
  Json summary;
  totals.write(summary);
  return summary;
}

TEST(ReportRows, SummaryListsTheLimitPointsOfAPath) {
  std::vector<StepReport> reports(3);
  for (int k = 0; k < 3; ++k) {
    reports[k].step = k + 1;
    reports[k].path.emplace();
  }
  reports[1].path->load_rate = -0.5;
  reports[1].path->limit_points = {0.75};
  reports[2].path->load_rate = 0.5;
  reports[2].path->limit_points = {0.25};
  const Json expected =
      Json::parse(R"([{"step": 2, "load": 0.75, "kind": "maximum"}, {"step": 3, "load": 0.25, "kind": "minimum"}])");
  EXPECT_EQ(summary_of(reports)["limit_points"], expected);
  EXPECT_EQ(summary_of({reports[0]})["limit_points"], Json::array());
}

TEST(ReportRows, OtherRunsHaveNoLimitPoints) {
  EXPECT_FALSE(summary_of(std::vector<StepReport>(1)).contains("limit_points"));
}

}  // namespace
}  // namespace sinew

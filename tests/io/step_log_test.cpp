#include "sinew/io/step_log.h"

#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

StepReport report_of(int step) {
  StepReport report;
  report.step = step;
  report.time = 0.1 * step;
  report.residual = 1e-4 / step;
  report.newton_iterations = 2 * step;
  report.linear_iterations = 10;
  report.min_distance = step == 2 ? 1.0 / 3 : std::numeric_limits<double>::infinity();
  report.min_jacobian = 1 - 0.1 * step;
  report.energies.kinetic = step;
  report.seconds.steps = 0.5;
  report.seconds.assembly = 0.25;
  report.converged = step != 3;
  report.reason = "too hard";
  return report;
}

class StepLogTest : public test::FolderTest {
 protected:
  std::vector<Json> rows(int count) const {
    std::vector<Json> rows;
    for (int step = 1; step <= count; ++step) rows.push_back(step_row(report_of(step), {}));
    return rows;
  }
  std::string write_log(int count) const {
    StepLog log(path("steps.jsonl"));
    for (const Json& row : rows(count)) log.append(row);
    return path("steps.jsonl");
  }
};

TEST_F(StepLogTest, RowHoldsTheKeysOfTheContract) {
  const Json row = step_row(report_of(3), {});
  for (const char* key : {"step", "time", "converged", "outcome", "residual", "newton_iterations", "local_iterations",
                          "linear_iterations", "min_distance", "min_jacobian", "energies", "seconds"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  for (const char* key : {"kinetic", "elastic", "gravity", "barrier", "friction"}) {
    EXPECT_TRUE(row["energies"].contains(key)) << key;
  }
  for (const char* key : {"total", "setup", "steps", "assembly", "linear_solve", "symbolic", "collision", "line_search",
                          "elimination", "output"}) {
    EXPECT_TRUE(row["seconds"].contains(key)) << key;
  }
  EXPECT_TRUE(row["min_distance"].is_null());
  EXPECT_EQ(row["reason"], "too hard");
  EXPECT_EQ(row["outcome"], "failed");
  EXPECT_FALSE(step_row(report_of(2), {}).contains("reason"));
}

// The process's memory grows between two calls of rows(); all else must be equal.
std::vector<Json> without_memory(std::vector<Json> rows) {
  for (Json& row : rows) row.erase("peak_memory_mb");
  return rows;
}

TEST_F(StepLogTest, RowsComeBackWithEveryBit) {
  EXPECT_EQ(without_memory(read_step_log(write_log(4), 4, nullptr)), without_memory(rows(4)));
  EXPECT_EQ(without_memory(read_step_log(path("steps.jsonl"), 2, nullptr)), without_memory(rows(2)));
}

TEST_F(StepLogTest, HalfALineAtTheEndIsReplacedByTheCheckpointsRow) {
  std::string text = test::slurp(write_log(3));
  write("steps.jsonl", text.substr(0, text.size() - 20));
  EXPECT_EQ(without_memory(read_step_log(path("steps.jsonl"), 3, rows(3)[2])), without_memory(rows(3)));
}

TEST_F(StepLogTest, MissingAndDamagedRowsAreNamed) {
  const std::string file = write_log(2);
  EXPECT_THAT([&] { read_step_log(file, 5, rows(5)[4]); },
              testing::ThrowsMessage<InputError>(file + ": holds the rows of 2 steps, but the checkpoint is of step 5. "
                                                        "Start again in another folder or with --overwrite."));
  write("steps.jsonl", "hello\n" + test::slurp(file));
  EXPECT_THAT(
      [&] { read_step_log(file, 2, nullptr); },
      testing::ThrowsMessage<InputError>(
          file + ":1: expected the row of step 1, found: hello. Start again in another folder or with --overwrite."));
}

TEST_F(StepLogTest, TotalsTellHowFarFrictionWasOff) {
  RunTotals totals;
  std::vector<Json> three = rows(3);
  three[0]["friction_converged"] = false;
  three[0]["friction_residual"] = 0.34;
  three[2]["friction_converged"] = false;
  three[2]["friction_residual"] = 0.12;
  for (const Json& row : three) totals.add(row);
  Json summary;
  totals.write(summary);
  EXPECT_EQ(summary["friction_unconverged_steps"], 2);
  EXPECT_EQ(summary["max_friction_residual"], 0.34);
}

TEST_F(StepLogTest, TotalsCountEachOutcome) {
  RunTotals totals;
  for (int step = 1; step <= 5; ++step) {
    StepReport report = report_of(step);  // step 3 failed
    if (step > 3) {
      report.converged = false;
      report.budget = true;
    }
    const Json row = step_row(report, {});
    EXPECT_EQ(row["converged"], step < 3) << step;
    totals.add(row);
  }
  Json summary;
  totals.write(summary);
  EXPECT_EQ(summary["steps_converged"], 2);
  EXPECT_EQ(summary["steps_budget"], 2);
  EXPECT_EQ(summary["steps_failed"], 1);
}

TEST_F(StepLogTest, RowsOfEarlierVersionsHaveTheirOutcome) {
  RunTotals totals;
  for (int step = 1; step <= 3; ++step) {
    Json row = step_row(report_of(step), {});
    row.erase("outcome");
    if (step == 2) row["budget"] = true;
    totals.add(row);
  }
  EXPECT_EQ(totals.budget(), 1);
  EXPECT_EQ(totals.failed(), 1);
}

TEST_F(StepLogTest, TotalsAreSumsAndExtremesOfTheRows) {
  RunTotals totals;
  for (const Json& row : rows(4)) totals.add(row);
  Json summary;
  totals.write(summary);
  EXPECT_EQ(summary["steps"], 4);
  EXPECT_EQ(summary["steps_failed"], 1);
  EXPECT_EQ(summary["friction_unconverged_steps"], 0);
  EXPECT_EQ(summary["newton_iterations"], 2 + 4 + 6 + 8);
  EXPECT_EQ(summary["linear_iterations"], 40);
  EXPECT_EQ(summary["min_distance"], 1.0 / 3);
  EXPECT_EQ(summary["min_jacobian"], 1 - 0.1 * 4);
  EXPECT_EQ(summary["max_residual"], 1e-4);
  EXPECT_EQ(summary["energies"]["kinetic"], 4);
  EXPECT_EQ(summary["seconds"]["steps"], 2.0);
  EXPECT_EQ(summary["seconds"]["assembly"], 1.0);
  RunTotals none;
  none.write(summary);
  EXPECT_TRUE(summary["min_distance"].is_null());
}

TEST_F(StepLogTest, PeakMemoryIsThatOfThisProcess) {
  EXPECT_GT(peak_memory_mb(), 1);
  EXPECT_LT(peak_memory_mb(), 1e5);
}

}  // namespace
}  // namespace sinew

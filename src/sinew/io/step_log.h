// Writes steps.jsonl: one line of JSON for each step, on disk before the next step starts.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/line_log.h"
#include "sinew/io/report_rows.h"

namespace sinew {

class StepLog {
 public:
  // Replaces the file by an empty one, or by one that begins with `rows`. Throws SimulationError.
  explicit StepLog(std::string path, const std::vector<Json>& rows = {});

  // Appends a line whole or not at all. Throws SimulationError naming the path.
  void append(const Json& row) { file_.append(row.dump()); }

 private:
  LineLog file_;
};

// Reads the rows of steps 1 to `last` from a log that may have more rows or end in half a line. If only row `last` is
// missing, `last_row` is used. Throws InputError naming file and line if other rows are missing or damaged.
std::vector<Json> read_step_log(const std::string& path, int last, const Json& last_row);

}  // namespace sinew

// Reads steps.jsonl as columns, for the plots of the page.
#pragma once

#include <string>

#include "sinew/io/report_rows.h"

namespace sinew {

struct ReportColumns {
  std::string rows;         // JSON object of columns; energies and seconds are objects of columns
  std::string unconverged;  // JSON array of [step, reason]
  int steps = 0;
  RunTotals totals;
};

// Reads a log that may still grow or end in half a line. Throws InputError naming file and line if it is damaged.
ReportColumns read_report_columns(const std::string& path);

}  // namespace sinew

// Makes report.html from the data in the folder of a run.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/report_store.h"

namespace sinew {

// `beside`: the page loads its data from the folder `report`, whose files may still grow. `whole`: the page contains
// its data, unless it would be larger than `page_limit`.
enum class ReportData { beside, whole };

struct ReportPage {
  ReportData data = ReportData::whole;
  std::size_t page_limit = 20'000'000;  // bytes
  Json summary;                         // as in summary.json; null: use the totals of the rows
  std::vector<std::string> warnings;    // warnings of the run, except those of single steps
};

// Writes report/run.js with the rows of steps.jsonl so far. Throws SimulationError if writing fails, and InputError
// naming a file that is damaged.
void write_report_run(const std::string& folder, const ReportStore& store, const ReportPage& page);

// Writes report.html.
void write_report_page(const std::string& folder, const ReportStore& store, const ReportPage& page);

// Makes the page of a run that ended, perhaps early and without a page. Throws InputError if the folder has no frames
// for it.
void rebuild_report(const std::string& folder);

// Whether report.html exists and is not older than its data.
bool report_is_current(const std::string& folder);

// Returns the warnings that the last write_report_run() stored; empty if there are none.
std::vector<std::string> stored_warnings(const ReportStore& store);

}  // namespace sinew

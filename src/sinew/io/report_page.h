// report.html, made from what is in the folder of a run.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/report_store.h"

namespace sinew {

// `beside`: the page loads its data from the folder report, whose files may still grow. `whole`: it holds them itself,
// unless it were larger than `page_limit`.
enum class ReportData { beside, whole };

struct ReportPage {
  ReportData data = ReportData::whole;
  std::size_t page_limit = 20'000'000;  // bytes
  Json summary;                         // as summary.json; null: what the rows tell
  std::vector<std::string> warnings;    // of the run, without those of single steps
};

// Writes report/run.js with the rows of steps.jsonl so far. Throws SimulationError when the disk refuses, InputError
// naming a file that is damaged.
void write_report_run(const std::string& folder, const ReportStore& store, const ReportPage& page);

// Writes report.html.
void write_report_page(const std::string& folder, const ReportStore& store, const ReportPage& page);

// Makes the page of a run that ended, perhaps early and without one. Throws InputError when the folder holds no frames
// for it.
void rebuild_report(const std::string& folder);

// Whether report.html exists and is not older than its data.
bool report_is_current(const std::string& folder);

// The warnings that the last write_report_run() stored, none if there are none.
std::vector<std::string> stored_warnings(const ReportStore& store);

}  // namespace sinew

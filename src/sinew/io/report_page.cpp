#include "sinew/io/report_page.h"

#include <filesystem>
#include <fstream>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/io/page_file.h"
#include "sinew/io/report_columns.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_sound.h"
#include "sinew/io/report_template.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json box_json(const std::array<ValueRange, 3>& box) {
  return Json::array({{box[0].low, box[1].low, box[2].low}, {box[0].high, box[1].high, box[2].high}});
}

// summary.json, as far as header and rows tell.
Json summary_from(const Json& header, const RunTotals& totals) {
  Json summary = header.value("facts", Json::object());
  totals.write(summary);
  return summary;
}

std::string run_data(const ReportStore& store, const ReportColumns& columns, const Json& summary) {
  const ReportIndex& index = store.index();
  const Json header = store.mesh_header();
  Json ranges = Json::array(), usual = Json::array();
  for (const ValueRange& range : index.ranges) ranges.push_back({range.low, range.high});
  Json by_material = Json::array();
  for (const auto& materials : index.by_material) {
    by_material.push_back(Json::array());
    for (const std::vector<Spread>& spreads : materials) {
      const ValueRange range = usual_range(spreads);
      by_material.back().push_back({range.low, range.high});
    }
  }
  Json focus = Json::array();
  for (const auto& box : index.focus) focus.push_back(box_json(box));
  for (const std::vector<Spread>& spreads : index.spreads) {
    const ValueRange range = usual_range(spreads);
    usual.push_back({range.low, range.high});
  }
  const Json facts = {{"complete", columns.steps >= header.value("steps", 0)},
                      {"summary", summary.is_null() ? summary_from(header, columns.totals) : summary},
                      {"frames", {{"step", index.steps}, {"time", index.times}, {"focus", focus}}},
                      {"chunks", index.chunks},
                      {"ranges", ranges},
                      {"usual", usual},
                      {"usual_by_material", by_material},
                      {"box", box_json(index.box)},
                      {"sound", store.has_sound()}};
  std::string text = dump(facts);
  text.pop_back();
  return text + ",\"rows\":" + columns.rows + ",\"unconverged\":" + columns.unconverged + "}";
}

Json read_summary(const std::string& folder) {
  const std::string path = folder + "/summary.json";
  require_fit(path);
  std::ifstream stream(path);
  if (!stream) return nullptr;
  Json summary = Json::parse(stream, nullptr, /*allow_exceptions=*/false);
  return summary.is_object() ? summary : Json();
}

}  // namespace

void write_report_run(const std::string& folder, const ReportStore& store, const ReportPage& page) {
  const ReportColumns columns = read_report_columns(folder + "/steps.jsonl");
  const std::string data = run_data(store, columns, page.summary);
  store.write_blob("run", {{"warnings", page.warnings}}, deflate_base64(data));
}

void write_report_page(const std::string& folder, const ReportStore& store, const ReportPage& page) {
  const std::string path = folder + "/" + report_page_name;
  const std::vector<std::string> names = store.blob_names();
  std::size_t bytes = report_template_head().size() + report_template_tail().size();
  for (const std::string& name : names) bytes += store.blob_bytes(name) + 64;
  std::vector<std::string> arrays;
  if (page.data == ReportData::whole && bytes <= page.page_limit) {
    for (const std::string& name : names) arrays.push_back(store.blob_array(name));
  }
  write_page_file(path, PageKind::run, names, arrays);
}

std::vector<std::string> stored_warnings(const ReportStore& store) {
  std::vector<std::string> warnings;
  const Json header = store.blob_header("run");
  if (!header.is_object()) return warnings;
  for (const Json& text : header.value("warnings", Json::array())) {
    if (text.is_string()) warnings.push_back(text);
  }
  return warnings;
}

bool report_is_current(const std::string& folder) {
  std::error_code error;
  const auto page_time = fs::last_write_time(folder + "/" + report_page_name, error);
  if (error) return false;
  const fs::path report = fs::path(folder) / report_folder_name;
  if (!fs::is_directory(report, error)) return true;  // the page may have been moved here alone
  for (fs::directory_iterator entry(report, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->last_write_time(error) > page_time) return false;
  }
  return !error;
}

void rebuild_report(const std::string& folder) {
  ReportStore store(folder);
  const Json header = store.mesh_header();
  store.read(std::numeric_limits<int>::max());
  if (store.index().steps.empty()) {
    fail_input(code::run_folder, "{}/{}: holds no frames; run the scene again with \"html\" in output.formats", folder,
               report_folder_name);
  }
  ReportPage page;
  page.summary = read_summary(folder);
  page.warnings = stored_warnings(store);
  // A run without a summary may be going on: its page grows with the files.
  page.data = page.summary.is_null() ? ReportData::beside : ReportData::whole;
  write_report_sound(folder, store);
  write_report_run(folder, store, page);
  write_report_page(folder, store, page);
}

}  // namespace sinew

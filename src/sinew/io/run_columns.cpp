#include "sinew/io/run_columns.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/io/sensor_table.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::string unit_of(const std::string& name) {
  if (name == "time" || name.starts_with("seconds.")) return "s";
  if (name.starts_with("energies.")) return "J";
  if (name == "min_distance" || name == "error_estimate" || name == "motion") return "m";
  return name == "contact_stiffness" ? "Pa" : "";
}

class ColumnReader {
 public:
  // Numbers of nested objects are named with dots, "energies.kinetic".
  void add(const Json& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items()) {
      if (prefix.empty() && key == "sensors") continue;
      if (value.is_object())
        add(value, prefix + key + ".");
      else if (value.is_number() || value.is_null())
        put(prefix + key, value.is_null() ? missing : value.get<double>());
    }
  }
  void end_row() { ++rows_; }

  std::vector<RunColumn> columns() {
    for (RunColumn& column : columns_) column.values.resize(rows_, missing);
    return std::move(columns_);
  }

 private:
  void put(const std::string& name, double value) {
    auto at = std::ranges::find(columns_, name, &RunColumn::name);
    if (at == columns_.end()) at = columns_.insert(at, {name, unit_of(name), {}});
    at->values.resize(rows_, missing);
    at->values.push_back(value);
  }

  std::vector<RunColumn> columns_;
  std::size_t rows_ = 0;
};

}  // namespace

RunColumns read_run_columns(const std::string& folder) {
  const std::string log = folder + "/steps.jsonl", table = folder + "/sensors.csv", summary = folder + "/summary.json";
  std::error_code error;
  if (!fs::exists(log, error))
    fail_input(code::run_folder, "{}: found no steps.jsonl; expected the output folder of a run", folder);
  RunColumns run;
  run.scene = fs::path(folder).filename().string();
  if (fs::exists(summary, error)) {
    const Json json = Json::parse(read_whole_file(summary), nullptr, false);
    if (json.is_object() && json.contains("scene") && json["scene"].is_string()) run.scene = json["scene"];
  }
  ColumnReader reader;
  const std::string text = read_whole_file(log);
  std::size_t rows = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const Json row = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    ++rows;
    if (!row.is_object())
      fail_input(code::file_damaged, "{}: line {}: found no JSON object; start the run again", log, rows);
    reader.add(row, "");
    reader.end_row();
  }
  if (rows == 0) fail_input(code::run_folder, "{}: the run has no steps yet", log);
  std::vector<RunColumn> others = reader.columns();
  if (fs::exists(table, error)) {
    // Sensors are known at the start, too; of the other numbers only the time is.
    ++rows;
    SensorTable sensors = read_sensor_table(table);
    for (RunColumn& column : others) column.values.insert(column.values.begin(), missing);
    for (SensorTable::Column& column : sensors.columns) {
      column.values.resize(rows, missing);
      const auto same = std::ranges::find(others, column.name, &RunColumn::name);
      if (same != others.end())
        same->values = column.values;
      else
        run.columns.push_back({column.name, column.unit, std::move(column.values)});
    }
  }
  run.sensors = run.columns.size();
  run.columns.insert(run.columns.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return run;
}

}  // namespace sinew

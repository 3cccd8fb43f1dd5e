#include "sinew/io/report_columns.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"

namespace sinew {
namespace {

constexpr const char* plain_names[] = {
    "step",     "time",         "residual",     "newton_iterations", "linear_iterations",
    "contacts", "min_distance", "min_jacobian", "line_search_steps", "error_estimate",
    "motion"};
constexpr const char* group_names[] = {"energies", "seconds"};

struct Column {
  std::string name, values;
};

// The columns of some of a row's numbers, as text of JSON; what a row lacks is null there.
class ColumnNames {
 public:
  // None: those that are met.
  explicit ColumnNames(std::vector<std::string> names = {}) : open_(names.empty()) {
    for (std::string& name : names) columns_.push_back({std::move(name), ""});
  }

  bool empty() const { return columns_.empty(); }

  // Six digits are more than a plot shows.
  void add(const Json& row) {
    if (open_) take_names(row);
    for (Column& column : columns_) {
      if (rows_ > 0) column.values += ',';
      const auto value = row.find(column.name);
      if (value == row.end() || !value->is_number())
        column.values += "null";
      else if (value->is_number_integer())
        column.values += value->dump();
      else
        column.values += fmt::format("{:.6g}", value->get<double>());
    }
    ++rows_;
  }

  // "name":[values], ...
  std::string json() const {
    std::string text;
    for (const Column& column : columns_) {
      text += fmt::format("{}{}:[{}]", text.empty() ? "" : ",", Json(column.name).dump(), column.values);
    }
    return text;
  }

 private:
  void take_names(const Json& row) {
    for (const auto& [name, value] : row.items()) {
      const bool known =
          std::any_of(columns_.begin(), columns_.end(), [&key = name](const Column& c) { return c.name == key; });
      if (known || value.is_structured()) continue;
      Column& column = columns_.emplace_back(Column{name, ""});
      for (long i = 0; i < rows_; ++i) column.values += i == 0 ? "null" : ",null";
    }
  }

  bool open_;
  long rows_ = 0;
  std::vector<Column> columns_;
};

const Json& object_or_none(const Json& row, const char* name) {
  static const Json none = Json::object();
  const auto found = row.find(name);
  return found != row.end() && found->is_object() ? *found : none;
}

// The numbers of sensors as "sensor.quantity" or, for vectors, "sensor.quantity.0", "sensor.quantity.1", ...
Json flat_sensors(const Json& sensors) {
  Json flat = Json::object();
  for (const auto& [sensor, readings] : sensors.items()) {
    if (!readings.is_object()) continue;
    for (const auto& [reading, value] : readings.items()) {
      const std::string name = sensor + "." + reading;
      if (!value.is_array()) flat[name] = value;
      for (std::size_t k = 0; value.is_array() && k < value.size(); ++k) flat[fmt::format("{}.{}", name, k)] = value[k];
    }
  }
  return flat;
}

// Why a step did not converge, where, and what to do.
std::string reason_text(const Json& row) {
  std::string text = row.value("reason", "");
  const auto d = row.find("diagnosis");
  if (d == row.end() || !d->is_object()) return text;
  if (d->contains("body")) {
    text += fmt::format(" (vertex {} of body '{}', {})", d->at("vertex").get<long>(), d->at("body").get<std::string>(),
                        d->at("term").get<std::string>());
  }
  const std::string advice = d->value("advice", "");
  return advice.empty() ? text : text + "; what to do: " + advice;
}

}  // namespace

ReportColumns read_report_columns(const std::string& path) {
  ReportColumns result;
  ColumnNames plain({std::begin(plain_names), std::end(plain_names)});
  std::vector<ColumnNames> groups(std::size(group_names));
  ColumnNames sensors, levels, level_seconds, adaptive, adaptive_seconds;
  Json unconverged = Json::array();
  require_fit(path);
  std::ifstream stream(path);
  std::string line;
  while (std::getline(stream, line)) {
    const Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (row.is_discarded() && stream.eof()) break;  // half a line
    try {
      plain.add(row);
      for (std::size_t g = 0; g < groups.size(); ++g) groups[g].add(row.at(group_names[g]));
      sensors.add(flat_sensors(object_or_none(row, "sensors")));
      adaptive.add(object_or_none(row, "adaptive"));
      adaptive_seconds.add(object_or_none(object_or_none(row, "adaptive"), "seconds"));
      levels.add(object_or_none(row, "levels"));
      level_seconds.add(object_or_none(object_or_none(row, "levels"), "seconds"));
      const int failed = result.totals.failed();
      result.totals.add(row);
      if (result.totals.failed() > failed) unconverged.push_back({row.at("step"), reason_text(row)});
    } catch (const nlohmann::json::exception&) {
      fail_input(code::run_folder, "{}:{}: expected the row of a step, found: {:.80}", path, result.steps + 1, line);
    }
    ++result.steps;
  }
  result.rows += '{';
  result.rows += plain.json();
  for (std::size_t g = 0; g < groups.size(); ++g)
    result.rows += fmt::format(",\"{}\":{{{}}}", group_names[g], groups[g].json());
  if (!sensors.empty()) result.rows += fmt::format(",\"sensors\":{{{}}}", sensors.json());
  if (!levels.empty())
    result.rows += fmt::format(",\"levels\":{{{},\"seconds\":{{{}}}}}", levels.json(), level_seconds.json());
  if (!adaptive.empty())
    result.rows += fmt::format(",\"adaptive\":{{{},\"seconds\":{{{}}}}}", adaptive.json(), adaptive_seconds.json());
  result.rows += "}";
  result.unconverged = unconverged.dump(-1, ' ', false, Json::error_handler_t::replace);
  return result;
}

}  // namespace sinew

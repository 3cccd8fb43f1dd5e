#include "sinew/io/sensor_table.h"

#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/sensors/sensors.h"

namespace sinew {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// "grip.force.x [N]"
SensorTable::Column column_of(std::string_view header) {
  const std::size_t bracket = header.rfind(" [");
  if (bracket == std::string_view::npos || header.back() != ']') return {std::string(header), "", {}};
  return {
      std::string(header.substr(0, bracket)), std::string(header.substr(bracket + 2, header.size() - bracket - 3)), {}};
}

void append_number(const Json& number, std::string& line) {
  line += number.is_null() ? "," : fmt::format(",{}", number.get<double>());
}

}  // namespace

std::string sensor_header(const System& system) {
  const bool is_static = system.setup.time.integrator == Integrator::statics;
  std::string header = is_static ? "step,time" : "step,time [s]";
  for (const SensorColumn& column : sensor_columns(system.sensors))
    header += column.unit.empty() ? "," + column.name : fmt::format(",{} [{}]", column.name, column.unit);
  return header;
}

std::string sensor_line(const Json& row, const System& system) {
  std::string line = fmt::format("{},{}", row.at("step").get<int>(), row.at("time").get<double>());
  const Json& sensors = row.at("sensors");
  for (const Sensor& sensor : system.sensors)
    for (const SensorReading& reading : sensor.readings) {
      const Json& value = sensors.at(sensor.name).at(reading.name);
      if (!value.is_array()) {
        append_number(value, line);
        continue;
      }
      for (const Json& number : value) append_number(number, line);
    }
  return line;
}

std::string sensor_lines_until(const std::string& path, int step) {
  const std::string text = read_whole_file(path);
  std::size_t end = 0;
  for (int line = 0; line < step + 2; ++line) {  // the header, then steps 0 to `step`
    end = text.find('\n', end);
    if (end == std::string::npos)
      fail_input(code::file_damaged, "{}: found {} lines, expected the header and steps 0 to {}; start the run again",
                 path, line, step);
    ++end;
  }
  return text.substr(0, end);
}

SensorTable read_sensor_table(const std::string& path) {
  const std::string text = read_whole_file(path);
  SensorTable table;
  std::size_t line_number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++line_number;
    if (line.empty()) continue;
    if (line.back() == '\r') line.remove_suffix(1);
    const std::vector<std::string_view> cells = split(line, ',');
    if (table.columns.empty()) {
      for (const std::string_view cell : cells) table.columns.push_back(column_of(cell));
      continue;
    }
    if (cells.size() != table.columns.size())
      fail_input(code::file_damaged, "{}: line {}: found {} numbers, expected {} as in the header", path, line_number,
                 cells.size(), table.columns.size());
    for (std::size_t k = 0; k < cells.size(); ++k) {
      double value = std::numeric_limits<double>::quiet_NaN();
      const char *begin = cells[k].data(), *end = begin + cells[k].size();
      const auto [last, error] = std::from_chars(begin, end, value);
      if (!cells[k].empty() && (error != std::errc() || last != end))
        fail_input(code::file_damaged, "{}: line {}: found \"{}\", expected a number", path, line_number, cells[k]);
      table.columns[k].values.push_back(value);
    }
  }
  return table;
}

}  // namespace sinew

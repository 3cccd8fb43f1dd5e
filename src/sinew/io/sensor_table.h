// sensors.csv: the numbers of sensors, a line for each step, with units in the header.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/io/report_rows.h"

namespace sinew {

// "step,time [s],grip.force.x [N],...". In statics the time has no unit.
std::string sensor_header(const System& system);

// The line of a row of steps.jsonl, or of the start: {"step": 0, "time": t, "sensors": sensor_json()}. Numbers that do
// not exist are empty.
std::string sensor_line(const Json& row, const System& system);

// The file of the run that this one continues, up to a step. Throws InputError if it lacks a line.
std::string sensor_lines_until(const std::string& path, int step);

// The file's columns. Throws InputError naming file and line if it is damaged.
struct SensorTable {
  struct Column {
    std::string name, unit;
    std::vector<double> values;  // NaN: the number does not exist
  };
  std::vector<Column> columns;
};
SensorTable read_sensor_table(const std::string& path);

}  // namespace sinew

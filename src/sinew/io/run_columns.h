// The numbers of a run's steps as columns: sensors with their units, then the other numbers of steps.jsonl.
#pragma once

#include <string>
#include <vector>

namespace sinew {

struct RunColumn {
  std::string name, unit;      // "grip.force.x", "N"
  std::vector<double> values;  // by step; NaN: the number does not exist
};

struct RunColumns {
  std::string scene;  // name of the scene, or of the folder
  std::vector<RunColumn> columns;
  std::size_t sensors = 0;  // number of columns of sensors, which come first
};

// Reads the output folder of a run. Throws InputError naming the file if it is missing or damaged.
RunColumns read_run_columns(const std::string& folder);

}  // namespace sinew

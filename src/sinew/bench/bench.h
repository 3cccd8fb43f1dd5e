// Built-in benchmarks: small, inside this process. Each gives a number that does not depend on the machine: the ratio
// of two times measured in turns.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/io/report_rows.h"

namespace sinew {

// Named numbers, for example {"seconds": 0.1, "of_triad": 0.86}. A list of objects with the same keys is printed as a
// table.
using BenchResult = Json;

struct Benchmark {
  const char* name;
  const char* description;
  BenchResult (*run)();
  bool by_default = true;  // runs if the command line names no benchmark
  // Runs on a tet mesh that the user gives; null if the benchmark has only built-in bodies.
  BenchResult (*run_on)(const std::string& mesh_file) = nullptr;
};

BenchResult bench_spmv();
BenchResult bench_elastic();
BenchResult bench_contact();
BenchResult bench_affine();
BenchResult bench_newton_step();
BenchResult bench_scaling();
BenchResult bench_profile();
BenchResult bench_reduced();
BenchResult bench_setup();
BenchResult bench_setup_on(const std::string& mesh_file);
BenchResult bench_quasi_newton();
BenchResult bench_quasi_newton_on(const std::string& mesh_file);

// Returns the shortest time [s] of several calls of each function. Calls are made in turns, so that all functions meet
// the same noise, after one call of each.
std::vector<double> shortest_seconds(const std::vector<std::function<void()>>& functions, int repeats = 7);

}  // namespace sinew

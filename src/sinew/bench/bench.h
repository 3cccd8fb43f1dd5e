// Built-in benchmarks: small, in this process, each with a number that does not depend on the machine (a ratio of two
// times measured in turns).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/io/report_rows.h"

namespace sinew {

// Named numbers, e.g. {"seconds": 0.1, "of_triad": 0.86}; a list of objects with the same keys is printed as a table.
using BenchResult = Json;

struct Benchmark {
  const char* name;
  const char* description;
  BenchResult (*run)();
  bool by_default = true;  // without names on the command line
  // Runs on a tet mesh of the user; null if the benchmark has built-in bodies only.
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

// The shortest time [s] of several calls of each function, made in turns so that all meet the same noise. Each function
// is called once before.
std::vector<double> shortest_seconds(const std::vector<std::function<void()>>& functions, int repeats = 7);

}  // namespace sinew

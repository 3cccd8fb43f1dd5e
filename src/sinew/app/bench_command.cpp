// sinew bench: the command and its table.

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/bench/bench.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/core/version.h"

namespace sinew::app {
namespace {

constexpr Benchmark benchmarks[] = {
    {"spmv", "product of a block-sparse matrix and a vector, compared with a triad that measures memory bandwidth",
     bench_spmv},
    {"elastic", "elastic energy, gradient, and assembly of the projected Hessian", bench_elastic},
    {"contact", "active contacts and the largest collision-free step of two bodies", bench_contact},
    {"affine", "an iteration of an affine body of 512, 8,192 and 131,072 triangles on a plane", bench_affine},
    {"newton_step", "a time step of bodies in contact, with a direct and an iterative solver", bench_newton_step},
    {"scaling", "time steps of a larger contact with one thread and with all (minutes)", bench_scaling, false},
    {"profile", "flops and bytes of the parts of one Newton iteration, compared with the machine's limits",
     bench_profile, false},
    {"setup", "seconds per million tets to set up multilevel, and their growth with the mesh", bench_setup, true,
     bench_setup_on},
    {"reduced", "iterations of mixed and reduced at four sizes of subspaces, compared with full space (minutes)",
     bench_reduced, false},
    {"quasi_newton", "ten quasi-Newton iterations compared with one Newton iteration, and variants (minutes)",
     bench_quasi_newton, false, bench_quasi_newton_on},
};

struct BenchOptions {
  std::vector<std::string> names;
  std::vector<std::string> meshes;
  std::string json;
  int threads = 0;
};

std::vector<const Benchmark*> chosen(const std::vector<std::string>& names) {
  std::vector<const Benchmark*> list;
  std::vector<std::string> known;
  for (const Benchmark& benchmark : benchmarks) {
    known.push_back(benchmark.name);
    if (names.empty() && benchmark.by_default) list.push_back(&benchmark);
  }
  for (const std::string& name : names) {
    const auto row = std::ranges::find(benchmarks, name, [](const Benchmark& b) { return std::string(b.name); });
    if (row == std::end(benchmarks)) {
      fail_input(code::usage, "bench: found \"{}\", expected one of {}{}", shortened(name), quoted_list(known),
                 did_you_mean(name, known));
    }
    list.push_back(row);
  }
  return list;
}

void require_runs_on_meshes(const std::vector<const Benchmark*>& list) {
  std::vector<std::string> able;
  for (const Benchmark& benchmark : benchmarks)
    if (benchmark.run_on) able.push_back(benchmark.name);
  for (const Benchmark* benchmark : list)
    if (!benchmark->run_on)
      fail_input(code::usage, "bench: --mesh: {} runs on built-in bodies only; name one of {}", benchmark->name,
                 quoted_list(able));
}

std::string number_text(const Json& value) {
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump();
}

// A list of objects with the same keys.
void print_table(const Json& rows) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& [key, value] : rows.front().items()) lines[0].push_back(key);
  for (const Json& row : rows) {
    lines.emplace_back();
    for (const auto& [key, value] : row.items()) lines.back().push_back(number_text(value));
  }
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  for (const auto& line : lines) {
    std::string text = fmt::format("  {:<{}}", line[0], widths[0]);
    for (std::size_t c = 1; c < line.size(); ++c) text += fmt::format("  {:>{}}", line[c], widths[c]);
    fmt::print("{}\n", text);
  }
}

void print_result(const BenchResult& result) {
  for (const auto& [key, value] : result.items()) {
    if (value.is_array() && !value.empty()) {
      print_table(value);
    } else {
      fmt::print("  {:<32} {}\n", key, number_text(value));
    }
  }
}

int execute(const BenchOptions& options) {
  const std::vector<const Benchmark*> list = chosen(options.names);
  if (!options.meshes.empty()) require_runs_on_meshes(list);
  if (!options.json.empty()) require_folder_of(options.json);
  const ThreadLimit threads(options.threads);
  Json report = {{"version", version}, {"threads", thread_count()}, {"benchmarks", Json::object()}};
  fmt::print("{} threads\n", thread_count());
  for (const Benchmark* benchmark : list) {
    fmt::print("{}: {}\n", benchmark->name, benchmark->description);
    BenchResult result = options.meshes.empty() ? benchmark->run() : BenchResult::object();
    for (const std::string& mesh : options.meshes) result[mesh] = benchmark->run_on(mesh);
    print_result(result);
    report["benchmarks"][benchmark->name] = result;
  }
  if (!options.json.empty()) write_file_atomically(options.json, report.dump(2) + "\n");
  return 0;
}

}  // namespace

Action add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks) names.emplace_back(benchmark.name);
  app.add_option(
      "NAME", options->names,
      fmt::format("Benchmarks to run: {} (default: all except slow ones and profile)", fmt::join(names, ", ")));
  app.add_option("--mesh", options->meshes, "Tet meshes to run on in place of built-in bodies (setup, quasi_newton)")
      ->check(not_empty("the name of a file"));
  app.add_option("--json", options->json, "Write the numbers to this file too")->check(not_empty("the name of a file"));
  app.add_option("--threads", options->threads, "Threads to use (default: all cores)")->check(whole_number(1, 1024));
  return [options] { return execute(*options); };
}

}  // namespace sinew::app

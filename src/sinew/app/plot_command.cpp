// sinew plot: curves of a run's sensors, such as force over displacement.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/svg_chart.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/program.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/io/run_columns.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* png_program = "rsvg-convert";

struct PlotOptions {
  std::string folder, x = "time", out;
  std::vector<std::string> y;
};

bool has_extension(const std::string& path, const char* extension) {
  return fs::path(path).extension() == extension;
}

// The columns of a name: itself, or the components of a vector.
std::vector<const RunColumn*> find_columns(const RunColumns& run, const std::string& name) {
  std::vector<const RunColumn*> found;
  for (const RunColumn& column : run.columns)
    if (column.name == name) return {&column};
  for (const RunColumn& column : run.columns)
    if (column.name.starts_with(name + ".") && column.name.find('.', name.size() + 1) == std::string::npos)
      found.push_back(&column);
  if (!found.empty()) return found;
  std::vector<std::string> known;
  for (const RunColumn& column : run.columns) known.push_back(column.name);
  fail_input(code::argument, "plot: unknown quantity \"{}\"{}the run has: {}", shortened(name),
             did_you_mean_then(name, known), fmt::join(known, ", "));
}

// One column over x; of a vector its length.
RunColumn single(const std::vector<const RunColumn*>& columns, const std::string& name) {
  if (columns.size() == 1) return *columns[0];
  RunColumn length{name, columns[0]->unit, std::vector<double>(columns[0]->values.size(), 0.0)};
  for (const RunColumn* column : columns)
    for (std::size_t i = 0; i < length.values.size(); ++i)
      length.values[i] = std::hypot(length.values[i], column->values[i]);
  return length;
}

ChartSeries series_of(const RunColumn& x, const RunColumn& y, const char* color) {
  ChartSeries series{ChartSeries::Kind::line, color, {}, {}};
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    if (!std::isfinite(x.values[i]) || !std::isfinite(y.values[i])) continue;
    series.x.push_back(x.values[i]);
    series.y.push_back(y.values[i]);
  }
  return series;
}

// One chart for each unit.
std::vector<Chart> charts_of(const std::string& title, const RunColumn& x,
                             const std::vector<const RunColumn*>& columns) {
  std::vector<Chart> charts;
  std::map<std::string, std::size_t> by_unit;
  for (const RunColumn* y : columns) {
    const auto [at, added] = by_unit.try_emplace(y->unit, charts.size());
    if (added) charts.push_back({title, {x.name, x.unit, false, {}}, {"", y->unit, false, {}}, {}, {}});
    Chart& chart = charts[at->second];
    const char* color = chart_color(chart.keys.size());
    ChartSeries series = series_of(x, *y, color);
    if (series.x.empty()) fail_input(code::argument, "plot: \"{}\" has no number in any step", y->name);
    chart.series.push_back(std::move(series));
    chart.keys.push_back({y->name, color, {ChartSeries::Kind::line}});
  }
  // The axis of one curve has its name; of several, the key tells them apart.
  for (Chart& chart : charts)
    chart.y.label = chart.keys.size() == 1 ? chart.keys[0].text : chart.y.unit.empty() ? "value" : "values";
  return charts;
}

// By librsvg, at twice the size in pixels.
void write_png(const std::string& path, const std::string& svg) {
  const char* folders = std::getenv("PATH");
  const std::string program = find_program(png_program, folders ? folders : "");
  if (program.empty())
    fail_input(code::argument,
               "{}: PNG needs the program {}, which is not on the PATH; install librsvg2-bin, or write .svg", path,
               png_program);
  const std::string source = path + ".svg.tmp";
  write_file_atomically(source, svg);
  const ProgramResult result =
      run_program({program, "--zoom", "2", "--output", path, source}, [](std::string_view) { return true; });
  std::error_code ignored;
  fs::remove(source, ignored);
  if (result.exit_code != 0 || result.signal != 0)
    throw SimulationError(code::output_write, fmt::format("{}: {} failed: {}", path, png_program, result.errors));
}

int plot(const PlotOptions& options) {
  const std::string out = options.out.empty() ? options.folder + "/plot.svg" : options.out;
  if (!has_extension(out, ".svg") && !has_extension(out, ".png"))
    fail_input(code::argument, "{}: expected a file name that ends in .svg or .png", out);
  const RunColumns run = read_run_columns(options.folder);
  require_folder_of(out);
  std::vector<const RunColumn*> columns;
  for (const std::string& name : options.y)
    for (const RunColumn* column : find_columns(run, name)) columns.push_back(column);
  if (options.y.empty())
    for (std::size_t k = 0; k < run.sensors; ++k) columns.push_back(&run.columns[k]);
  if (columns.empty())
    fail_input(code::argument, "{}: the run has no sensors; name a quantity with --y, such as energies.kinetic",
               options.folder);
  const RunColumn x = single(find_columns(run, options.x), options.x);
  const std::string svg = svg_of(charts_of(run.scene, x, columns));
  if (has_extension(out, ".png"))
    write_png(out, svg);
  else
    write_file_atomically(out, svg);
  fmt::print("{}: {} curve{} of {} points\n", out, columns.size(), columns.size() == 1 ? "" : "s", x.values.size());
  return 0;
}

}  // namespace

Action add_plot(CLI::App& app) {
  const auto options = std::make_shared<PlotOptions>();
  app.add_option("DIR", options->folder, "Output folder of a run")->required();
  app.add_option("--x", options->x, "Quantity of the horizontal axis, such as press.displacement (default time)");
  app.add_option("--y", options->y, "Quantity of the vertical axis, such as press.force.y (default all sensors)")
      ->take_all();
  app.add_option("-o,--output", options->out, "File to write: .svg or .png (default DIR/plot.svg)");
  return [options] { return plot(*options); };
}

}  // namespace sinew::app

// sinew-mesh tets: surfaces to tets.
#include <charconv>
#include <filesystem>
#include <limits>
#include <memory>

#include "commands.h"
#include "pinches.h"
#include "progress.h"
#include "surface_mesher.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/core/utf8.h"
#include "sinew/formats/write.h"

namespace sinew::mesher {
namespace {

std::string deviation_text(const char* what, const Deviation& deviation, double diagonal) {
  return fmt::format("{}: largest {:.3g} m ({:.2g} % of the diagonal), mean {:.3g} m ({:.2g} %)\n", what, deviation.max,
                     100 / diagonal * deviation.max, deviation.mean, 100 / diagonal * deviation.mean);
}

void print(const SurfaceMesh& result, const std::string& path, double seconds) {
  fmt::print("{}target edge length: {:.4g} m\n", summary_text(result.mesh, path, seconds), result.size);
  fmt::print("{}", deviation_text("deviation of the mesh from the surfaces", result.mesh_to_surface, result.diagonal));
  fmt::print("{}", deviation_text("deviation of the surfaces from the mesh", result.surface_to_mesh, result.diagonal));
}

// Refuses what is no number, or none from `low` to `high`; `low` itself belongs to the range where it is closed.
CLI::Validator number(double low, bool closed, double high, std::string range, std::string expected) {
  const auto check = [=](std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool read = error == std::errc() && end == text.data() + text.size();
    if (read && (closed ? value >= low : value > low) && value <= high) return std::string();
    return fmt::format("found \"{}\", expected {}", shortened(text), expected);
  };
  return {check, std::move(range), ""};
}

CLI::Validator length() {
  return number(0, false, std::numeric_limits<double>::max(), "above 0", "a length above 0 [m]");
}

struct Arguments {
  std::vector<std::string> surfaces;
  std::string out;
  bool quiet = false;
  SurfaceMeshOptions options;
};

int run(const Arguments& arguments) {
  const std::string& out = arguments.out;
  require_tet_writer(out);
  for (const std::string& surface : arguments.surfaces) {
    std::error_code error;
    if (std::filesystem::equivalent(surface, out, error))
      fail_input(code::output_exists, "-o: found \"{}\", a surface to be read; give another name", out);
  }
  const Stopwatch watch;
  SurfaceMesh result;
  {
    ProgressLine progress(arguments.quiet);
    SurfaceMeshOptions options = arguments.options;
    options.progress = progress.function();
    result = mesh_surfaces(read_surfaces(arguments.surfaces, options.robust), options);
  }
  tell_pinches(result.mesh);
  write_mesh(out, result.mesh);
  if (!arguments.quiet) print(result, out, watch.seconds());
  return 0;
}

}  // namespace

Action add_tets(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  SurfaceMeshOptions& options = arguments->options;
  app.add_option(
         "SURFACE", arguments->surfaces,
         "Closed surfaces, each of which becomes a region; inside an inner surface, its region replaces the outer one")
      ->required();
  app.add_option("-o,--output", arguments->out, "Mesh to write, for example body.msh")->required();
  app.add_option(
         "--size", options.size,
         "Edge length [m]; default: 1/40 of the diagonal of the bounding box, less for bodies that are thin everywhere")
      ->check(length());
  app.add_option("--distance", options.distance,
                 "Largest distance of the mesh from the surface [m]; default: size / 20")
      ->check(length());
  app.add_option("--feature-angle", options.feature_angle,
                 "Edges where the surface turns by more than this angle [degrees] are kept sharp; 0: none")
      ->capture_default_str()
      ->check(number(0, true, 180, "from 0 to 180", "an angle from 0 (none) to 180 degrees"));
  app.add_flag("--robust", options.robust,
               "Mesh by winding numbers, for surfaces with holes, self-intersections or inconsistent normals");
  app.add_flag("--quiet", arguments->quiet, "Print neither progress nor summary");
  return [arguments] { return run(*arguments); };
}

}  // namespace sinew::mesher

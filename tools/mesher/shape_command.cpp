// sinew-mesh shape: a mesh of a shape by name, or a list of the shapes.
#include <memory>

#include "commands.h"
#include "implicit_mesher.h"
#include "pinches.h"
#include "progress.h"
#include "shapes/shape.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/formats/write.h"

namespace sinew::mesher {
namespace {

struct Options {
  std::string name, size = "medium", out;
  std::vector<std::string> settings;
  bool list = false, json = false, quiet = false;
};

nlohmann::ordered_json to_json(const Shape& shape) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
  for (const Parameter& p : shape.parameters) {
    nlohmann::ordered_json defaults;
    for (std::size_t s = 0; s < size_names.size(); ++s) defaults[std::string(size_names[s])] = p.defaults[s];
    parameters[std::string(p.name)] = {{"description", p.description}, {"unit", p.unit},     {"default", defaults},
                                       {"minimum", p.lower},           {"maximum", p.upper}, {"whole", p.whole}};
  }
  return {{"description", shape.description}, {"parameters", parameters}};
}

void print_shape(const Shape& shape) {
  fmt::print("{}: {}\n", shape.name, shape.description);
  fmt::print("  {:<18} {:>9} {:>9} {:>9}\n", "parameter", size_names[0], size_names[1], size_names[2]);
  for (const Parameter& p : shape.parameters) {
    fmt::print("  {:<18} {:>9.4g} {:>9.4g} {:>9.4g}  {}{}\n", p.name, p.defaults[0], p.defaults[1], p.defaults[2],
               p.description, p.unit.empty() ? "" : fmt::format(" [{}]", p.unit));
  }
}

int list(const Options& options) {
  std::vector<const Shape*> shapes;
  if (options.name.empty()) {
    for (const Shape& shape : all_shapes()) shapes.push_back(&shape);
  } else {
    shapes.push_back(&find_shape(options.name));
  }
  if (options.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::object();
    for (const Shape* shape : shapes) rows[std::string(shape->name)] = to_json(*shape);
    fmt::print("{}\n", rows.dump(2));
    return 0;
  }
  for (const Shape* shape : shapes) {
    if (shape != shapes.front()) fmt::print("\n");
    print_shape(*shape);
  }
  return 0;
}

int run(const Options& options) {
  if (options.list || options.json) return list(options);
  if (options.name.empty())
    fail_input(code::usage,
               "shape: missing NAME, for example: sinew-mesh shape sphere -o sphere.msh; --list names the shapes");
  const Shape& shape = find_shape(options.name);
  const Values values = shape_values(shape, options.size, options.settings);
  if (options.out.empty())
    fail_input(code::usage, "shape: missing --output, for example: sinew-mesh shape {0} -o {0}.msh", shape.name);
  require_tet_writer(options.out);
  const Stopwatch watch;
  TetMesh mesh;
  {
    ProgressLine progress(options.quiet);
    MeshingOptions meshing;
    meshing.size = values.at("edge");
    meshing.progress = progress.function();
    mesh = mesh_solid(make_solid(shape, values), meshing);
  }
  tell_pinches(mesh);
  write_mesh(options.out, mesh);
  if (!options.quiet) fmt::print("{}", summary_text(mesh, options.out, watch.seconds()));
  return 0;
}

}  // namespace

Action add_shape(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name, "The shape; --list names them");
  CLI::Option* size = app.add_option("--size", options->size, "small, medium, large, or an edge length in metres")
                          ->capture_default_str();
  CLI::Option* set = app.add_option("--set", options->settings, "Change a parameter of the shape; repeatable")
                         ->type_name("PARAMETER=VALUE")
                         ->expected(1)
                         ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* out = app.add_option("-o,--output", options->out, "The mesh to write; its extension names the format")
                         ->type_name("OUT");
  app.add_flag("--list", options->list, "List all shapes or one shape with parameters and defaults")
      ->excludes(size, set, out);
  app.add_flag("--json", options->json, "List as JSON")->excludes(size, set, out);
  app.add_flag("--quiet", options->quiet, "Print neither progress nor summary");
  return [options] { return run(*options); };
}

}  // namespace sinew::mesher

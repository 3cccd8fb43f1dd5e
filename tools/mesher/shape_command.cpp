// sinew-mesh shape: a mesh of a shape by name.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "implicit_mesher.h"
#include "progress.h"
#include "sinew/core/error.h"
#include "sinew/mesh/write.h"

namespace sinew::mesher {

Action add_shape(CLI::App& app) {
  struct Options {
    std::string name, out;
    double size = 0.1;
    bool quiet = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name)->required();
  app.add_option("-o", options->out)->required();
  app.add_option("--size", options->size);
  app.add_flag("--quiet", options->quiet);
  return [options] {
    if (options->name != "sphere") fail_input("unknown shape");
    require_mesh_writer(options->out);
    Solid solid;
    solid.label = [](const Vec3& p) { return p.norm() < 1 ? 1 : 0; };
    solid.regions = {"sphere"};
    solid.bounds = {Vec3::Constant(-1.2), Vec3::Constant(1.2)};
    solid.thickness = 2;
    ProgressLine progress(options->quiet);
    const Stopwatch watch;
    MeshingOptions meshing;
    meshing.size = options->size;
    meshing.progress = progress.function();
    const TetMesh mesh = mesh_solid(solid, meshing);
    write_mesh(options->out, mesh);
    if (!options->quiet) fmt::print("{}", summary_text(mesh, options->out, watch.seconds()));
    return 0;
  };
}

}  // namespace sinew::mesher

// sinew-mesh shape: a mesh of a shape by name.
#include <memory>

#include <CLI/CLI.hpp>

#include "commands.h"
#include "implicit_mesher.h"
#include "sinew/core/error.h"
#include "sinew/mesh/write.h"

namespace sinew::mesher {

Action add_shape(CLI::App& app) {
  struct Options {
    std::string name, out;
    double size = 0.1;
  };
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name)->required();
  app.add_option("-o", options->out)->required();
  app.add_option("--size", options->size);
  return [options] {
    if (options->name != "sphere") fail_input("unknown shape");
    Solid solid;
    solid.label = [](const Vec3& p) { return p.norm() < 1 ? 1 : 0; };
    solid.regions = {"sphere"};
    solid.bounds = {Vec3::Constant(-1.2), Vec3::Constant(1.2)};
    solid.thickness = 2;
    write_mesh(options->out, mesh_solid(solid, {.size = options->size}));
    return 0;
  };
}

}  // namespace sinew::mesher

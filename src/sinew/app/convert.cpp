// sinew convert: a mesh in another format.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/formats/read.h"
#include "sinew/formats/write.h"

namespace sinew::app {
namespace {

struct Options {
  std::string in, out;
  bool overwrite = false, ascii = false, binary = false;

  MeshEncoding encoding() const {
    return ascii ? MeshEncoding::ascii : binary ? MeshEncoding::binary : MeshEncoding::automatic;
  }
};

int convert(const Options& options) {
  require_mesh_writer(options.out, options.encoding());
  std::error_code code;
  if (!options.overwrite && std::filesystem::exists(options.out, code) && !takes_bytes(options.out))
    fail_input(code::output_exists, "'{}' exists; give --overwrite to replace it", options.out);
  const MeshFile mesh =
      read_mesh_file(options.in, writes_surfaces_only(options.out) ? MidNodes::dropped : MidNodes::kept);
  write_mesh(options.out, mesh, options.encoding());
  if (mesh.volume.tets.cols() == 0) {
    fmt::print("{}: a surface of {} vertices, {} triangles\n", options.out, mesh.volume.vertex_count(),
               mesh.triangles.cols());
  } else if (writes_surfaces_only(options.out)) {
    const TriMesh surface = surface_of(mesh, options.in);
    fmt::print("{}: the boundary surface of {} tets: {} vertices, {} triangles\n", options.out, mesh.volume.tet_count(),
               surface.vertices.cols(), surface.triangles.cols());
  } else {
    fmt::print("{}: {} vertices, {} tets\n", options.out, mesh.volume.vertex_count(), mesh.volume.tet_count());
  }
  return 0;
}

}  // namespace

Action add_convert(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("IN", options->in, "Mesh file of any format that sinew reads")->required();
  app.add_option("OUT", options->out,
                 "Mesh file to write: .msh, .vtu, .inp, .unv, .bdf, .nas or .obj (the boundary of a volume)")
      ->required();
  app.add_flag("--overwrite", options->overwrite, "Replace OUT if it exists");
  CLI::Option* ascii = app.add_flag("--ascii", options->ascii, "Write text (all formats)");
  app.add_flag("--binary", options->binary, "Write binary data (.msh; .vtu does by default)")->excludes(ascii);
  return [options] { return convert(*options); };
}

}  // namespace sinew::app

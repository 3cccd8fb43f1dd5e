// sinew-mesh tets: surfaces to tets.
#include <chrono>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/write.h"
#include "surface_mesher.h"

namespace sinew::mesher {
namespace {

void print(const SurfaceMesh& result, double seconds) {
  const TetMesh& mesh = result.mesh;
  const MeshStatistics s = statistics(mesh);
  fmt::print("{} vertices, {} tets, {} boundary triangles in {:.1f} s at an edge length of {:.4g} m\n", s.vertices, s.tets,
             s.surface.triangles, seconds, result.size);
  for (const ElementGroup& group : mesh.groups) {
    double volume = 0;
    for (const Index t : group.tets) volume += tet_volume(mesh.vertices, mesh.tets, t);
    fmt::print("region {} ({}): {} tets, volume {:.6g} m^3\n", group.id, group.name, group.tets.size(), volume);
  }
  fmt::print("volume {:.6g} m^3; dihedral angles {:.1f} to {:.1f} degrees; edges {:.4g} to {:.4g} m\n", s.volume,
             s.dihedral_min, s.dihedral_max, s.edge_min, s.edge_max);
  const double percent = 100 / result.diagonal;
  fmt::print("deviation of the mesh from the surface: largest {:.3g} m ({:.2g} % of the diagonal), mean {:.3g} m ({:.2g} %)\n",
             result.mesh_to_surface.max, percent * result.mesh_to_surface.max, result.mesh_to_surface.mean,
             percent * result.mesh_to_surface.mean);
  fmt::print("deviation of the surface from the mesh: largest {:.3g} m ({:.2g} %), mean {:.3g} m ({:.2g} %)\n",
             result.surface_to_mesh.max, percent * result.surface_to_mesh.max, result.surface_to_mesh.mean,
             percent * result.surface_to_mesh.mean);
}

int run(const SurfaceMeshOptions& options, const std::vector<std::string>& paths, const std::string& out) {
  require_mesh_writer(out);
  if (writes_surfaces_only(out)) {
    fail_input("-o '{}': this is a surface format, but the result is tets; expected a volume format such as .msh", out);
  }
  const auto start = std::chrono::steady_clock::now();
  const SurfaceMesh result = mesh_surfaces(read_surfaces(paths, options.robust), options);
  write_mesh(out, result.mesh);
  print(result, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}

}  // namespace

Action add_tets(CLI::App& app) {
  struct Arguments {
    std::vector<std::string> surfaces;
    std::string out;
    SurfaceMeshOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  SurfaceMeshOptions& options = arguments->options;
  app.add_option("SURFACE", arguments->surfaces, "Closed surfaces, each a region; an inner one replaces the outer one")
      ->required();
  app.add_option("-o,--output", arguments->out, "Mesh to write, for example body.msh")->required();
  app.add_option("--size", options.size, "Edge length [m]; default: 1/40 of the diagonal of the bounding box, or less where that is thin");
  app.add_option("--distance", options.distance, "Largest distance of the mesh from the surface [m]; default: size / 20");
  app.add_option("--feature-angle", options.feature_angle,
                 "Edges where the surface turns by more are kept sharp [degrees]; 0: none")
      ->capture_default_str();
  app.add_flag("--robust", options.robust, "Mesh surfaces with holes, self-intersections or triangles that face "
                                           "different ways by their winding number");
  return [arguments] { return run(arguments->options, arguments->surfaces, arguments->out); };
}

}  // namespace sinew::mesher

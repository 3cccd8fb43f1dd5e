// sinew-mesh tets: surfaces to tets.
#include <chrono>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "complex_mesher.h"
#include "deviation.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/write.h"
#include "surface_checks.h"
#include "surface_complex.h"
#include "surface_edges.h"
#include "surface_input.h"
#include "surface_repair.h"
#include "surface_solid.h"

namespace sinew::mesher {
namespace {

struct Options {
  std::vector<std::string> surfaces;
  std::string out;
  double size = 0, distance = 0, feature_angle = 60;
  bool robust = false;
};

int run(const Options& options) {
  require_mesh_writer(options.out);
  std::vector<InputSurface> surfaces = read_surfaces(options.surfaces, options.robust);
  Eigen::AlignedBox3d box;
  for (auto& s : surfaces) for (int v = 0; v < s.mesh.vertices.cols(); ++v) box.extend(s.mesh.vertices.col(v));
  const double diagonal = box.diagonal().norm();
  const double size = options.size > 0 ? options.size : diagonal / 40;
  MeshingOptions meshing{.size = size, .facet_distance = options.distance};
  TetMesh mesh;
  auto t0 = std::chrono::steady_clock::now();
  auto lap = [&](const char* what) { auto t = std::chrono::steady_clock::now(); fmt::print("{}: {:.2f} s\n", what, std::chrono::duration<double>(t - t0).count()); t0 = t; };
  if (options.robust) {
    for (InputSurface& s : surfaces) { Turned t = orient(s); fmt::print("turned {} {} {}\n", t.triangles, t.inconsistent, t.one_sided); }
    mesh = mesh_solid(make_surface_solid(surfaces, size), meshing);
  } else {
    check_surfaces(surfaces);
    lap("check");
    const SurfaceComplex complex = make_complex(surfaces, {options.feature_angle, 3 * size});
    double l = 0; for (auto& f : complex.features) for (size_t i = 1; i < f.size(); ++i) l += (f[i] - f[i-1]).norm();
    fmt::print("features {} length {}\n", complex.features.size(), l);
    lap("complex");
    mesh = mesh_complex(complex, meshing);
  }
  lap("mesh");
  const MeshStatistics s = statistics(mesh);
  fmt::print("{} tets, volume {:.6g}, components {} chi {}, dihedral {:.3f} {:.3f}, nonmanifold {} boundary {}\n", s.tets, s.volume, s.components, s.surface.euler_characteristic(), s.dihedral_min, s.dihedral_max, s.surface.nonmanifold_edges, s.surface.boundary_edges);
  TriMesh b = compacted(mesh.vertices, boundary_triangles(mesh.tets));
  SurfaceTree to(b.vertices, b.triangles);
  Deviation d1 = deviation(surfaces[0].mesh.vertices, surfaces[0].mesh.triangles, to, size / 2);
  SurfaceTree from(surfaces[0].mesh.vertices, surfaces[0].mesh.triangles);
  Deviation d2 = deviation(b.vertices, b.triangles, from, size / 2);
  fmt::print("deviation {:.3g} {:.3g}  {:.3g} {:.3g} (relative)\n", d1.max / diagonal, d1.mean / diagonal, d2.max / diagonal, d2.mean / diagonal);
  lap("stat");
  write_mesh(options.out, mesh);
  return 0;
}

}  // namespace

Action add_tets(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("SURFACE", options->surfaces)->required();
  app.add_option("-o", options->out)->required();
  app.add_option("--size", options->size);
  app.add_option("--distance", options->distance);
  app.add_option("--feature-angle", options->feature_angle);
  app.add_flag("--robust", options->robust);
  return [options]() -> int { return run(*options); };
}

}  // namespace sinew::mesher

// sinew info: a mesh in numbers.

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/read.h"

namespace sinew::app {
namespace {

std::string vector_text(const Vec3& v) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
}

void print_box(const Vec3& lower, const Vec3& upper) {
  fmt::print("bounding box: {} to {}, size {}\n", vector_text(lower), vector_text(upper), vector_text(upper - lower));
}

void print_surface(const SurfaceStatistics& s) {
  fmt::print("area: {:.6g}\nenclosed volume: {:.6g}\n", s.area, s.volume);
  fmt::print("components: {}, boundary edges: {}, non-manifold edges: {}, Euler characteristic: {}\n", s.components,
             s.boundary_edges, s.nonmanifold_edges, s.euler_characteristic());
}

void describe_surface(const std::string& path) {
  const SurfaceStatistics s = statistics(read_tri_mesh(path));
  fmt::print("{}: a surface of {} vertices, {} triangles, {} edges\n", path, s.vertices, s.triangles, s.edges);
  if (s.unused_vertices > 0) fmt::print("vertices in no triangle: {}\n", s.unused_vertices);
  print_box(s.lower, s.upper);
  fmt::print("edge lengths: {:.4g} to {:.4g}, mean {:.4g}\n", s.edge_min, s.edge_max, s.edge_mean);
  print_surface(s);
}

void print_groups(const TetMesh& mesh, const MeshStatistics& s) {
  for (const auto& [region, tets] : s.regions) fmt::print("region {}: {} tets\n", region, tets);
  for (const ElementGroup& group : mesh.groups) {
    fmt::print("group \"{}:{}\"{}: {} {}\n", group.dim, group.id, group.name.empty() ? "" : " \"" + group.name + "\"",
               group.dim == 2 ? static_cast<std::size_t>(group.triangles.cols()) : group.tets.size(),
               group.dim == 2 ? "triangles" : "tets");
  }
  for (const auto& [name, values] : mesh.cell_fields) {
    const std::size_t components = values.size() / s.tets;
    fmt::print("cell array \"{}\": {} component{}\n", name, components, components == 1 ? "" : "s");
  }
}

void describe_tets(const std::string& path) {
  const TetMesh mesh = read_tet_mesh(path);
  const MeshStatistics s = statistics(mesh);
  fmt::print("{}: {} vertices, {} tets, {} edges, {} boundary triangles\n", path, s.vertices, s.tets, s.edges,
             s.surface.triangles);
  if (s.unused_vertices > 0) fmt::print("vertices in no tet: {}\n", s.unused_vertices);
  print_box(s.lower, s.upper);
  fmt::print("volume: {:.6g}\ntet components: {}\n", s.volume, s.components);
  fmt::print("edge lengths: {:.4g} to {:.4g}, mean {:.4g}\n", s.edge_min, s.edge_max, s.edge_mean);
  fmt::print("quality (1 for regular tets): smallest {:.4g}, median {:.4g}; dihedral angles {:.4g} to {:.4g} degrees\n",
             s.quality_min, s.quality_median, s.dihedral_min, s.dihedral_max);
  fmt::print("tets of negative volume: {}, nearly flat: {}\n", s.negative_tets, s.flat_tets);
  fmt::print("boundary surface:\n");
  print_surface(s.surface);
  print_groups(mesh, s);
}

}  // namespace

Action add_info(CLI::App& app) {
  const auto path = std::make_shared<std::string>();
  app.add_option("MESH", *path, "Mesh file")->required();
  return [path] {
    is_surface_format(*path) ? describe_surface(*path) : describe_tets(*path);
    return 0;
  };
}

}  // namespace sinew::app

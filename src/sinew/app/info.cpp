// sinew info: a mesh in numbers.
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/app/commands.h"
#include "sinew/core/error.h"
#include "sinew/formats/read.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/validate.h"

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

// What the checks between a reader and a scene say; their warnings go to stderr.
template <class Mesh>
void print_verdict(Mesh mesh, const char* use, const std::string& path) {
  try {
    validate(mesh, path);
    fmt::print("can be {}: yes\n", use);
  } catch (const InputError& error) {
    fmt::print("can be {}: no; {}\n", use, error.text());
  }
}

void describe_surface(const TriMesh& mesh, const std::string& path) {
  const SurfaceStatistics s = statistics(mesh);
  fmt::print("{}: a surface of {} vertices, {} triangles, {} edges\n", path, s.vertices, s.triangles, s.edges);
  if (s.unused_vertices > 0) fmt::print("vertices in no triangle: {}\n", s.unused_vertices);
  print_box(s.lower, s.upper);
  fmt::print("edge lengths: {:.4g} to {:.4g}, mean {:.4g}\n", s.edge_min, s.edge_max, s.edge_mean);
  print_surface(s);
  print_verdict(mesh, "an obstacle", path);
}

constexpr std::size_t listed_groups = 100;  // of groups

void print_groups(const TetMesh& mesh) {
  for (std::size_t i = 0; i < std::min(listed_groups, mesh.groups.size()); ++i) {
    const ElementGroup& group = mesh.groups[i];
    fmt::print("group \"{}:{}\"{}: {} {}\n", group.dim, group.id, group.name.empty() ? "" : " \"" + group.name + "\"",
               group.dim == 0   ? group.vertices.size()
               : group.dim == 2 ? static_cast<std::size_t>(group.triangles.cols())
                                : group.tets.size(),
               group.dim == 0   ? "vertices"
               : group.dim == 2 ? "triangles"
                                : "tets");
  }
  if (mesh.groups.size() > listed_groups) fmt::print("and {} more groups\n", mesh.groups.size() - listed_groups);
}

// What the parameters of a file's material model mean; empty for models that are told by their numbers alone.
std::vector<std::string> parameter_names(const FileMaterial& material) {
  if (!material.names.empty()) return material.names;
  if (material.model == "ENU") return {"density", "Young's modulus", "Poisson's ratio"};
  if (material.model == "MOONEYRIVLIN") return {"density", "mu01", "mu10", "v1"};
  return {};
}

void print_materials(const MeshFile& file) {
  bool scenes = false;
  for (const FileMaterial& material : file.materials) {
    const std::vector<std::string> names = parameter_names(material);
    std::string text;
    for (std::size_t k = 0; k < material.parameters.size(); ++k) {
      text += k == 0 ? "" : ", ";
      if (names.size() == material.parameters.size()) text += names[k] + " ";
      text += fmt::format("{}", material.parameters[k]);
    }
    fmt::print("material \"{}\" of {}: {}{}{}\n", material.name,
               material.groups.empty() ? "no region" : fmt::format("{}", fmt::join(material.groups, ", ")),
               material.model, text.empty() ? "" : " ", text);
    if (!material.scene.empty()) fmt::print("  in a scene: \"{}\": {}\n", material.name, material.scene);
    scenes = scenes || !material.scene.empty();
  }
  if (!file.materials.empty())
    fmt::print("(Scenes define their own materials; the materials of the file are not used.)\n");
  if (scenes) fmt::print("(Numbers are those of the file, which has no units; scenes need Pa and kg/m^3.)\n");
}

void describe_tets(const MeshFile& file, const std::string& path) {
  const TetMesh& mesh = file.volume;
  const MeshStatistics s = statistics(mesh);
  fmt::print("{}: {} vertices, {} tets, {} edges, {} boundary triangles\n", path, s.vertices, s.tets, s.edges,
             s.surface.triangles);
  for (const auto& [kind, count] : file.higher_order)
    fmt::print("{}: {}, here as their corners; bodies with \"elements\": \"quadratic\" keep their nodes on edges\n",
               kind, count);
  if (s.unused_vertices > 0) fmt::print("vertices in no tet: {}\n", s.unused_vertices);
  print_box(s.lower, s.upper);
  fmt::print("volume: {:.6g}\ntet components: {}\n", s.volume, s.components);
  fmt::print("{}", quality_text(s));
  fmt::print("tets of negative volume: {}, nearly flat: {}\n", s.negative_tets, s.flat_tets);
  fmt::print("boundary surface:\n");
  print_surface(s.surface);
  fmt::print("{}", region_text(mesh, s));
  print_groups(mesh);
  for (const auto& [name, values] : mesh.cell_fields) {
    const std::size_t components = values.size() / static_cast<std::size_t>(s.tets);
    fmt::print("cell array \"{}\": {} component{}\n", name, components, components == 1 ? "" : "s");
  }
  print_materials(file);
  print_verdict(mesh, "a body", path);
}

}  // namespace

Action add_info(CLI::App& app) {
  const auto path = std::make_shared<std::string>();
  app.add_option("MESH", *path, "Mesh file")->required();
  return [path] {
    const MeshFile file = read_mesh_file(*path, MidNodes::kept);
    require_finite(file.volume.vertices, *path);
    if (file.volume.tets.cols() > 0) {
      describe_tets(file, *path);
    } else {
      describe_surface(surface_of(file, *path), *path);
    }
    return 0;
  };
}

}  // namespace sinew::app

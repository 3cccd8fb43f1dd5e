#include "sinew/app/intersection_file.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "sinew/contact/intersection.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/sort_unique.h"
#include "sinew/core/suggest.h"
#include "sinew/io/vtu_writer.h"
#include "sinew/model/naming.h"

namespace sinew::app {
namespace {

// A triangle, or with two corners an edge; corners number the vertices below.
struct Primitive {
  std::vector<Index> corners;
  Index owner;
};

struct Offenders {
  std::vector<Primitive> primitives;  // by owner
  std::vector<Index> vertices;        // simulation ids
};

Offenders find_offenders(const System& system, const State& state) {
  const CollisionMesh& mesh = system.collision;
  std::set<Index> triangles, edges, below;
  for (const Intersection& i : find_intersections(mesh, state.x)) {
    triangles.insert(i.triangle);
    edges.insert(i.edge);
  }
  for (const BelowPlane& b : find_below_planes(mesh, state.x, state.planes)) below.insert(b.vertex);
  if (!below.empty()) {
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      const auto corners = mesh.triangles.col(t);
      if (std::any_of(corners.begin(), corners.end(), [&](Index v) { return below.contains(v); })) triangles.insert(t);
    }
  }
  Offenders out;
  const auto add = [&](const auto& corners) {
    out.primitives.push_back({{corners.begin(), corners.end()}, mesh.vertex_owner[corners[0]]});
  };
  for (const Index t : triangles) add(mesh.triangles.col(t));
  for (const Index e : edges) add(mesh.edges.col(e));
  std::stable_sort(out.primitives.begin(), out.primitives.end(),
                   [](const Primitive& a, const Primitive& b) { return a.owner < b.owner; });
  for (const Primitive& p : out.primitives) out.vertices.insert(out.vertices.end(), p.corners.begin(), p.corners.end());
  sort_unique(out.vertices);
  for (Primitive& p : out.primitives) {
    for (Index& v : p.corners) {
      v = static_cast<Index>(std::lower_bound(out.vertices.begin(), out.vertices.end(), v) - out.vertices.begin());
    }
  }
  return out;
}

void write_vtu_file(const std::string& path, const System& system, const State& state, const Offenders& offenders) {
  constexpr std::uint8_t vtk_line = 3;
  Points x(3, static_cast<Eigen::Index>(offenders.vertices.size()));
  std::vector<Index> vertex_ids, connectivity, offsets, owners;
  std::vector<std::uint8_t> types;
  for (std::size_t i = 0; i < offenders.vertices.size(); ++i) {
    x.col(static_cast<Eigen::Index>(i)) = state.x.col(offenders.vertices[i]);
    vertex_ids.push_back(own_number(system, offenders.vertices[i]));
  }
  for (const Primitive& p : offenders.primitives) {
    connectivity.insert(connectivity.end(), p.corners.begin(), p.corners.end());
    offsets.push_back(static_cast<Index>(connectivity.size()));
    types.push_back(p.corners.size() == 2 ? vtk_line : vtk_triangle);
    owners.push_back(p.owner);
  }
  VtuFile file;
  file.point_count = static_cast<Index>(x.cols());
  file.cell_count = static_cast<Index>(types.size());
  file.points = vtk_array("Points", x);
  file.connectivity = vtk_array("connectivity", 1, std::span<const Index>(connectivity));
  file.offsets = vtk_array("offsets", 1, std::span<const Index>(offsets));
  file.types = vtk_array("types", 1, std::span<const std::uint8_t>(types));
  file.point_data.push_back(vtk_array("vertex_id", 1, std::span<const Index>(vertex_ids)));
  file.cell_data.push_back(vtk_array("owner_id", 1, std::span<const Index>(owners)));
  write_vtu(path, file);
}

std::string obj_text(const System& system, const State& state, const Offenders& offenders) {
  std::string text = "# initial intersections: triangles and edges of each body and obstacle\n";
  for (const Index v : offenders.vertices) {
    const auto p = state.x.col(v);
    text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", p[0], p[1], p[2]);
  }
  Index owner = -1;
  for (const Primitive& p : offenders.primitives) {
    if (p.owner != owner) {
      owner = p.owner;
      std::string name = system.collision.owner_names[owner];
      std::replace_if(
          name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
      text += fmt::format("o {}\n", name);
    }
    text += p.corners.size() == 2 ? "l" : "f";
    for (const Index v : p.corners) text += fmt::format(" {}", v + 1);
    text += "\n";
  }
  return text;
}

std::string ply_text(const System& system, const State& state, const Offenders& offenders) {
  const auto is_edge = [](const Primitive& p) { return p.corners.size() == 2; };
  const auto edges = std::count_if(offenders.primitives.begin(), offenders.primitives.end(), is_edge);
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\ncomment initial intersections: triangles and edges\nelement vertex {}\n"
      "property double x\nproperty double y\nproperty double z\nproperty int owner_id\nproperty int vertex_id\n"
      "element face {}\nproperty list uchar int vertex_indices\nelement edge {}\nproperty int vertex1\n"
      "property int vertex2\nend_header\n",
      offenders.vertices.size(), offenders.primitives.size() - static_cast<std::size_t>(edges), edges);
  for (const Index v : offenders.vertices) {
    const auto p = state.x.col(v);
    text += fmt::format("{:.17g} {:.17g} {:.17g} {} {}\n", p[0], p[1], p[2], system.collision.vertex_owner[v],
                        own_number(system, v));
  }
  for (const bool wanted : {false, true}) {
    for (const Primitive& p : offenders.primitives) {
      if (is_edge(p) != wanted) continue;
      if (!wanted) text += "3 ";
      for (std::size_t k = 0; k < p.corners.size(); ++k) text += fmt::format("{}{}", k ? " " : "", p.corners[k]);
      text += "\n";
    }
  }
  return text;
}

}  // namespace

void check_intersection_path(const std::string& path) {
  const std::vector<std::string> known{".vtu", ".obj", ".ply"};
  const std::string extension = std::filesystem::path(path).extension().string();
  if (std::find(known.begin(), known.end(), extension) == known.end()) {
    fail_input(code::usage, "--intersections: found \"{}\", expected a file name that ends in one of {}", path,
               quoted_list(known));
  }
  require_folder_of(path);
}

std::size_t write_intersections(const std::string& path, const System& system, const State& state) {
  const Offenders offenders = find_offenders(system, state);
  if (offenders.primitives.empty()) return 0;
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".vtu") {
    write_vtu_file(path, system, state, offenders);
  } else {
    write_file_atomically(
        path, extension == ".obj" ? obj_text(system, state, offenders) : ply_text(system, state, offenders));
  }
  return offenders.primitives.size();
}

}  // namespace sinew::app

#include "surface_input.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "surface_edges.h"

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/formats/read.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

// Beyond this many diagonals from the origin the coordinates are too coarse for the surface's shape.
constexpr double farthest = 1e8;

bool usable(const Points& vertices, const Triangles& triangles, Eigen::Index f) {
  for (int k = 0; k < 3; ++k) {
    const Index v = triangles(k, f);
    if (v < 0 || v >= vertices.cols() || !vertices.col(v).allFinite()) return false;
  }
  return true;
}

// Keeps the triangles for which `keep(f)` holds; returns how many did not.
template <class Keep>
Eigen::Index filter(Triangles& triangles, Keep&& keep) {
  Eigen::Index kept = 0;
  const Eigen::Index all = triangles.cols();
  for (Eigen::Index f = 0; f < all; ++f) {
    if (keep(f)) triangles.col(kept++) = triangles.col(f).eval();
  }
  triangles.conservativeResize(3, kept);
  return all - kept;
}

void remove_unusable(TriMesh& mesh, const std::string& path, bool broken) {
  Index first = -1;
  const Eigen::Index all = mesh.triangles.cols();
  const Eigen::Index removed = filter(mesh.triangles, [&](Eigen::Index f) {
    const bool good = usable(mesh.vertices, mesh.triangles, f);
    if (!good && first < 0) first = static_cast<Index>(f);
    return good;
  });
  if (removed == 0) return;
  if (!broken) {
    fail_input(code::mesh_finite,
               "{}: {} of {} triangles have non-finite coordinates or vertex numbers out of range, first triangle {} "
               "(counted from 0). Export the surface again, or use --robust, which removes them and closes the holes",
               path, removed, all, first);
  }
  log::warning("{}: left out {} of {} triangles without finite coordinates", path, removed, all);
}

// Vertices in the same place become one; vertices in no triangle go.
void weld(TriMesh& mesh) {
  const auto at = [&](Index v) { return mesh.vertices.data() + 3 * static_cast<std::ptrdiff_t>(v); };
  std::vector<Index> order = used_vertices(mesh.triangles);
  const auto less = [&](Index v, Index w) { return std::lexicographical_compare(at(v), at(v) + 3, at(w), at(w) + 3); };
  std::stable_sort(order.begin(), order.end(), less);
  std::vector<Index> first(static_cast<std::size_t>(mesh.vertices.cols()), -1);  // of those in its place
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && !less(order[i - 1], order[i]);
    first[static_cast<std::size_t>(order[i])] = same ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  for (Eigen::Index i = 0; i < mesh.triangles.size(); ++i) {
    Index& v = mesh.triangles.data()[i];
    v = first[static_cast<std::size_t>(v)];
  }
}

std::array<Index, 3> sorted_corners(const Triangles& triangles, Eigen::Index f) {
  std::array<Index, 3> v = {triangles(0, f), triangles(1, f), triangles(2, f)};
  std::sort(v.begin(), v.end());
  return v;
}

bool odd(const Triangles& triangles, Eigen::Index f) {
  const Index a = triangles(0, f), b = triangles(1, f), c = triangles(2, f);
  return ((a > b) + (b > c) + (a > c)) % 2 == 1;
}

// Triangles with a vertex twice cover nothing; of equal triangles that face the same way the first stays.
void remove_redundant(TriMesh& mesh, const std::string& path) {
  const Eigen::Index collapsed = filter(mesh.triangles, [&](Eigen::Index f) {
    const auto v = sorted_corners(mesh.triangles, f);
    return v[0] != v[1] && v[1] != v[2];
  });
  if (collapsed > 0) log::warning("{}: {} triangles have a vertex twice and were left out", path, collapsed);
  std::set<std::pair<std::array<Index, 3>, bool>> seen;
  const Eigen::Index repeated = filter(mesh.triangles, [&](Eigen::Index f) {
    return seen.emplace(sorted_corners(mesh.triangles, f), odd(mesh.triangles, f)).second;
  });
  if (repeated > 0) log::warning("{}: {} triangles come more than once; one of each was kept", path, repeated);
}

// Fourth powers of lengths must be numbers.
constexpr double smallest = 1e-70, largest = 1e70;  // [m]

void check_extent(const TriMesh& mesh, const std::string& path) {
  const Eigen::AlignedBox3d box(mesh.vertices.rowwise().minCoeff(), mesh.vertices.rowwise().maxCoeff());
  const double diagonal = box.diagonal().norm();
  if (!(diagonal > smallest) || !(diagonal < largest)) {
    fail_input(code::surface_scale,
               "{}: the surface has a bounding box of diagonal {} m, expected one from {:g} to {:g} m", path, diagonal,
               smallest, largest);
  }
  const double away = box.center().norm() / diagonal;
  if (away > farthest) {
    fail_input(
        code::surface_scale,
        "{}: the surface is {:.3g} times its own size away from the origin, where numbers are too coarse to keep its "
        "shape; move it to the origin and export it again",
        path, away);
  }
}

TriMesh cleaned(TriMesh mesh, const std::string& path, bool broken) {
  remove_unusable(mesh, path, broken);
  weld(mesh);
  remove_redundant(mesh, path);
  if (mesh.triangles.cols() == 0)
    fail_input(code::mesh_empty, "{}: found no triangles with an area, expected a closed surface", path);
  mesh = compacted(mesh.vertices, mesh.triangles);
  check_extent(mesh, path);
  return mesh;
}

bool closed(const TriMesh& mesh) {
  const SurfaceEdges edges(mesh.triangles);
  return mesh.triangles.cols() > 0 &&
         std::all_of(edges.edges().begin(), edges.edges().end(), [](const auto& edge) { return edge.count == 2; });
}

// The groups of a surface file, when each is a closed surface by itself and they make up the file.
std::vector<InputSurface> closed_groups(const MeshFile& file, const std::string& path) {
  std::vector<InputSurface> surfaces;
  if (file.volume.tets.cols() > 0) return {};
  Eigen::Index triangles = 0;
  for (const ElementGroup& group : file.volume.groups) {
    if (group.dim != 2) continue;
    InputSurface surface{
        group.name.empty() ? std::to_string(group.id) : group.name, path, {file.volume.vertices, group.triangles}};
    triangles += group.triangles.cols();
    for (Eigen::Index f = 0; f < group.triangles.cols(); ++f) {
      if (!usable(surface.mesh.vertices, surface.mesh.triangles, f)) return {};
    }
    weld(surface.mesh);
    if (!closed(surface.mesh)) return {};
    surfaces.push_back(std::move(surface));
  }
  if (surfaces.size() < 2 || triangles != file.triangles.cols()) return {};
  return surfaces;
}

void make_unique(std::vector<InputSurface>& surfaces) {
  std::set<std::string> names;
  for (InputSurface& surface : surfaces) {
    const std::string name = surface.name;
    for (int number = 2; !names.insert(surface.name).second; ++number)
      surface.name = name + "_" + std::to_string(number);
  }
}

}  // namespace

std::vector<InputSurface> read_surfaces(const std::vector<std::string>& paths, bool broken) {
  std::vector<InputSurface> surfaces;
  for (const std::string& path : paths) {
    const MeshFile file = read_mesh_file(path);
    std::vector<InputSurface> found = closed_groups(file, path);
    if (found.empty()) found.push_back({std::filesystem::path(path).stem().string(), path, surface_of(file, path)});
    for (InputSurface& surface : found) {
      surface.mesh = cleaned(std::move(surface.mesh), path, broken);
      surfaces.push_back(std::move(surface));
    }
  }
  make_unique(surfaces);
  return surfaces;
}

}  // namespace sinew::mesher

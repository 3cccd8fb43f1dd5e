#include "surface_checks.h"

#include <algorithm>
#include <optional>

#include "complex_mesher.h"
#include "surface_edges.h"
#include "surface_join.h"
#include "surface_repair.h"
#include "winding_number.h"
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

constexpr const char* robust_remedy = "mend the surface, or mesh it with --robust";

struct EdgeFaults {
  Index boundary = 0, nonmanifold = 0, inconsistent = 0;
  Vec3 at_boundary, at_nonmanifold, at_inconsistent;  // the middle of the first
};

EdgeFaults edge_faults(const TriMesh& mesh) {
  EdgeFaults faults;
  const auto note = [&](Index& count, Vec3& at, const SurfaceEdges::Edge& edge) {
    if (count++ == 0) at = (mesh.vertices.col(edge.a) + mesh.vertices.col(edge.b)) / 2;
  };
  const SurfaceEdges edges(mesh.triangles);
  for (const SurfaceEdges::Edge& edge : edges.edges()) {
    const auto uses = edges.uses(edge);
    if (edge.count == 1) {
      note(faults.boundary, faults.at_boundary, edge);
    } else if (edge.count > 2) {
      note(faults.nonmanifold, faults.at_nonmanifold, edge);
    } else if (uses[0].forward == uses[1].forward) {
      note(faults.inconsistent, faults.at_inconsistent, edge);
    }
  }
  return faults;
}

void check_edges(const InputSurface& surface) {
  const EdgeFaults faults = edge_faults(surface.mesh);
  if (faults.boundary > 0) {
    InputSurface turned = surface;
    orient(turned);
    check_not_a_sheet(turned);
    fail_input(
        code::surface_open,
        "{}: the surface is open: {} edges belong to one triangle only, one of them at {}; expected a closed surface. "
        "Close its holes, or mesh it with --robust, which closes them",
        surface.path, faults.boundary, place(faults.at_boundary));
  }
  if (faults.nonmanifold > 0) {
    fail_input(
        code::surface_faults,
        "{}: {} edges belong to three or more triangles, one of them at {}; expected two triangles at each edge: {}",
        surface.path, faults.nonmanifold, place(faults.at_nonmanifold), robust_remedy);
  }
  if (faults.inconsistent > 0) {
    fail_input(code::surface_faults,
               "{}: the triangles are inconsistently oriented: {} edges lie between opposite orientations, one of them "
               "at {}: {}",
               surface.path, faults.inconsistent, place(faults.at_inconsistent), robust_remedy);
  }
}

void check_triangles(const InputSurface& surface) {
  const TriMesh& mesh = surface.mesh;
  Index flat = 0;
  Vec3 at = Vec3::Zero();
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    const Vec3 a = mesh.vertices.col(mesh.triangles(0, f)), b = mesh.vertices.col(mesh.triangles(1, f)),
               c = mesh.vertices.col(mesh.triangles(2, f));
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    if ((b - a).cross(c - a).norm() > 1e-12 * longest * longest) continue;
    if (flat++ == 0) at = (a + b + c) / 3;
  }
  if (flat > 0) {
    fail_input(code::surface_faults, "{}: {} triangles have zero area, one of them at {}: {}", surface.path, flat,
               place(at), robust_remedy);
  }
}

void check_volume(const InputSurface& surface) {
  const TriMesh& mesh = surface.mesh;
  const Vec3 origin = mesh.vertices.rowwise().mean();
  const double area = surface_area(mesh.vertices, mesh.triangles);
  const Parts parts = edge_parts(SurfaceEdges(mesh.triangles), mesh.triangles.cols());
  for (const std::vector<Index>& part : triangles_of(parts)) {
    const double volume = enclosed_volume(mesh.vertices, mesh.triangles, part, origin);
    if (std::abs(volume) > 1e-12 * std::pow(area, 1.5)) continue;
    fail_input(code::surface_empty,
               "{}: a closed part of {} triangles at {} encloses no volume; expected the surface of a solid. Remove it",
               surface.path, part.size(), place(mesh.vertices.col(mesh.triangles(0, part[0]))));
  }
}

void check_crossings(const std::vector<InputSurface>& surfaces) {
  constexpr std::size_t most = 1000;  // counted
  const JoinedSurfaces joined = join(surfaces);
  const auto crossings = find_intersections(joined.vertices, joined.triangles, most);
  if (crossings.empty()) return;
  const auto [f, g] = crossings.front();
  const InputSurface& one = surfaces[joined.owners[static_cast<std::size_t>(f)].front().surface];
  const InputSurface& other = surfaces[joined.owners[static_cast<std::size_t>(g)].front().surface];
  const Vec3 at = (joined.vertices.col(joined.triangles(0, f)) + joined.vertices.col(joined.triangles(1, f)) +
                   joined.vertices.col(joined.triangles(2, f))) /
                  3;
  const std::string count =
      crossings.size() < most ? fmt::format("{}", crossings.size()) : fmt::format("{} or more", most);
  if (&one == &other) {
    fail_input(code::surface_intersects,
               "{}: the surface intersects itself: {} pairs of triangles cross, one of them at {}: {}", one.path, count,
               place(at), robust_remedy);
  }
  fail_input(
      code::surface_intersects,
      "'{}' and '{}' intersect each other: {} pairs of triangles cross, one of them at {}. Surfaces may be apart, "
      "nested, or share whole triangles: move them, or use --robust, where the smaller one replaces part of the larger",
      one.name, other.name, count, place(at));
}

}  // namespace

std::string place(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

void check_surfaces(const std::vector<InputSurface>& surfaces) {
  for (const InputSurface& surface : surfaces) {
    check_edges(surface);
    check_triangles(surface);
    check_volume(surface);
  }
  check_crossings(surfaces);
}

void check_not_a_sheet(const InputSurface& surface) {
  constexpr double inside = 0.75;      // of a closed surface 1, of a flat sheet up to 1/2
  constexpr Eigen::Index most = 2000;  // samples
  const TriMesh& mesh = surface.mesh;
  const WindingNumber winding(mesh.vertices, mesh.triangles);
  const double diagonal = (mesh.vertices.rowwise().maxCoeff() - mesh.vertices.rowwise().minCoeff()).norm();
  const Eigen::Index step = std::max<Eigen::Index>(1, mesh.triangles.cols() / most);
  double largest = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); f += step) {
    const Vec3 normal = triangle_normal(mesh.vertices, mesh.triangles, f);
    if (normal.norm() == 0) continue;
    const Vec3 centre = (mesh.vertices.col(mesh.triangles(0, f)) + mesh.vertices.col(mesh.triangles(1, f)) +
                         mesh.vertices.col(mesh.triangles(2, f))) /
                        3;
    for (const double depth : {1e-4, 1e-2})
      largest = std::max(largest, std::abs(winding(centre - depth * diagonal * normal.normalized())));
    if (largest > inside) return;
  }
  fail_input(code::surface_empty,
             "{}: the surface is an open sheet that encloses nothing (its winding number reaches {:.2f}, a closed "
             "surface has 1). Give it a thickness (a solidify or shell tool), or use it as an obstacle",
             surface.path, largest);
}

}  // namespace sinew::mesher

#include "sinew/scene/interference.h"

#include <algorithm>

#include "sinew/contact/overlap.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// What contact acts on: of a body, or of an obstacle with a mesh. A cloth and a plane have no inside.
struct Surface {
  const Points* places = nullptr;
  Triangles faces{3, 0};
};

Surface surface_of(const BodySetup& body) {
  if (body.collision) return {&body.collision->vertices, body.collision->triangles};
  return {&body.mesh.vertices, body.mesh.is_cloth() ? Triangles(3, 0) : boundary_triangles(body.mesh.tets)};
}

// The surfaces of all bodies and obstacles, in the numbering of their meshes, one after the other.
CollisionMesh surfaces_of(const Setup& setup, Points& x) {
  std::vector<Surface> surfaces;
  for (const BodySetup& body : setup.bodies) surfaces.push_back(surface_of(body));
  for (const ObstacleSetup& obstacle : setup.obstacles)
    surfaces.push_back(obstacle.mesh ? Surface{&obstacle.mesh->vertices, obstacle.mesh->triangles} : Surface{});
  CollisionMesh mesh;
  mesh.owner_count = static_cast<Index>(surfaces.size());
  Eigen::Index vertices = 0, faces = 0;
  for (const Surface& surface : surfaces) {
    vertices += surface.places ? surface.places->cols() : 0;
    faces += surface.faces.cols();
  }
  x.resize(3, vertices);
  mesh.triangles.resize(3, faces);
  Index first = 0, next = 0;
  for (std::size_t owner = 0; owner < surfaces.size(); ++owner) {
    if (!surfaces[owner].places) continue;
    const Points& places = *surfaces[owner].places;
    x.middleCols(first, places.cols()) = places;
    mesh.vertex_owner.insert(mesh.vertex_owner.end(), static_cast<std::size_t>(places.cols()),
                             static_cast<Index>(owner));
    for (const Index v : used_vertices(surfaces[owner].faces)) mesh.vertices.push_back(first + v);
    for (const auto& corners : surfaces[owner].faces.colwise()) {
      mesh.triangles.col(next++) = corners.array() + first;
      for (int k = 0; k < 3; ++k)
        mesh.edge_rest_length2.push_back((places.col(corners[k]) - places.col(corners[(k + 1) % 3])).squaredNorm());
    }
    first += static_cast<Index>(places.cols());
  }
  return mesh;
}

// How far the surface of `owner` reaches behind the plane of another one [m]; 0 if that is no plane.
double depth_behind_plane(const Setup& setup, const CollisionMesh& mesh, const Points& x, Index owner, Index other) {
  const auto obstacle = static_cast<std::size_t>(other) - setup.bodies.size();
  if (other < static_cast<Index>(setup.bodies.size()) || !setup.obstacles[obstacle].plane) return 0;
  const PlaneSetup& plane = *setup.obstacles[obstacle].plane;
  double depth = 0;
  for (const Index v : mesh.vertices)
    if (mesh.vertex_owner[v] == owner) depth = std::max(depth, -plane.normal.dot(x.col(v) - plane.point));
  return depth;
}

}  // namespace

double smallest_interference(const Setup& setup) {
  Points x;
  CollisionMesh mesh = surfaces_of(setup, x);
  const auto bodies = static_cast<Index>(setup.bodies.size());
  for (Index a = 0; a < mesh.owner_count; ++a)
    for (Index b = 0; b < mesh.owner_count; ++b) mesh.may_touch.push_back(a < bodies || b < bodies);
  const auto owner = [&](const std::string& name) {
    const auto at = std::ranges::find(setup.bodies, name, &BodySetup::name);
    if (at != setup.bodies.end()) return static_cast<Index>(at - setup.bodies.begin());
    const auto obstacle = std::ranges::find(setup.obstacles, name, &ObstacleSetup::name);
    return obstacle == setup.obstacles.end() ? Index{-1}
                                             : bodies + static_cast<Index>(obstacle - setup.obstacles.begin());
  };
  for (const auto& pair : setup.contact.ignore) {
    const Index a = owner(pair[0]), b = owner(pair[1]);
    if (a < 0 || b < 0) continue;
    mesh.may_touch[static_cast<std::size_t>(a * mesh.owner_count + b)] = 0;
    mesh.may_touch[static_cast<std::size_t>(b * mesh.owner_count + a)] = 0;
  }
  std::vector<double> depths;
  for (const Overlap& overlap : find_overlaps(mesh, x)) depths.push_back(overlap.depth);
  for (const InterferenceSetup& pair : setup.contact.interferences) {
    const Index a = owner(pair.a), b = owner(pair.b);
    if (a >= 0 && b >= 0)
      depths.push_back(std::max(depth_behind_plane(setup, mesh, x, a, b), depth_behind_plane(setup, mesh, x, b, a)));
  }
  std::erase_if(depths, [](double depth) { return !(depth > 0); });
  return depths.empty() ? 0 : std::ranges::min(depths);
}

}  // namespace sinew

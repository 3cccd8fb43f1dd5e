#include "sinew/scene/interference.h"

#include <algorithm>

#include "sinew/contact/overlap.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// What contact acts on of a body; none of a cloth, which has no inside.
Triangles surface_of(const BodySetup& body) {
  if (body.collision) return body.collision->triangles;
  return body.mesh.is_cloth() ? Triangles(3, 0) : boundary_triangles(body.mesh.tets);
}

const Points& places_of(const BodySetup& body) {
  return body.collision ? body.collision->vertices : body.mesh.vertices;
}

// The surfaces of all bodies, in the numbering of their meshes, one after the other.
CollisionMesh surfaces_of(const Setup& setup, Points& x) {
  CollisionMesh mesh;
  mesh.owner_count = static_cast<Index>(setup.bodies.size());
  Eigen::Index vertices = 0, faces = 0;
  std::vector<Triangles> of_bodies;
  for (const BodySetup& body : setup.bodies) {
    of_bodies.push_back(surface_of(body));
    vertices += places_of(body).cols();
    faces += of_bodies.back().cols();
  }
  x.resize(3, vertices);
  mesh.triangles.resize(3, faces);
  Index first = 0, next = 0;
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const Points& places = places_of(setup.bodies[b]);
    x.middleCols(first, places.cols()) = places;
    mesh.vertex_owner.insert(mesh.vertex_owner.end(), static_cast<std::size_t>(places.cols()), static_cast<Index>(b));
    for (const Index v : used_vertices(of_bodies[b])) mesh.vertices.push_back(first + v);
    for (Eigen::Index f = 0; f < of_bodies[b].cols(); ++f) {
      const auto corners = of_bodies[b].col(f);
      mesh.triangles.col(next++) = corners.array() + first;
      for (int k = 0; k < 3; ++k)
        mesh.edge_rest_length2.push_back((places.col(corners[k]) - places.col(corners[(k + 1) % 3])).squaredNorm());
    }
    first += static_cast<Index>(places.cols());
  }
  return mesh;
}

}  // namespace

double smallest_interference(const Setup& setup) {
  Points x;
  CollisionMesh mesh = surfaces_of(setup, x);
  mesh.may_touch.assign(static_cast<std::size_t>(mesh.owner_count) * static_cast<std::size_t>(mesh.owner_count), 1);
  const auto owner = [&](const std::string& name) {
    const auto at = std::ranges::find(setup.bodies, name, &BodySetup::name);
    return at == setup.bodies.end() ? Index{-1} : static_cast<Index>(at - setup.bodies.begin());
  };
  for (const auto& pair : setup.contact.ignore) {
    const Index a = owner(pair[0]), b = owner(pair[1]);
    if (a < 0 || b < 0) continue;
    mesh.may_touch[static_cast<std::size_t>(a * mesh.owner_count + b)] = 0;
    mesh.may_touch[static_cast<std::size_t>(b * mesh.owner_count + a)] = 0;
  }
  double least = 0;
  for (const Overlap& overlap : find_overlaps(mesh, x))
    least = least > 0 ? std::min(least, overlap.depth) : overlap.depth;
  return least;
}

}  // namespace sinew

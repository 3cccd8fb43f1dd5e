#include "sinew/scene/nearest_points.h"

#include <limits>

#include "sinew/contact/surface_distance.h"

namespace sinew {

// A surface, or else vertices.
struct NearestPoints::Part {
  Index body = -1;
  const TetMesh* mesh = nullptr;
  std::vector<Index> vertices;
  CollisionMesh surface;  // a single owner
  std::unique_ptr<SurfaceDistance> distance;
};

NearestPoints::NearestPoints() = default;
NearestPoints::~NearestPoints() = default;

void NearestPoints::add(Index body, const TetMesh& mesh, const Triangles& faces) {
  auto part = std::make_unique<Part>();
  part->body = body;
  part->mesh = &mesh;
  CollisionMesh& surface = part->surface;
  surface.triangles = faces;
  surface.owner_count = 1;
  surface.vertex_owner.assign(static_cast<std::size_t>(mesh.vertex_count()), 0);
  for (Eigen::Index f = 0; f < faces.cols(); ++f)
    for (int k = 0; k < 3; ++k)
      surface.edge_rest_length2.push_back(
          (mesh.vertices.col(faces(k, f)) - mesh.vertices.col(faces((k + 1) % 3, f))).squaredNorm());
  part->distance = std::make_unique<SurfaceDistance>(surface);
  part->distance->update(mesh.vertices);
  parts_.push_back(std::move(part));
}

void NearestPoints::add(Index body, const TetMesh& mesh, const std::vector<Index>& vertices) {
  auto part = std::make_unique<Part>();
  part->body = body;
  part->mesh = &mesh;
  part->vertices = vertices;
  parts_.push_back(std::move(part));
}

SpringEnd NearestPoints::nearest(const Vec3& p) const {
  SpringEnd best;
  double smallest = std::numeric_limits<double>::infinity();  // [m]
  for (const auto& part : parts_) {
    if (part->distance) {
      const NearestPoint found = part->distance->nearest(0, part->mesh->vertices, p, smallest);
      const double distance = std::abs(found.distance);
      if (found.triangle < 0 || distance >= smallest) continue;
      smallest = distance;
      best = {part->body, {}, {}};
      for (int k = 0; k < 3; ++k) {
        if (found.weights[k] == 0) continue;
        best.vertices.push_back(part->surface.triangles(k, found.triangle));
        best.weights.push_back(found.weights[k]);
      }
      continue;
    }
    for (const Index v : part->vertices) {
      const double distance = (part->mesh->vertices.col(v) - p).norm();
      if (distance >= smallest) continue;
      smallest = distance;
      best = {part->body, {v}, {1.0}};
    }
  }
  return best;
}

}  // namespace sinew

// The edges of a triangle surface with the triangles at each, and the parts that they hold together.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew::mesher {

class SurfaceEdges {
 public:
  struct Use {
    Index triangle;
    bool forward;  // the triangle runs from the smaller vertex to the larger
  };
  struct Edge {
    Index a, b;  // vertices, a < b
    std::size_t first, count;
  };

  explicit SurfaceEdges(const Triangles& triangles);

  const std::vector<Edge>& edges() const { return edges_; }  // ascending
  std::span<const Use> uses(const Edge& edge) const { return std::span(uses_).subspan(edge.first, edge.count); }

 private:
  std::vector<Edge> edges_;
  std::vector<Use> uses_;  // ascending in the triangle
};

struct Parts {
  Index count = 0;
  std::vector<Index> of;  // one a triangle, counting from 0 in the order of each part's first triangle
};

// Triangles joined by edges that exactly two of them have.
Parts edge_parts(const SurfaceEdges& edges, Eigen::Index triangles);

// Area-weighted normal (length: twice the area), area and enclosed volume as seen from `origin`.
Vec3 triangle_normal(const Points& vertices, const Triangles& triangles, Eigen::Index f);
double enclosed_volume(const Points& vertices, const Triangles& triangles, std::span<const Index> which,
                       const Vec3& origin);
double surface_area(const Points& vertices, const Triangles& triangles);

// The triangles of each part.
std::vector<std::vector<Index>> triangles_of(const Parts& parts);

}  // namespace sinew::mesher

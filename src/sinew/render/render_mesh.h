// The triangles of a surface as they are drawn: smooth, except at creases. A vertex on a crease is drawn once for each
// smooth part around it. Creases are found at rest and stay, so that shading does not flicker as bodies deform.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class RenderMesh {
 public:
  // rest: positions of the vertices of `triangles`. Edges whose triangles differ by more than 45 degrees at rest are
  // creases, and so are edges of three or more triangles. kinds: by corner; corners of one vertex that differ in it are
  // drawn as vertices of their own, with one normal where there is no crease.
  RenderMesh(const Points& rest, const Triangles& triangles, const std::vector<Index>& kinds = {});

  Index triangle_count() const { return static_cast<Index>(corners_.cols()); }
  // 3 x f numbers of drawn vertices, in the order of the triangles given.
  const Triangles& corners() const { return corners_; }
  // By drawn vertex: the vertex.
  const std::vector<Index>& vertices() const { return vertices_; }
  // By drawn vertex: the kind of its corners; empty if none were given.
  const std::vector<Index>& kinds() const { return kinds_; }
  // Unit normals of drawn vertices, 3 x n: the sum of the normals of their triangles by area.
  Points normals(const Points& positions) const;

 private:
  Triangles corners_;
  std::vector<Index> vertices_, kinds_;
  std::vector<Index> smooth_;          // by drawn vertex: the first one with its normal
  std::vector<Index> begin_, around_;  // triangles around those: around_[begin_[v]] to [begin_[v + 1] - 1]
};

}  // namespace sinew

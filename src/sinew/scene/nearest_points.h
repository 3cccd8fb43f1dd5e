// The points of bodies' surfaces that are nearest to given points, in the rest state: the ends of springs.
#pragma once

#include <memory>
#include <vector>

#include "sinew/model/setup.h"

namespace sinew {

class NearestPoints {
 public:
  NearestPoints();
  ~NearestPoints();

  // Points on faces of a body, or the vertices of a selection that holds no face. `mesh` must outlive this.
  void add(Index body, const TetMesh& mesh, const Triangles& faces);
  void add(Index body, const TetMesh& mesh, const std::vector<Index>& vertices);

  bool empty() const { return parts_.empty(); }

  // The one that is nearest to p; of equally near ones the first that was added.
  SpringEnd nearest(const Vec3& p) const;

 private:
  struct Part;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace sinew

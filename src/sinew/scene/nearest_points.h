// Finds the points of bodies' surfaces nearest to given points, in the rest state: the ends of springs.
#pragma once

#include <memory>
#include <vector>

#include "sinew/model/setup.h"

namespace sinew {

class NearestPoints {
 public:
  NearestPoints();
  ~NearestPoints();

  // Adds points on faces of a body, or, if the selection has no face, its vertices. `mesh` must outlive this.
  void add(Index body, const TetMesh& mesh, const Triangles& faces);
  void add(Index body, const TetMesh& mesh, const std::vector<Index>& vertices);

  bool empty() const { return parts_.empty(); }

  // Returns the point nearest to p; of equally near points the one added first.
  SpringEnd nearest(const Vec3& p) const;

 private:
  struct Part;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace sinew

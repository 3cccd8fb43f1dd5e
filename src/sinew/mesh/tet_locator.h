// Finds the tet of a mesh that contains a point or is nearest to it.
#pragma once

#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

struct TetPoint {
  Index tet = -1;
  double distance = 0;                                // from the point to the tet [m]; 0 inside
  Eigen::Vector4d weights = Eigen::Vector4d::Zero();  // barycentric coordinates; outside some are negative
};

// A tree of boxes over the tets. The mesh must outlive the locator.
class TetLocator {
 public:
  TetLocator(const Points& vertices, const Tets& tets);

  // Returns the nearest tet; if several are equally near, the one with the smallest number.
  TetPoint nearest(const Vec3& p) const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    Index begin = 0, end = 0;  // range in order_
    Index right = -1;          // the left child is the next node; -1: a leaf
  };
  Index build(Index begin, Index end);
  double distance(Index tet, const Vec3& p) const;
  void search(Index node, const Vec3& p, TetPoint& best) const;

  const Points& vertices_;
  const Tets& tets_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
};

// Returns the barycentric coordinates of p in a tet.
Eigen::Vector4d barycentric(const Points& vertices, const Tets& tets, Index tet, const Vec3& p);

}  // namespace sinew

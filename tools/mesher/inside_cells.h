// Whether points are inside a triangle soup, for very many of them: the generalised winding number is evaluated once
// for a cell of an octree, and the other points of the cell differ from that by the triangles in between.
#pragma once

#include <cstddef>
#include <vector>

#include "surface_tree.h"
#include "winding_number.h"

#include "sinew/core/types.h"

namespace sinew::mesher {

// Away from the edges where the soup is open, the winding number is an integer plus a function that is harmonic across
// the triangles too. By the gradient estimate of harmonic functions that one cannot reach the half-way to the next
// integer in a cell if it is small at the centre and the edges are several radii away. Other points, those near holes,
// take the winding number itself.
class InsideCells {
 public:
  // No cell needs to be smaller than `least` [m] where the soup is open.
  InsideCells(const Points& vertices, const Triangles& triangles, double least);

  // Whether the winding number is above one half; outside of the box of the triangles nothing is. Makes cells as it
  // goes.
  bool operator()(const Vec3& p);

  std::size_t evaluations() const { return evaluations_; }  // of the winding number

 private:
  enum class Kind { fresh, split, plain, near };

  struct Cell {
    Vec3 centre;
    double half;  // of the side [m]
    Kind kind = Kind::fresh;
    int depth = 0;
    Index first = -1;  // of eight children
    int winding = 0;   // at the reference point, of a near cell
    std::vector<Index> triangles;
  };

  void open(std::size_t cell);
  void split(std::size_t cell);
  bool touches(Index triangle, const Vec3& centre, double half) const;
  bool far_from_open_edges(const Cell& cell) const;
  int crossings(const Vec3& from, const Vec3& to, const std::vector<Index>& triangles) const;
  double winding(const Vec3& p);
  Vec3 corner(Index triangle, int k) const { return vertices_.col(triangles_(k, triangle)); }

  Points vertices_;
  Triangles triangles_;
  Eigen::AlignedBox3d box_;
  Points normals_;  // not of unit length
  WindingNumber winding_;
  std::vector<SurfaceTree> open_edges_;  // one, of triangles (a, b, b), or none
  double least_;
  std::size_t evaluations_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace sinew::mesher

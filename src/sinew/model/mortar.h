// Computes weights that tie the vertices of one surface to those of another surface on which it lies; the meshes need
// not match. The weights are those of mortar elements with dual multipliers (Wohlmuth 2000, "A mortar finite element
// method using dual spaces for the Lagrange multiplier"; Popp, Gee, Wall 2009).
#pragma once

#include <vector>

#include "sinew/model/embedding.h"

namespace sinew {

struct MortarWeights {
  std::vector<Index> vertices;  // vertices of `faces`, ascending
  // Weights over vertices of `to`, with sum 1 up to rounding; empty: no face lies opposite.
  std::vector<Embedding::Row> rows;
  // Area of `faces` that belongs to each vertex, as far as faces lie opposite [m^2].
  std::vector<double> area;
  // Vertices of those faces of `to` that lie opposite, ascending.
  std::vector<Index> opposite;
  double gap = 0;  // largest distance between opposite faces [m]
  // Smallest distance between opposite faces [m], negative where they cross; 0: no faces lie opposite.
  double least_gap = 0;
};

// Two faces lie opposite if they face each other at a distance of at most half of their longest edge. The faces of both
// surfaces point outward; their vertices are columns of x (3 x n [m]).
MortarWeights mortar_weights(const Points& x, const Triangles& faces, const Triangles& to);

// Returns the distance of a point from the nearest of the faces [m].
double distance_to_faces(const Points& x, const Triangles& faces, const Vec3& point);

// Changes the weights as little as possible so that sum w = 1 and sum w x = point. Affine motions then move the point
// with the vertices. Returns false if the vertices admit no such weights.
bool make_affine_exact(const Points& x, const Vec3& point, Embedding::Row& row);

}  // namespace sinew

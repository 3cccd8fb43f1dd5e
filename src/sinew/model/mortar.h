// Weights that tie the vertices of one surface to those of another one on which it lies; the meshes need not match.
// They are those of mortar elements with dual multipliers (Wohlmuth 2000, "A mortar finite element method using dual
// spaces for the Lagrange multiplier"; Popp, Gee, Wall 2009).
#pragma once

#include <vector>

#include "sinew/model/embedding.h"

namespace sinew {

struct MortarWeights {
  std::vector<Index> vertices;       // of `faces`, ascending
  std::vector<Embedding::Row> rows;  // over vertices of `to`, of sum 1 but for rounding; empty: no face lies opposite
  std::vector<double> area;          // of `faces` that each vertex stands for, where a face lies opposite [m^2]
  std::vector<Index> opposite;       // vertices of the faces of `to` that lie opposite, ascending
  double gap = 0;                    // the largest distance between faces that lie opposite [m]
  double least_gap = 0;              // the smallest one [m], negative where they cross; 0: nothing lies opposite
};

// Faces lie opposite if they face each other at a distance of at most half of their longest edge. Both surfaces are
// outward; their vertices are columns of x.
MortarWeights mortar_weights(const Points& x, const Triangles& faces, const Triangles& to);

// The distance of a point from the nearest of some faces [m].
double distance_to_faces(const Points& x, const Triangles& faces, const Vec3& point);

// The least change of weights that makes sum w = 1 and sum w x = point, so that affine motions move the point along.
// False where the vertices leave no such weights.
bool make_affine_exact(const Points& x, const Vec3& point, Embedding::Row& row);

}  // namespace sinew

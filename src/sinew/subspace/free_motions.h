// Handles for the motions that fixed vertices leave free: rotation about a fixed line or point (theory, section 6).
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

// Edge-connected fixed vertices of one component, and the affine functions that vanish at these vertices.
struct FixedPiece {
  Index component = 0;
  std::vector<Index> vertices;  // ascending
  Vec3 center = Vec3::Zero();   // mean of the vertices [m]
  Points normals;  // 3 x 0 to 3, orthonormal: n . (X - center) vanishes at all vertices; one normal for a plane, two
                   // for a line, three for a point

  bool is_thin() const { return normals.cols() >= 2; }
};

// Returns the pieces in the order of components. label: vertices with different labels are in different pieces; empty:
// all labels are equal.
std::vector<FixedPiece> fixed_pieces(const Domain& domain, std::span<const Index> label = {});

// Returns the share of each piece of one component at some vertices: 1 at its own vertices, 0 at those of other pieces,
// with sum 1. Inverse squared distances (Shepard 1968) make the gradient of a share vanish at each piece, also at
// points and lines; harmonic functions do not.
MatX piece_shares(const Domain& domain, std::span<const FixedPiece> pieces, std::span<const Index> vertices);

// Makes up to three handles for each thin piece (line or point). Their weights are the affine functions of the piece
// times its share, and exactly zero at fixed vertices. Constants times these weights span the affine functions that
// vanish at all pieces. The handles therefore span all rigid motions, by any angle, that leave the fixed vertices in
// place. Components without a thin piece get no such handles.
HandleBasis free_motion_handles(const Domain& domain);

}  // namespace sinew

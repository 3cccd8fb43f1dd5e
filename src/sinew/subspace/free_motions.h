// Handles for the motions that fixed vertices leave free: a body held at a line turns about it, one held at a point
// turns about that (theory, section 6).
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

// Fixed vertices of one component that hang together by edges, and the affine functions that vanish there.
struct FixedPiece {
  Index component = 0;
  std::vector<Index> vertices;  // ascending
  Vec3 center = Vec3::Zero();   // their mean [m]
  Points normals;  // 3 x 0 to 3, orthonormal: n . (X - center) vanishes at all of them, one each of a plane, two of a
                   // line, three of a point

  bool is_thin() const { return normals.cols() >= 2; }
};

// In the order of components. label: vertices with different numbers are in different pieces; empty: all are alike.
std::vector<FixedPiece> fixed_pieces(const Domain& domain, std::span<const Index> label = {});

// The share of each piece of one component at vertices X: 1 at its own vertices, 0 at the others', adding up to 1. By
// inverse squares of distances (Shepard 1968), so that it is level at each piece, points and lines included: harmonic
// functions are not.
MatX piece_shares(const Domain& domain, std::span<const FixedPiece> pieces, std::span<const Index> vertices);

// Handles whose weights are the affine functions of thin pieces, lines and points, times the pieces' shares: up to
// three a piece. Weights are exactly zero at fixed vertices. The motions of a body without strain that leave its fixed
// vertices where they are, at any angle, are among those that the handles have: their weights alone, times the constant
// column, span the affine functions that vanish at all pieces. None of components that no thin piece holds.
HandleBasis free_motion_handles(const Domain& domain);

}  // namespace sinew

// Substructures: connected parts of bodies, each with its own modes (theory, section 9; Craig 2000, Barbic and Zhao
// 2011). A free substructure floats, that is, it has a frame (t, R) that moves with it:
//
//   x = t + R (X - c + U q).
//
// If prescribed vertices leave some rigid motions, such as a hinge, the frame has only these. Any other substructure
// has no frame: x = X + U q + U_D q_D with its prescribed motions q_D.
#pragma once

#include <array>
#include <vector>

#include "sinew/cubature/cubature.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/system.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct Substructure {
  std::vector<Index> vertices;  // numbers in the system, ascending
  VecX mass;                    // n: mass from the substructure's own tets [kg]
  MatX modes;                   // U, 3 n x r, interleaved, mass-orthonormal, zero where prescribed
  VecX quotients;               // u^T K u / u^T M u of each mode [1/s^2]
  bool floats = false;          // has a frame; modes are then orthogonal to rigid motions
  Vec3 center = Vec3::Zero();   // c: centre of mass, or a fixed point of its rotations [m]
  // 6 x k, orthonormal: shifts and rotations about c that prescribed coordinates leave; empty: all.
  MatX allowed;
  Index prescribed_motion = -1;  // motion (System::motions) that shifts its prescribed vertices; -1: they stay
  double mass_rate = 0;          // mass damping [1/s]
  MatX prescribed;               // U_D, 3 n x 4 motions. A vertex moves along axis a by its row 3 v + a times the four
                                 // numbers of each motion along that axis. Empty: nothing is prescribed.
  std::vector<Index> points;     // points in ReducedBasis::cubature, ascending
  MatX point_weights;            // modal cubature: points x r; empty: one weight for each point
  MatX poses, forces;            // r x T: poses and forces to which the weights were fitted
  // With warping (warping.h), elasticity is that at rest, and there are no points.
  MatX turns;                 // Psi, 3 n x r [rad/m]; empty: no warping
  MatX stiffness;             // U^T K U, r x r
  std::vector<Index> tets;    // numbers in the system, ascending
  double training_error = 0;  // EP, equation 12, over r; optimised cubature: |A w - b| / |b|

  Index vertex_count() const { return static_cast<Index>(vertices.size()); }
  bool is_pivoted() const { return allowed.size() > 0; }
  bool is_warped() const { return turns.size() > 0; }
  Index mode_count() const { return static_cast<Index>(modes.cols()); }
  // The number of unknowns: those of q, and six for the frame if it floats.
  Index freedom() const { return mode_count() + (floats ? 6 : 0); }
  // The local number of a vertex of the system; -1: the vertex is not in this substructure.
  Index local(Index vertex) const;
  const SystemBody& body(const System& system) const { return system.bodies[system.vertex_body[vertices[0]]]; }
};

// A spring of zero length at a vertex that two substructures share. Its stiffness is that of the softer substructure
// against a motion of only this vertex. A stiffer spring would block motions for which only one of the two
// substructures has modes.
struct InterfaceSpring {
  Index first = 0, second = 0;  // substructures
  Index vertex = 0;             // number in the system
  double stiffness = 0;         // [N/m]
};

// The prescribed axes of vertices, and the motion that each follows.
struct PrescribedAxes {
  std::array<std::vector<char>, 3> fixed;    // n flags for each axis
  std::array<std::vector<Index>, 3> motion;  // n for each axis, into System::motions; -1: not prescribed
};

// Makes a handle for each of `motions`, with the given centre [m] and radius [m], that follows the motion. The weight
// of motion m is harmonic in the stiffness-weighted Laplacian L (theory, section 5):
//
//   L_ff w_f = -L_fp w_p,   w_p = 1 at vertices that follow m, 0 at other prescribed ones.
//
// f: free vertices. p: prescribed vertices.
HandleBasis prescribed_handles(const Domain& domain, const std::vector<Index>& vertex_motion,
                               const std::vector<Index>& motions, const Vec3& center, double radius);

struct Substructures {
  std::vector<Substructure> parts;
  std::vector<InterfaceSpring> interface_springs;
  Cubature cubature;  // rule over all parts, with the weights for the energy
};

// Returns U^T K U, r x r.
MatX reduced_stiffness(const SymBlockMatrix& K, const MatX& modes);

// The largest number of substructures that make_substructures() makes: solver.domains, limited by the number of
// vertices of the bodies (partition.h).
Index planned_parts(const System& system);

// Makes one substructure for each connected body, or solver.domains substructures. Each has solver.handles modes, and
// points according to solver.cubature. Prescribed motions are as in prescribed_handles().
Substructures make_substructures(const System& system, const Domain& domain, const PrescribedAxes& axes,
                                 const std::vector<Index>& motions, const Vec3& center, double radius);

}  // namespace sinew

// Substructures: connected parts of bodies with modes of their own (Craig 2000; Barbic and Zhao 2011). One that nothing
// holds floats in a frame that turns and shifts with it,
//   x = t + R (X - c + U q),
// and so does one that turns or slides where it is held, with a frame that does only that. One that is held otherwise
// has x = X + U q + U_D q_D with what is prescribed of it, q_D (theory, section 9).
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
  std::vector<Index> vertices;   // of the system, ascending
  VecX mass;                     // n: of its own tets [kg]
  MatX modes;                    // U, 3 n x r, interleaved, orthonormal in the mass, zero where prescribed
  VecX quotients;                // u^T K u / u^T M u of each [1/s^2]
  bool floats = false;           // its modes are orthogonal to rigid motions then
  Vec3 center = Vec3::Zero();    // c, of mass, or where it turns about [m]
  MatX allowed;                  // 6 x k, orthonormal: shifts and turns about c that what is held leaves it; empty: all
  Index prescribed_motion = -1;  // that its prescribed vertices shift by, into System::motions; -1: they stay
  double mass_rate = 0;          // of damping [1/s]
  MatX prescribed;               // U_D, 3 n x 4 motions: a vertex moves along axis a by its row 3 v + a times the four
                                 // numbers of each motion along that axis; empty: nothing is prescribed
  std::vector<Index> points;     // of ReducedBasis::cubature, ascending
  MatX point_weights;            // points x r of modal cubature; empty: one weight a point
  MatX poses, forces;            // r x T: what they were fitted to
  // With warping (warping.h) elasticity is that at rest, and there are no points.
  MatX turns;                 // Psi, 3 n x r [rad/m]; empty: no warping
  MatX stiffness;             // U^T K U, r x r
  std::vector<Index> tets;    // of the system, ascending
  double training_error = 0;  // EP, equation 12, over r; of optimised cubature its |A w - b| / |b|

  Index vertex_count() const { return static_cast<Index>(vertices.size()); }
  bool is_pivoted() const { return allowed.size() > 0; }
  bool is_warped() const { return turns.size() > 0; }
  Index mode_count() const { return static_cast<Index>(modes.cols()); }
  // What a step finds of it: q, after a turn and a shift where it floats.
  Index freedom() const { return mode_count() + (floats ? 6 : 0); }
  // The number of a vertex of the system here; -1: it has none.
  Index local(Index vertex) const;
  const SystemBody& body(const System& system) const { return system.bodies[system.vertex_body[vertices[0]]]; }
};

// A vertex that two substructures share: a spring without length holds its two places together, as stiff as the softer
// of the two opposes a motion of the vertex alone. Stiffer ones would forbid what only one of the two has modes for.
struct InterfaceSpring {
  Index first = 0, second = 0;  // substructures
  Index vertex = 0;             // of the system
  double stiffness = 0;         // [N/m]
};

// What is prescribed: which axes of which vertices, and the motion that each follows.
struct PrescribedAxes {
  std::array<std::vector<char>, 3> fixed;    // n, by axis
  std::array<std::vector<Index>, 3> motion;  // n, into System::motions; -1: not prescribed
};

// Handles that follow prescribed motions, one of each of `motions`: the weight w_m of motion m is harmonic. With the
// stiffness-weighted Laplacian L (theory, section 5), f the free and p the prescribed vertices,
//   L_ff w_f = -L_fp w_p,   w_p = 1 at the vertices that follow m, 0 at the others.
// All have the given centre and radius.
HandleBasis prescribed_handles(const Domain& domain, const std::vector<Index>& vertex_motion,
                               const std::vector<Index>& motions, const Vec3& center, double radius);

struct Substructures {
  std::vector<Substructure> parts;
  std::vector<InterfaceSpring> interface_springs;
  Cubature cubature;  // of all parts; the weights of the energy
};

// U^T K U.
MatX reduced_stiffness(const SymBlockMatrix& K, const MatX& modes);

// How many make_substructures() makes at most: solver.domains, as far as the bodies have vertices for them
// (partition.h).
Index planned_parts(const System& system);

// One for each connected body, or as many as solver.domains asks for, with solver.handles modes each and what
// solver.cubature says. Motions are those that `motions` names, about a centre and with a radius.
Substructures make_substructures(const System& system, const Domain& domain, const PrescribedAxes& axes,
                                 const std::vector<Index>& motions, const Vec3& center, double radius);

}  // namespace sinew

// The basis of a reduced simulation: displacements u = U q + U_D q_D by handles, or dense modes of substructures. The
// weights of U vanish at prescribed vertices; the handles of U_D follow the prescribed motions (q_D, known at each
// time).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sinew/cubature/cubature.h"
#include "sinew/model/system.h"
#include "sinew/reduced/substructure.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Weights of the vertices for axes with equal prescribed vertices. U = W (x) I_3 if that holds for all axes.
struct AxisHandles {
  HandleBasis free;
  HandleBasis prescribed;  // of each of ReducedBasis::motions: harmonic, 1 at the vertices that follow it
};

struct ReducedBasis {
  std::array<int, 3> set{0, 0, 0};  // of each axis, into sets
  std::vector<AxisHandles> sets;    // 1 to 3 of handles
  std::vector<Index> motions;       // of the prescribed handles, into System::motions
  Cubature cubature;
  std::vector<double> eigenvalues;  // of the free handles of the first set [1/s^2]; empty unless they are eigenmodes
  // Dense modes in place of handles: sets are empty then.
  std::vector<Substructure> parts;
  std::vector<InterfaceSpring> interface_springs;
  std::vector<Index> point_part;          // of each point of the cubature, into parts
  Vec3 prescribed_center = Vec3::Zero();  // of what follows motions [m]
  double prescribed_radius = 1;
  double seconds = 0;  // of making or reading it
  bool cached = false;

  Index handle_count() const { return sets.empty() ? 0 : sets[0].free.handle_count(); }
  bool is_dense() const { return !parts.empty(); }
  // Whether each coordinate has its own weights; `cubature` then has those of the energy.
  bool has_mode_weights() const;
  // r: 12 a handle; or one a mode, and six for the frame of each substructure that floats.
  Index dof_count() const;
};

// Whether solver.subspace is a kind of modes (modes/mode_kinds.h) or a file of them.
bool is_dense_subspace(const std::string& subspace);

// Names of solver.subspace.
std::vector<std::string> subspace_kinds();

// The rules of solver.cubature for dense modes, or for handles.
std::vector<std::string> cubature_rules(bool dense);

// Handles, or modes, and points that a setup asks for, with "auto" settled.
Index reduced_handles(const System& system);
Index reduced_points(const System& system);
// Clusters of mass of warped modes (mass_clusters.h).
Index reduced_clusters(const System& system);

// Whether a rule of solver.cubature has as many points as are asked for.
bool has_given_points(const std::string& rule);

// Throws InputError if a setup asks for too much: more handles than a quarter of the free vertices along some axis,
// fewer points than handles, loads of full-space methods.
void check_reduced_setup(const System& system, double time);

// The cache file of the basis for the vertices that are prescribed at `time`; empty: none.
std::string reduced_basis_path(const System& system, double time);

// For the vertices that are prescribed at `time`. Kept in the user's cache folder if the system is large enough
// (least_cached_tets). Throws InputError as check_reduced_setup() does, and if a fitted rule has too few points.
std::shared_ptr<const ReducedBasis> make_reduced_basis(const System& system, double time);

}  // namespace sinew

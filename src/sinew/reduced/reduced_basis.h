// The basis of a reduced simulation: displacements u = U q + U_D q_D by handles, or by dense modes of substructures.
// The weights of U vanish at prescribed vertices. The handles of U_D follow the prescribed motions, so q_D is known at
// each time.
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

struct MeshSums;  // reduced/mesh_sums.h

// Handle weights of the vertices for axes with equal prescribed vertices. If all axes share one set, U = W (x) I_3.
struct AxisHandles {
  HandleBasis free;
  // One handle for each of ReducedBasis::motions: harmonic weights, 1 at the vertices that follow the motion.
  HandleBasis prescribed;
};

struct ReducedBasis {
  std::array<int, 3> set{0, 0, 0};  // by axis: index into sets
  std::vector<AxisHandles> sets;    // 1 to 3 sets of handles
  std::vector<Index> motions;       // motions of the prescribed handles, indices into System::motions
  Cubature cubature;
  std::vector<double> eigenvalues;  // by free handle of the first set [1/s^2]; only for eigenmodes
  // Dense modes replace handles; `sets` is then empty.
  std::vector<Substructure> parts;
  std::vector<InterfaceSpring> interface_springs;
  std::vector<Index> point_part;          // by point of the cubature: index into parts
  Vec3 prescribed_center = Vec3::Zero();  // centre of the vertices that follow motions [m]
  double prescribed_radius = 1;
  double seconds = 0;  // time to make or read it [s]
  bool cached = false;
  std::string identity;  // tells it from other bases (basis_identity.h)
  // Null, except in a cut system (packed/cut_model.h), which lacks most of the mesh.
  std::shared_ptr<const MeshSums> sums;

  Index handle_count() const { return sets.empty() ? 0 : sets[0].free.handle_count(); }
  bool is_dense() const { return !parts.empty(); }
  // Whether each coordinate has its own cubature weights. `cubature` then has the weights for the energy.
  bool has_mode_weights() const;
  // Returns the number r of coordinates: 12 for each handle, or one for each mode and six for the frame of each
  // floating substructure.
  Index dof_count() const;
};

// Whether solver.subspace is a kind of dense modes (modes/mode_kinds.h) or a file of modes.
bool is_dense_subspace(const std::string& subspace);

// The names that solver.subspace accepts.
std::vector<std::string> subspace_kinds();

// The rules that solver.cubature accepts, for dense modes or for handles.
std::vector<std::string> cubature_rules(bool dense);

// Numbers of handles (or modes) and of cubature points that a setup requests, with "auto" resolved.
Index reduced_handles(const System& system);
Index reduced_points(const System& system);
// Number of mass clusters for warped modes (mass_clusters.h).
Index reduced_clusters(const System& system);

// Whether the rule of solver.cubature lets the user choose the number of points.
bool has_given_points(const std::string& rule);

// Throws InputError if a setup is not possible, for example with more handles than a quarter of the free vertices along
// some axis, or fewer points than handles.
void check_reduced_setup(const System& system, double time);

// The cache file of the basis for the vertices that are prescribed at `time`; empty: it is not cached.
std::string reduced_basis_path(const System& system, double time);

// Makes the basis for the vertices that are prescribed at `time` [s]. It is kept in the user's cache folder if the
// system is large enough (least_cached_tets). Throws InputError like check_reduced_setup(), and if a fitted rule has
// too few points.
std::shared_ptr<const ReducedBasis> make_reduced_basis(const System& system, double time);

}  // namespace sinew

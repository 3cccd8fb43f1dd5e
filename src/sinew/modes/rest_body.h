// Connected bodies at rest: stiffness, mass and rigid motions, and solutions of K u = f (theory, section 9).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/model/system.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/submesh.h"

namespace sinew {

// A connected body with K [N/m] of its tets at rest and M [kg] lumped, over the vertices with a free coordinate.
// Vectors have 3 a vertex, interleaved; prescribed coordinates are zero in all of them. Parts that share no face, but
// edges or vertices that can move, are one body with hinges there.
class RestBody {
 public:
  const std::string& name() const { return name_; }                 // "body 'bar'", of the scene
  const std::vector<Index>& vertices() const { return vertices_; }  // of the system, ascending
  Index size() const { return static_cast<Index>(mass_.size()); }   // 3 a vertex
  Index free_count() const { return free_; }                        // coordinates that move
  const VecX& mass() const { return mass_; }                        // 3 a vertex [kg]
  bool is_fixed(Eigen::Index c) const { return fixed_[static_cast<std::size_t>(c)] != 0; }
  double stiffness() const { return stiffness_; }           // E / (rho r^2) of its softest material [1/s^2]
  const Points& rest() const { return rest_; }              // 3 x n [m]
  const std::vector<Index>& tets() const { return tets_; }  // of the system, ascending

  // The kernel of K: the motions that prescribed coordinates allow and that strain nothing, orthonormal in the mass.
  // Rigid motions of the whole, 3 n x (0 to 6), and of parts about hinges, if there are any.
  const MatX& rigid() const { return rigid_; }
  bool is_free() const { return is_free_; }  // nothing of it is prescribed
  // All six of them, zero at prescribed coordinates.
  MatX turns_and_shifts() const;

  void set_fixed_to_zero(MatX& vectors) const;
  // K u.
  MatX multiply(const MatX& u) const;
  // (K + shift M) x = b, by a factor that is made where the shift changes. shift > 0 where there are rigid motions.
  // Throws InputError where that is not positive definite to working precision.
  MatX solve_shifted(const MatX& b, double shift);
  // u = K^+ b: K u = b - M R R^T b and R^T M u = 0 with R the rigid motions, whose share of b moves the body as a
  // whole. As of the system bordered with M R (EP, equation 3, with the border that leaves inertia forces in balance);
  // solved without it: a load in balance leaves nothing to statically determinate supports.
  MatX solve(const MatX& b);

 private:
  friend std::vector<RestBody> rest_bodies(const System& system, const std::vector<char>& fixed);
  RestBody(const System& system, const Domain& domain, const Submesh& mesh, const std::vector<char>& fixed);
  void find_rigid(const Submesh& mesh, std::span<const Index> tet_part, const std::vector<char>& fixed);
  void choose_supports();
  void factor(const std::vector<char>& constrained, double shift);
  MatX solve_factored(MatX b, const std::vector<char>& constrained);

  std::string name_;
  bool is_free_ = true;
  std::vector<Index> vertices_;
  std::vector<Index> tets_;
  std::vector<char> fixed_;  // 3 a vertex
  Index free_ = 0;
  Points rest_;
  VecX mass_;
  Vec3 center_ = Vec3::Zero();  // of the whole body [m]
  double radius_ = 0;           // [m]
  double stiffness_ = 0;
  SymBlockMatrix K_, shifted_;
  MatX rigid_;
  std::vector<char> supports_;  // fixed_ and the supports
  std::unique_ptr<SparseCholesky> factor_;
  double factored_shift_ = -1;  // of what is factored; 0: with the supports
};

// K of all tets of a system [N/m], whatever is prescribed.
SymBlockMatrix stiffness_at_rest(const System& system);

// The connected bodies that have a free coordinate. fixed: 3 dynamic_count flags of coordinates that do not move.
// Throws InputError where a tet at rest resists some strain not at all or negatively, or a body has too many hinges.
std::vector<RestBody> rest_bodies(const System& system, const std::vector<char>& fixed);

}  // namespace sinew

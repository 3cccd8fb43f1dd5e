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

// A connected body with stiffness K [N/m] at rest and lumped mass M [kg] over the vertices with a free coordinate.
// Vectors have 3 entries for each vertex, interleaved, zero at prescribed coordinates. Parts that share only edges or
// vertices are one body with hinges there.
class RestBody {
 public:
  const std::string& name() const { return name_; }                 // "body 'bar'", as in the scene
  const std::vector<Index>& vertices() const { return vertices_; }  // numbers in the system, ascending
  Index size() const { return static_cast<Index>(mass_.size()); }   // 3 for each vertex
  Index free_count() const { return free_; }                        // number of coordinates that are not fixed
  const VecX& mass() const { return mass_; }                        // 3 for each vertex [kg]
  bool is_fixed(Eigen::Index c) const { return fixed_[static_cast<std::size_t>(c)] != 0; }
  double stiffness() const { return stiffness_; }           // E / (rho r^2) of the softest material [1/s^2]
  const Points& rest() const { return rest_; }              // 3 x n [m]
  const std::vector<Index>& tets() const { return tets_; }  // numbers in the system, ascending

  const SymBlockMatrix& matrix() const { return K_; }        // K of all coordinates, the prescribed ones too [N/m]
  const std::vector<char>& fixed() const { return fixed_; }  // 3 flags for each vertex

  // The kernel of K, orthonormal in the mass: the allowed motions without strain. It has 3 n rows. It contains 0 to 6
  // rigid motions of the body, and motions of parts about hinges.
  const MatX& rigid() const { return rigid_; }
  bool is_free() const { return is_free_; }  // has no prescribed coordinate
  // All six rigid motions, zero at prescribed coordinates.
  MatX turns_and_shifts() const;

  void set_fixed_to_zero(MatX& vectors) const;
  // Returns K u.
  MatX multiply(const MatX& u) const;
  // Solves (K + shift M) x = b. Factors the matrix if the shift has changed. Bodies with rigid motions need shift > 0.
  // Throws InputError if the matrix is not positive definite to working precision.
  MatX solve_shifted(const MatX& b, double shift);
  // Returns u = K^+ b, that is, K u = b - M R R^T b and R^T M u = 0 with the rigid motions R. This equals the system
  // bordered with M R (EP, equation 3, with a border that balances inertia forces). The system is solved with
  // statically determinate supports, on which a balanced load exerts no force.
  MatX solve(const MatX& b);
  std::size_t factor_bytes() const { return factor_ ? factor_->report().memory_bytes : 0; }

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
  std::vector<char> fixed_;  // 3 flags for each vertex
  Index free_ = 0;
  Points rest_;
  VecX mass_;
  Vec3 center_ = Vec3::Zero();  // centre of the whole body [m]
  double radius_ = 0;           // [m]
  double stiffness_ = 0;
  SymBlockMatrix K_, shifted_;
  MatX rigid_;
  std::vector<char> supports_;  // flags fixed_, and those of the supports
  std::unique_ptr<SparseCholesky> factor_;
  double factored_shift_ = -1;  // shift of the current factor; 0: with the supports
};

// Returns K [N/m] of all tets of a system, regardless of prescribed coordinates.
SymBlockMatrix stiffness_at_rest(const System& system);

// Returns the connected bodies with a free coordinate. fixed: 3 dynamic_count flags of coordinates that do not move.
// Throws InputError if a tet at rest has a strain without positive stiffness, or a body has too many hinges.
std::vector<RestBody> rest_bodies(const System& system, const std::vector<char>& fixed);

}  // namespace sinew

// The equations M u'' + C u' + K u = f of small motions u about a state, linearised exactly (theory, section 11).
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/perturbation/static_potential.h"

namespace sinew {

// Vectors have 3 dynamic_count rows, interleaved. K, C and M are those of the coordinates with equations: tied vertices
// have zero rows and columns, and their masses count where they follow. K and C hold prescribed coordinates too.
class Tangent {
 public:
  // Linearises at `state`, whose loads are those at state.time. Warns if its forces do not balance.
  Tangent(const System& system, const State& state, ContactTangent contact);

  const System& system() const { return *system_; }
  const std::shared_ptr<const System>& shared_system() const { return system_; }
  const State& state() const { return state_; }
  StaticPotential& potential() { return *potential_; }

  Index rows() const { return 3 * system_->dynamic_count; }
  Index free_count() const { return free_; }
  const SymBlockMatrix& stiffness() const { return K_; }  // [N/m]
  // Rayleigh damping of the bodies, zeta M + xi K with the elastic K at the state [N s/m].
  SymBlockMatrix damping();
  // 3 flags for each vertex: coordinates that are prescribed or tied.
  const std::vector<char>& fixed() const { return potential_->context().prescribed; }
  // The largest unbalanced force over the largest force of a term on a vertex.
  double imbalance() const { return imbalance_; }

  void set_fixed_to_zero(MatX& vectors) const;
  // A u and M u. Rows of prescribed coordinates are the forces there.
  static MatX multiply(const SymBlockMatrix& A, const MatX& u);
  MatX multiply_mass(const MatX& u) const;
  // The entries of M as blocks [kg]. They are diagonal, except for vertices that tied ones follow.
  SymBlockMatrix mass() const;

  // Factors A without the fixed coordinates. Returns null if that is not positive definite.
  std::unique_ptr<SparseCholesky> factor(SymBlockMatrix& A) const;
  // x = A^-1 b at the free coordinates; zero at fixed ones.
  MatX solve(SparseCholesky& factor, MatX b) const;

  // Moves tied vertices along with those that they follow.
  void place_tied(MatX& vectors) const;

 private:
  const Embedding* ties() const { return potential_->context().ties.get(); }

  State state_;
  std::shared_ptr<const System> system_;
  std::unique_ptr<StaticPotential> potential_;
  SymBlockMatrix K_;
  Index free_ = 0;
  double imbalance_ = 0;
};

}  // namespace sinew

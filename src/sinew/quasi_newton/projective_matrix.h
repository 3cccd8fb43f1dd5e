// The constant matrix of Projective Dynamics and of quasi-Newton methods: A = M + a h^2 L, one n x n matrix for all
// axes (Liu, Bouaziz, Kavan 2017, section 4; theory, section 7).
#pragma once

#include <array>
#include <vector>

#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// L = sum_e V_e G_e^T (k_e I + k_a a_e a_e^T) G_e + springs, with k_e of effective_stiffness(), fibers k_a along
// a, and all springs, on edges too, with their k as if they were of length zero; damping enters M, k_e and k. Contacts
// do not. Pulls come in by rank-one updates of the inverse, without a new factor.
class ProjectiveMatrix {
 public:
  // [low, high]: the stretches over which stiffnesses are fitted.
  ProjectiveMatrix(const System& system, double low, double high);

  // Stiffnesses are found anew by the next update().
  void forget_materials() { stiffness_known_ = false; }

  // For the masses, a h^2, prescribed coordinates and springs of a step. Factors anew where one of them has changed.
  // False when A is not positive definite: in statics a body that nothing holds.
  bool update(const StepContext& context);

  // x = A^{-1} b at the free coordinates, zero at the prescribed ones; 3 x dynamic_count.
  void solve(const Points& b, Points& x);
  // b -= A d, where d (3 x dynamic_count or more) is zero at free coordinates.
  void subtract_prescribed(const Points& d, Points& b) const;

  // a h^2 V_e k_e of each tet, of the last factor.
  const std::vector<double>& weights() const { return weights_; }

  int factorizations() const { return factorizations_; }
  double factor_seconds() const { return factor_seconds_; }
  std::size_t memory_bytes() const;

 private:
  struct Factor {  // of the axes whose prescribed coordinates are the same
    std::vector<int> axes;
    std::vector<char> fixed;
    ScalarCholesky cholesky{true};
  };
  // What A is made of, beside the materials.
  struct Key {
    double scale = 0, reference_step = 0;
    bool inertia = false;
    std::vector<char> fixed;
    std::vector<double> springs;  // stiffness of those that hold, of the scene

    bool operator==(const Key&) const = default;
  };

  void find_stiffness();
  void assemble(const StepContext& context);
  void condense();
  bool factor();
  bool holds_every_piece(const std::vector<char>& fixed) const;
  void update_pulls(const StepContext& context);
  template <class Visit>
  void for_each_followed(Index vertex, Visit&& visit) const;
  Vec3 place_of(const Points& x, Index vertex) const;
  void solve_without_pulls(const Points& b, Points& x);

  const System& system_;
  double low_, high_;
  std::vector<double> volume_, stiffness_;  // a tet [m^3], [Pa]; 0 where springs hold it
  bool stiffness_known_ = false;
  std::vector<double> weights_;
  Key key_;
  std::shared_ptr<const Embedding> ties_;  // of A: the tied vertices of the step; null: none
  SparseMatrix A_;
  std::vector<Factor> factors_;
  bool positive_ = false;
  // (A + E D E^T)^{-1} = A^{-1} - Z (D^{-1} + E^T Z)^{-1} Z^T, Z = A^{-1} E (Woodbury), axis by axis.
  std::vector<std::pair<Index, double>> pulls_;  // vertex and a h^2 k
  std::vector<Points> columns_;                  // Z
  std::array<Eigen::LLT<Eigen::MatrixXd>, 3> small_;
  Points work_;
  int factorizations_ = 0;
  double factor_seconds_ = 0;
};

}  // namespace sinew

// The constant matrix of Projective Dynamics, A = M + a h^2 L, one n x n matrix for all axes (Liu, Bouaziz, Kavan 2017,
// section 4; theory, section 7).
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/core/preparation.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// A with its factors. Steps that agree in the key have the same A, if their materials agree.
struct ProjectiveConstant {
  struct Part {  // for axes with the same prescribed coordinates
    std::vector<int> axes;
    std::vector<char> fixed;
    ScalarCholesky cholesky{true};
  };
  // The quantities that A depends on, except the materials.
  struct Key {
    double scale = 0, reference_step = 0;
    bool inertia = false;
    std::vector<char> fixed;
    std::vector<double> springs;  // stiffness of the scene's springs that hold

    bool operator==(const Key&) const = default;
  };

  Key key;
  std::vector<double> stiffness;          // k_e by tet [Pa]; 0 if springs hold it
  std::vector<double> weights;            // a h^2 V_e k_e by tet
  std::shared_ptr<const Embedding> ties;  // tied vertices of the step, as A has them; null: none
  SparseMatrix A;
  std::vector<Part> parts;
  bool positive = false;
};

// L = sum_e V_e G_e^T (k_e I + k_a a_e a_e^T) G_e + springs, where k_e is from effective_stiffness() and k_a is the
// stiffness of fibers along a. All springs, also those on edges, enter with their stiffness and length zero. Damping
// enters M, k_e and k. Contacts do not enter. Pulls are rank-one updates of the inverse and need no new factor.
class ProjectiveMatrix {
 public:
  // [low, high]: the range of stretches over which stiffnesses are fitted. shared: where copies find A; null: nowhere.
  // The system must outlive this.
  ProjectiveMatrix(const System& system, double low, double high,
                   std::shared_ptr<Shared<ProjectiveConstant>> shared = {});

  // Makes the next update() compute the stiffnesses again, for changed materials, which copies do not share.
  void forget_materials();
  const std::shared_ptr<Shared<ProjectiveConstant>>& shared() const { return shared_; }

  // Sets A for the masses, a h^2, prescribed coordinates and springs of a step. Factors A again if one of these has
  // changed. Returns false if A is not positive definite: in statics, for a body that is neither fixed nor held by
  // springs.
  bool update(const StepContext& context);

  // x = A^{-1} b at the free coordinates, zero at the prescribed ones; 3 x dynamic_count.
  void solve(const Points& b, Points& x);
  // b -= A d, where d (3 x dynamic_count or more) must be zero at free coordinates.
  void subtract_prescribed(const Points& d, Points& b) const;

  // Returns a h^2 V_e k_e of each tet, as in the last factor.
  const std::vector<double>& weights() const { return constant_->weights; }

  int changes() const { return changes_; }  // how often A has become another one
  int factorizations() const { return factorizations_; }
  double factor_seconds() const { return factor_seconds_; }
  std::size_t memory_bytes() const;

 private:
  using Constant = ProjectiveConstant;
  std::vector<double> find_stiffness() const;
  void assemble(const StepContext& context, Constant& to) const;
  bool factor(Constant& of);
  void take(std::shared_ptr<const Constant> constant);
  void update_pulls(const StepContext& context);
  template <class Visit>
  void for_each_followed(Index vertex, Visit&& visit) const;
  Vec3 place_of(const Points& x, Index vertex) const;
  void solve_without_pulls(const Points& b, Points& x);

  const System& system_;
  double low_, high_;
  std::shared_ptr<Shared<Constant>> shared_;
  std::shared_ptr<const Constant> constant_;
  bool stiffness_known_ = false;
  std::vector<ScalarCholesky> factors_;  // those of constant_, with work space of their own
  // (A + E D E^T)^{-1} = A^{-1} - Z (D^{-1} + E^T Z)^{-1} Z^T, Z = A^{-1} E (Woodbury), axis by axis.
  std::vector<std::pair<Index, double>> pulls_;  // vertex, and a h^2 k
  std::vector<Points> columns_;                  // Z
  std::array<Eigen::LLT<Eigen::MatrixXd>, 3> small_;
  Points work_;
  int changes_ = 0, factorizations_ = 0;
  double factor_seconds_ = 0;
};

}  // namespace sinew

// The multilevel preconditioner: the levels of SMS, sections 3.2 and 3.7, as a preconditioner (theory, section 5).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/core/preparation.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/row_elimination.h"
#include "sinew/model/system.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/multilevel/renewal_policy.h"
#include "sinew/multilevel/subspace_level.h"

namespace sinew {

// The hierarchy of an error estimator, for a set of fixed vertices.
struct EstimatorLevels {
  std::vector<char> fixed_vertices;
  std::shared_ptr<const Hierarchy> hierarchy;
};

// With J the vertices in contact and R the other vertices, H is factored by blocks,
//
//   M^{-1} = [ I  -H_JJ^{-1} H_JR ]^T [ H_JJ^{-1}   ] [ I  -H_JJ^{-1} H_JR ]     B = D^{-1} + U A^{-1} U^T,
//            [ 0         I        ]   [           B ] [ 0         I        ]     A = U^T (H_bodies + C_soft) U,
//
// where D is the block diagonal of H and U a sparse material-aware basis with the affine motions of stiff pieces.
// H_bodies is H without contacts. C_soft has the contacts in series with springs as stiff as the bodies around them.
//
// U reduces smooth errors and D rough ones. Contacts need more. Their stiffness is far above that of the bodies, so D
// locks each vertex in contact, and conjugate gradients would need almost an iteration for each contact. The functions
// of U are as wide as a handle and violate contacts, so the full stiffness of contacts in A would act as glue. H_JJ, a
// few patches of surface, is cheap to factor, and its elimination is exact.
class MultilevelPreconditioner : public Preconditioner {
 public:
  // handles: for the basis, as in make_hierarchy(). prepared: what a copy takes over; empty: nothing. levels: where
  // hierarchies are looked for and offered; null: nowhere.
  explicit MultilevelPreconditioner(std::shared_ptr<const System> system, std::optional<int> handles = {},
                                    const Preparation& prepared = {},
                                    std::shared_ptr<Shared<EstimatorLevels>> levels = {});

  // Makes the basis again if the set of fixed vertices has changed. Forgets everything from earlier steps that affects
  // results.
  void begin_step(const NewtonStructure& step) override;

  bool sees_contacts() const override { return true; }
  bool sees_soft_motions() const override { return true; }
  NewtonParts parts(bool has_contacts) const override;
  // Returns false if H is not projected and A is indefinite. Contact rows that are not positive definite are not
  // eliminated.
  bool compute(const NewtonSystem& system) override;
  LevelWork level_work() const override { return work_; }

  void share(Preparation& prepared) const override;
  void apply(const double* r, double* z) const override;
  // Keeps A for later systems as long as it costs few additional iterations (RenewalPolicy).
  void solved(const LinearSolveReport& report, double decades) override;

 private:
  void build(std::span<const char> fixed);
  void make_level();
  bool renew(Renewal renewal, const NewtonSystem& system);

  std::shared_ptr<const System> system_;
  std::optional<int> wanted_handles_;
  std::shared_ptr<Shared<EstimatorLevels>> levels_;
  std::shared_ptr<const Hierarchy> hierarchy_;
  std::vector<char> fixed_vertices_;      // flags of the vertices that are fixed in the basis
  std::unique_ptr<SubspaceLevel> level_;  // U and A; null if there are no handles
  Index handles_ = 0;                     // number of handles of U
  BlockJacobi jacobi_;                    // D
  mutable RowElimination elimination_;    // eliminates J; solves in its own work space
  mutable std::vector<double> t_;         // work array, 3 rows
  RenewalPolicy policy_;
  Renewal renewal_ = Renewal::all;  // what the last compute() renewed of A
  LevelWork work_;
};

}  // namespace sinew

// The additive two-level preconditioner: M^{-1} = D^{-1} + U (U^T H U)^{-1} U^T. What is smooth goes by the subspace,
// what is rough by D: the block diagonal of H, and the whole of H among the vertices in contact.
#pragma once

#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/principal_factor.h"
#include "sinew/solver/subspace_level.h"

namespace sinew {

// A contact joins its vertices by a stiffness far above that of their bodies. A block diagonal holds each of them in
// place by that stiffness, so that to move them together takes conjugate gradients an iteration for nearly every one;
// the part of H among them, a handful of surface patches, is cheap to factor.
class TwoLevelPreconditioner : public Preconditioner {
 public:
  // The level must have taken in the same H, and outlive this; null: D alone.
  void set_level(SubspaceLevel* level) { level_ = level; }
  bool has_level() const { return level_ != nullptr; }

  // Rows that D takes together in the next compute(), ascending.
  void set_joined(std::vector<Index> rows) { joined_ = std::move(rows); }
  // Forgets what of earlier matrices influences later bits.
  void reset() { factor_.reset(); }

  // Rows whose part of H is not positive definite are taken one by one.
  void compute(const SymBlockMatrix& H) override {
    jacobi_.compute(H);
    factor_.compute(H, joined_);
  }
  void apply(const double* r, double* z) const override {
    apply_rough(r, z);
    if (level_) level_->add_correction(r, z);
  }
  // z = D^{-1} r
  void apply_rough(const double* r, double* z) const {
    jacobi_.apply(r, z);
    factor_.solve(r, z);
  }
  bool is_local() const override { return !level_ && joined_.empty(); }
  void apply_rows(const double* r, double* z, Index begin, Index end) const override {
    jacobi_.apply_rows(r, z, begin, end);
  }

 private:
  BlockJacobi jacobi_;
  mutable PrincipalFactor factor_;  // solves in its own work space
  std::vector<Index> joined_;
  SubspaceLevel* level_ = nullptr;
};

}  // namespace sinew

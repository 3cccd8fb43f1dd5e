// The additive two-level preconditioner: M^{-1} = D^{-1} + U (U^T H U)^{-1} U^T, D the block diagonal of H. What is
// smooth goes by the subspace, what is rough by D.
#pragma once

#include "sinew/linalg/jacobi.h"
#include "sinew/solver/subspace_level.h"

namespace sinew {

class TwoLevelPreconditioner : public Preconditioner {
 public:
  // The level must have taken in the same H, and outlive this; null: D alone.
  void set_level(SubspaceLevel* level) { level_ = level; }

  void compute(const SymBlockMatrix& H) override { jacobi_.compute(H); }
  void apply(const double* r, double* z) const override {
    jacobi_.apply(r, z);
    if (level_) level_->add_correction(r, z);
  }
  void apply_rough(const double* r, double* z) const { jacobi_.apply(r, z); }  // z = D^{-1} r
  bool is_local() const override { return !level_; }
  void apply_rows(const double* r, double* z, Index begin, Index end) const override {
    jacobi_.apply_rows(r, z, begin, end);
  }

 private:
  BlockJacobi jacobi_;
  SubspaceLevel* level_ = nullptr;
};

}  // namespace sinew

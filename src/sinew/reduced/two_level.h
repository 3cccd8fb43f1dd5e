// The two-level preconditioner: the rows of the vertices in contact are eliminated exactly, and the Schur complement of
// the others is preconditioned by D^{-1} + U A_0^{-1} U^T: what is smooth goes by the subspace, what is rough by the
// block diagonal of H.
#pragma once

#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/row_elimination.h"
#include "sinew/reduced/subspace_level.h"

namespace sinew {

// A contact joins its vertices by a stiffness far above that of their bodies. A block diagonal holds each of them in
// place by that stiffness, so that to move them together takes conjugate gradients an iteration for nearly every one;
// and functions that are as wide as handles cannot but violate contacts, so that a subspace feels them as glue. The
// part of H among them, a handful of surface patches, is cheap to factor.
class TwoLevelPreconditioner : public Preconditioner {
 public:
  // The level must have taken in the same H (or one with softer contacts), and outlive this; null: D alone.
  void set_level(SubspaceLevel* level) { level_ = level; }
  bool has_level() const { return level_ != nullptr; }

  // Rows that the next compute() eliminates, ascending.
  void set_joined(std::vector<Index> rows) { joined_ = std::move(rows); }
  // Forgets what of earlier matrices influences later bits.
  void reset() { elimination_.reset(); }

  // Rows whose part of H is not positive definite are not eliminated.
  void compute(const SymBlockMatrix& H) override {
    jacobi_.compute(H);
    elimination_.compute(H, joined_);
    t_.resize(3 * static_cast<std::size_t>(H.rows()));
  }
  void apply(const double* r, double* z) const override {
    const bool eliminate = !elimination_.empty();
    if (eliminate) elimination_.forward(r, t_.data());
    const double* rest = eliminate ? t_.data() : r;
    jacobi_.apply(rest, z);
    if (level_) level_->add_correction(rest, z);
    if (eliminate) elimination_.backward(r, z);
  }
  bool is_local() const override { return !level_ && elimination_.empty(); }
  void apply_rows(const double* r, double* z, Index begin, Index end) const override {
    jacobi_.apply_rows(r, z, begin, end);
  }

 private:
  BlockJacobi jacobi_;
  mutable RowElimination elimination_;  // solves in its own work space
  mutable std::vector<double> t_;
  std::vector<Index> joined_;
  SubspaceLevel* level_ = nullptr;
};

}  // namespace sinew

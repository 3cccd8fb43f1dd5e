// Cholesky factorisation of symmetric matrices of dense blocks, few of them off the diagonal: for systems of a few
// bodies, each with a block of unknowns.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/LU>

#include "sinew/core/types.h"

namespace sinew {

class BlockCholesky {
 public:
  explicit BlockCholesky(std::vector<Index> sizes);

  Index block_count() const { return static_cast<Index>(sizes_.size()); }
  Index begin(Index i) const { return begin_[i]; }  // first unknown of block i
  Index size() const { return begin_.back(); }

  // Block (i, j), i >= j; made of zeros if it does not exist yet. Only the lower triangle of a diagonal block is used.
  // A reference is valid until another block is made.
  MatX& block(Index i, Index j);
  const MatX& diagonal(Index i) const { return diagonal_[i]; }

  // Multiplies the first rows and columns of block row i by a symmetric projection P of the same size. In the
  // complement of P, the mean diagonal entry is added, so that solutions for right-hand sides in the range of P stay in
  // that range.
  void confine(Index i, const MatX& P);

  void set_zero();
  void keep_diagonal();  // removes the off-diagonal blocks

  // Factors A = P^T L L^T P with a minimum-degree order P. Returns false if A is not positive definite. The blocks stay
  // unchanged.
  bool factor();

  // y = A x
  void multiply(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> y) const;
  // x <- A^-1 x
  void solve(Eigen::Ref<VecX> x) const;
  // (x^T A^-1 x)^{1/2}
  double inverse_norm(Eigen::Ref<VecX> x) const;  // overwrites x with L^-1 P x

  // Factors the matrix with other diagonal blocks, which need not be symmetric: A = P^T L U P in the same order, with
  // pivoting within blocks. The factors of factor() stay valid.
  void factor_unsymmetric(const std::vector<MatX>& diagonal);
  void solve_unsymmetric(Eigen::Ref<VecX> x) const;

  // Returns the diagonal blocks with both triangles.
  void diagonal_blocks(std::vector<MatX>& blocks) const;

 private:
  struct Entry {
    Index row, column;  // row > column
    MatX block;
  };
  struct Below {
    Index row;              // block row of the matrix
    std::size_t factor;     // index into factors_
    bool transposed;        // the block of A is stored as (column, row)
    std::ptrdiff_t source;  // index into entries_; -1: fill-in
  };
  struct Update {
    std::size_t left, right;  // indices into factors_
    // factors_[target] -= left right^T; -1: the pivot of `row`.
    std::ptrdiff_t target;
    Index row;
  };
  struct Column {
    Index pivot;
    std::vector<Below> below;  // in elimination order
    std::vector<Update> updates;
  };
  void analyse();
  void load(std::vector<MatX>& factors, bool transposed) const;
  void solve_lower(Eigen::Ref<VecX> x) const;

  std::vector<Index> sizes_, begin_;
  std::vector<MatX> diagonal_;
  std::vector<Entry> entries_;
  std::vector<std::vector<std::pair<Index, std::size_t>>> of_row_;  // (column, index into entries_)
  bool analysed_ = false;
  std::vector<Column> columns_;         // in elimination order
  std::vector<MatX> pivots_, factors_;  // diagonal and other blocks of L
  std::vector<MatX> lower_, upper_;     // blocks L_ik, U_ki of an unsymmetric matrix, ordered like factors_
  std::vector<Eigen::PartialPivLU<MatX>> lu_;
};

}  // namespace sinew

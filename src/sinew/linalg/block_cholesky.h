// Symmetric matrices of dense blocks, few of them off the diagonal, and their Cholesky factors: systems of few bodies
// with some unknowns each.
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
  Index begin(Index i) const { return begin_[i]; }  // of the unknowns of a block
  Index size() const { return begin_.back(); }

  // Block (i, j), i >= j, of which only the lower triangle counts if i == j; made of zeros where there is none.
  // References hold until the next block is made.
  MatX& block(Index i, Index j);
  const MatX& diagonal(Index i) const { return diagonal_[i]; }

  // Multiplies the first rows and columns of block row i by a symmetric projection P of as many rows. The complement
  // gets the mean of the diagonal there, so that solutions for right-hand sides in the range of P stay in it.
  void confine(Index i, const MatX& P);

  void set_zero();
  void keep_diagonal();  // removes the blocks off the diagonal

  // A = P^T L L^T P with the order P of least degrees. false where A is not positive definite. The blocks stay.
  bool factor();

  // y = A x
  void multiply(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> y) const;
  // x <- A^-1 x
  void solve(Eigen::Ref<VecX> x) const;
  // (x^T A^-1 x)^{1/2}
  double inverse_norm(Eigen::Ref<VecX> x) const;  // leaves L^-1 P x in x

  // Factors the matrix with other diagonal blocks, which need not be symmetric: A = P^T L U P in the same order, with
  // pivots within blocks. The factors above stay.
  void factor_unsymmetric(const std::vector<MatX>& diagonal);
  void solve_unsymmetric(Eigen::Ref<VecX> x) const;

  // Diagonal blocks with both triangles.
  void diagonal_blocks(std::vector<MatX>& blocks) const;

 private:
  struct Entry {
    Index row, column;  // row > column
    MatX block;
  };
  struct Below {
    Index row;              // of the matrix
    std::size_t factor;     // into factors_
    bool transposed;        // whether the block of A is that of (column, row)
    std::ptrdiff_t source;  // into entries_; -1: fill
  };
  struct Update {
    std::size_t left, right;  // into factors_
    std::ptrdiff_t target;    // into factors_: less left right^T; -1: the pivot of `row`
    Index row;
  };
  struct Column {
    Index pivot;
    std::vector<Below> below;  // in the order of elimination
    std::vector<Update> updates;
  };
  void analyse();
  void load(std::vector<MatX>& factors, bool transposed) const;
  void solve_lower(Eigen::Ref<VecX> x) const;

  std::vector<Index> sizes_, begin_;
  std::vector<MatX> diagonal_;
  std::vector<Entry> entries_;
  std::vector<std::vector<std::pair<Index, std::size_t>>> of_row_;  // (column, into entries_)
  bool analysed_ = false;
  std::vector<Column> columns_;         // in the order of elimination
  std::vector<MatX> pivots_, factors_;  // of L
  std::vector<MatX> lower_, upper_;     // of an unsymmetric matrix: L_ik, U_ki in the places of factors_
  std::vector<Eigen::PartialPivLU<MatX>> lu_;
};

}  // namespace sinew

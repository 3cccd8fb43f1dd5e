// How the coordinates y of a space move places: the displacement of a vertex along an axis is a row of numbers, which
// stands for the place, times a column of y. Where each axis has a column of its own, y of handles, all axes that are
// prescribed alike share their rows; of dense modes all axes share the one column of y, and each has rows of its own.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "sinew/core/types.h"

namespace sinew {

struct AxisRows {
  Index rows = 0, free = 0;            // of y, and of its unknowns, the first
  std::array<int, 3> column{0, 1, 2};  // of y, for each axis
  std::array<int, 3> set{0, 0, 0};     // axes with equal numbers have equal rows
  std::function<VecX(int axis, Index vertex)> row;

  bool shares_column() const { return column[0] == column[1]; }
  int columns() const { return shares_column() ? 1 : 3; }
  int sets() const { return 1 + std::max({set[0], set[1], set[2]}); }
  int axis_of_set(int s) const { return set[0] == s ? 0 : set[1] == s ? 1 : 2; }
};

// A Hessian by the unknowns, lower triangle, column of y slowest, to which terms add the blocks of pairs of axes.
class AxisHessian {
 public:
  explicit AxisHessian(const AxisRows& rows) : column_(rows.column), free_(rows.free), shared_(rows.shares_column()) {
    H_.setZero(rows.columns() * free_, rows.columns() * free_);
    if (shared_) cross_.setZero(free_, free_);
  }

  void set_zero() {
    H_.setZero();
    cross_.setZero();
  }

  // Where the derivative by the axes a >= b is added: all of it, of which only the lower triangle counts if a == b.
  Eigen::Block<MatX> block(int a, int b) {
    if (shared_ && a != b) return cross_.block(0, 0, free_, free_);
    return H_.block(column_[a] * free_, column_[b] * free_, free_, free_);
  }

  // The sum, after which blocks are to be set to zero.
  MatX& sum() {
    if (shared_) H_ += cross_ + cross_.transpose();
    return H_;
  }
  MatX& matrix() { return H_; }

 private:
  std::array<int, 3> column_;
  Index free_;
  bool shared_;  // axes share the column of y: off-diagonal blocks count with their transposes
  MatX H_, cross_;
};

}  // namespace sinew

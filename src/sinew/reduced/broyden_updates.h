// Computes directions from a factorisation of an earlier iterate by Broyden's good method. Its error-oriented form
// stores only directions (QNERR; Deuflhard 2011, *Newton Methods for Nonlinear Problems*, section 2.1.4).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class BroydenUpdates {
 public:
  // Allocates memory for directions of this size.
  void prepare(Index rows, Index columns) {
    scale_.setOnes(rows, columns);
    taken_.assign(most, scale_);
    square_.assign(most, 0);
    forget();
  }
  // Call after a new factorisation. Returns the weights scale_i of the inner product sum_i scale_i a_i b_i of
  // directions; the caller sets them.
  MatX& restart() {
    count_ = 0;
    factored_ = true;
    return scale_;
  }
  // Whether the factorisation may be used for another direction.
  bool is_usable() const { return count_ > 0 && count_ < most; }
  bool is_first() const { return count_ == 1; }  // whether the last direction came from the factorisation alone
  void forget() {
    count_ = 0;
    factored_ = false;
  }

  // Changes v = -J_0^-1 g at the current iterate, with the factored Jacobian J_0, to the direction of the updated
  // Jacobian. Returns false if directions shrink by less than half (Theta > 1/2); v then needs a new factorisation.
  bool improve(MatX& v) {
    for (int i = 1; i < count_; ++i) v += product(v, taken_[i - 1]) / square_[i - 1] * taken_[i];
    const MatX& last = taken_[count_ - 1];
    const double square = square_[count_ - 1], share = product(v, last) / square;
    if (!(product(v, v) <= 0.25 * square) || !(share < 0.5)) return false;
    v /= 1 - share;
    return true;
  }

  // Call if the direction d was taken in full.
  void took(const MatX& d) {
    if (!factored_ || count_ == most) return;
    taken_[count_] = d;
    square_[count_] = product(d, d);
    ++count_;
  }

 private:
  static constexpr int most = 10;
  double product(const MatX& a, const MatX& b) const { return scale_.cwiseProduct(a).cwiseProduct(b).sum(); }

  bool factored_ = false;
  int count_ = 0;
  MatX scale_;
  std::vector<MatX> taken_;
  std::vector<double> square_;
};

}  // namespace sinew

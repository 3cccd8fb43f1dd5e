// Pairs of steps and changes of the gradient, and the inverse Hessian that they make of a first guess: L-BFGS
// (Nocedal and Wright 2006, algorithm 7.4).
#pragma once

#include <functional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class SecantHistory {
 public:
  // Keeps the last `size` pairs; 0: none.
  explicit SecantHistory(int size) : size_(size) {}

  void clear() { count_ = 0; }
  int count() const { return count_; }

  // s = x_{i+1} - x_i and y = grad E(x_{i+1}) - grad E(x_i), both 3 x n. Pairs without positive curvature, s . y <= 0,
  // are left out: the inverse stays positive definite.
  void add(const Points& s, const Points& y);

  // r = B q, where B is the inverse by the pairs and `first` (r = B_0 q, which may work in place). q is overwritten.
  void apply(const std::function<void(const Points& q, Points& r)>& first, Points& q, Points& r);

  // s . y / y . y of the last pair: the inverse Hessian's scale; 0 without pairs.
  double scale() const;

 private:
  struct Pair {
    Points s, y;
    double rho = 0;  // 1 / (s . y)
  };
  Pair& pair(int k) { return pairs_[(first_ + k) % size_]; }  // 0: the oldest

  int size_, first_ = 0, count_ = 0;
  std::vector<Pair> pairs_;
  std::vector<double> alpha_;  // work
};

}  // namespace sinew

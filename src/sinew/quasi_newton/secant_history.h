// Secant pairs (steps and changes of the gradient), and the inverse Hessian that they make from an initial one: L-BFGS
// (Nocedal and Wright 2006, algorithm 7.4).
#pragma once

#include <functional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class SecantHistory {
 public:
  // Keeps the last `size` pairs; 0: keeps none.
  explicit SecantHistory(int size) : size_(size) {}

  void clear() { count_ = 0; }
  int count() const { return count_; }

  // Adds s = x_{i+1} - x_i and y = grad E(x_{i+1}) - grad E(x_i), both 3 x n. Pairs without positive curvature, s . y
  // <= 0, are ignored, so that the inverse stays positive definite.
  void add(const Points& s, const Points& y);

  // r = B q, where B is the inverse Hessian from the pairs and `first`, which computes r = B_0 q and may work in place.
  // Overwrites q.
  void apply(const std::function<void(const Points& q, Points& r)>& first, Points& q, Points& r);

  // s . y / y . y of the last pair, which is the scale of the inverse Hessian; 0 without pairs.
  double scale() const;

 private:
  struct Pair {
    Points s, y;
    double rho = 0;  // 1 / (s . y)
  };
  Pair& pair(int k) { return pairs_[(first_ + k) % size_]; }  // 0: the oldest pair

  int size_, first_ = 0, count_ = 0;
  std::vector<Pair> pairs_;
  std::vector<double> alpha_;  // work space
};

}  // namespace sinew

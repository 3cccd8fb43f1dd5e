// The interface of the terms of the incremental potential.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Whether Hessians are made positive semidefinite stencil by stencil.
enum class Projection { none, psd };

// One term of the potential, a function of all positions x (3 x n_all). Only the first dynamic_count vertices have
// equations: gradients are 3 x dynamic_count and Hessians have dynamic_count block rows.
class Energy {
 public:
  virtual ~Energy() = default;

  virtual std::string_view name() const = 0;

  // [J]; +infinity outside the domain.
  virtual double value(const Points& x) const = 0;

  // g += scale * gradient [N].
  virtual void add_gradient(const Points& x, double scale, Points& g) const = 0;

  // g += scale * gradient and H += scale * Hessian, in one pass. The pattern of H holds all of collect_pairs().
  virtual void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                               SymBlockMatrix& H) const = 0;

  // Appends the blocks (row <= column) off the diagonal that add_derivatives touches.
  virtual void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const = 0;
};

}  // namespace sinew

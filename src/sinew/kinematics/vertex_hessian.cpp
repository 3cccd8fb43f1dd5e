#include "sinew/kinematics/vertex_hessian.h"

#include <algorithm>

namespace sinew {

VertexHessian::VertexHessian(std::shared_ptr<const BlockPattern> pattern, const std::vector<char>& fixed)
    : fixed_(fixed), own_pattern_(std::move(pattern)), pattern_(own_pattern_), H_(own_pattern_) {
  cholesky_.prepare(own_pattern_);
}

// H(y) for y = all vertices: the sparse H of full space, of which each energy adds its blocks.
void VertexHessian::begin_blocks(const MatX&) {
  is_constrained_ = false;
  if (H_.shared_pattern() == pattern_)
    H_.set_zero();
  else
    H_.set_pattern(pattern_);  // zero as well
}

// H += A. Contacts add blocks that the pattern of the mesh lacks. The pattern only grows within a step: each growth
// costs a symbolic analysis, and few happen.
void VertexHessian::add(const SymBlockMatrix& A) {
  const BlockPattern& own = A.pattern();
  if (A.shared_pattern() != pattern_) {
    pairs_.clear();
    for (Index i = 0; i < own.rows; ++i)
      for (auto e = own.row_begin[i] + 1; e < own.row_begin[i + 1]; ++e) pairs_.emplace_back(i, own.columns[e]);
    if (!pattern_->contains(pairs_)) {
      pattern_ = extend_pattern(*pattern_, pairs_);
      const SymBlockMatrix before = std::move(H_);
      H_ = SymBlockMatrix(pattern_);
      H_.add(before);
    }
  }
  H_.add(A);
}

void VertexHessian::diagonal_of_blocks(MatX& D) {
  for (Index v = 0; v < H_.rows(); ++v)
    for (int k = 0; k < 3; ++k) D(v, k) = is_fixed(v, k) ? 0.0 : H_.block(H_.pattern().row_begin[v])[4 * k];
}

// Coordinates are rows of y (n x 3), vectors of full space columns (3 x n): hence the transposes.
void VertexHessian::multiply_blocks(const MatX& d, MatX& Hd) {
  constrain();
  rhs_ = d.transpose();
  solution_.resize(3, H_.rows());
  H_.multiply(rhs_.data(), solution_.data());
  Hd = solution_.transpose();
}

// Prescribed rows become those of a diagonal matrix with the largest diagonal entry of the others: pivots there are
// then neither tiny nor the largest.
void VertexHessian::constrain() {
  if (is_constrained_) return;
  is_constrained_ = true;
  const BlockPattern& pattern = H_.pattern();
  double largest = 0;
  for (Index v = 0; v < pattern.rows; ++v)
    for (int k = 0; k < 9; k += 4) largest = std::max(largest, H_.block(pattern.row_begin[v])[k]);
  H_.constrain(fixed_, largest > 0 ? largest : 1);
}

// Sparse Cholesky; false if H is not positive definite.
bool VertexHessian::factor_blocks() {
  constrain();
  return cholesky_.compute(H_);
}

// d = -H^{-1} g at free coordinates, 0 at prescribed ones.
void VertexHessian::solve_blocks(const MatX& g, MatX& d) {
  const Index n = H_.rows();
  rhs_.resize(3, n);
  solution_.setZero(3, n);
  for (Index v = 0; v < n; ++v)
    for (int k = 0; k < 3; ++k) rhs_(k, v) = is_fixed(v, k) ? 0.0 : -g(v, k);
  cholesky_.solve(rhs_.data(), solution_.data());
  d = solution_.transpose();
}

void VertexHessian::pull_back(const MatX& G, MatX& u) const {
  u = G;
  for (Index v = 0; v < u.rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (is_fixed(v, k)) u(v, k) = 0;
}

}  // namespace sinew

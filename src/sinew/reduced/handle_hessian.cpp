#include "sinew/reduced/handle_hessian.h"

#include "sinew/linalg/dense_kernels.h"
#include "sinew/linalg/packed_panel.h"

namespace sinew {

// Dense H of size r = 12 x handles, blocks by axes: rows a r/3 + i for coordinate i of axis a.
HandleHessian::HandleHessian(const AxisRows& rows) : free_(rows.free) {
  const Index size = 3 * free_;
  H_.setZero(size, size);
  solution_.resize(size);
  floor_.resize(size);
  strips_ = make_huge_array(kernel::PackedPanel::size(size, size));
}

void HandleHessian::begin_blocks(const MatX&) {
  H_.setZero();
}

// By axes, as y is.
void HandleHessian::diagonal_of_blocks(MatX& D) {
  D.setZero();
  for (int a = 0; a < 3; ++a) D.col(a).head(free_) = H_.diagonal().segment(a * free_, free_);
}

// Only the lower triangle of H is formed.
void HandleHessian::multiply_blocks(const MatX& d, MatX& Hd) {
  for (int a = 0; a < 3; ++a) floor_.segment(a * free_, free_) = d.col(a).head(free_);
  solution_.noalias() = H_.selfadjointView<Eigen::Lower>() * floor_;
  Hd.setZero();
  for (int a = 0; a < 3; ++a) Hd.col(a).head(free_) = solution_.segment(a * free_, free_);
}

// H = L L^T in place, r^3 / 3 flops. Linearly dependent columns of U give zero pivots: the diagonal is raised by
// 1e-13 of itself, about the rounding of H.
bool HandleHessian::factor_blocks() {
  constexpr double shift = 1e-13;
  const double least = 1e-300 + 1e-30 * H_.diagonal().maxCoeff();
  for (Index i = 0; i < H_.rows(); ++i) {
    H_(i, i) = H_(i, i) * (1 + shift) + least;
    floor_[i] = 1e-16 * H_(i, i);
  }
  const int size = static_cast<int>(H_.rows());
  return kernel::PackedPanel(H_.data(), size, size, strips_.get()).factor(floor_.data());
}

// d = -H^-1 g by the two triangular solves.
void HandleHessian::solve_blocks(const MatX& g, MatX& d) {
  const int size = static_cast<int>(H_.rows());
  for (int a = 0; a < 3; ++a) solution_.segment(a * free_, free_) = -g.col(a).head(free_);
  const kernel::Columns x{solution_.data(), size, 1};
  kernel::solve_lower(H_.data(), size, size, x);
  kernel::solve_lower_transposed(H_.data(), size, size, x);
  d.setZero();
  for (int a = 0; a < 3; ++a) d.col(a).head(free_) = solution_.segment(a * free_, free_);
}

void HandleHessian::pull_back(const MatX& G, MatX& u) const {
  u = G;
  u.bottomRows(u.rows() - free_).setZero();
}

}  // namespace sinew

#include "sinew/reduced/mode_hessian.h"

#include <algorithm>

namespace sinew {

ModeHessian::ModeHessian(const FrameCoordinates& coordinates) : frames_(coordinates), blocks_(coordinates.sizes()) {
  scales_.setOnes(frames_.unknowns());
}

// Dense blocks: one a part, one for each pair that an interface, a spring or contact joins.
void ModeHessian::begin_blocks(const MatX& y) {
  frames_.place(y, at_);
  blocks_.set_zero();
  is_symmetric_ = true;
  is_confined_ = false;
}

// Leaves out what a pivot does not allow.
void ModeHessian::confine() {
  if (!is_confined_) frames_.confine(blocks_);
  is_confined_ = true;
}

void ModeHessian::diagonal_of_blocks(MatX& D) {
  confine();
  for (Index p = 0; p < blocks_.block_count(); ++p)
    D.col(0).segment(blocks_.begin(p), frames_.sizes()[p]) = blocks_.block(p, p).diagonal();
}

void ModeHessian::multiply_blocks(const MatX& d, MatX& Hd) {
  confine();
  blocks_.multiply(d.col(0), Hd.col(0));
}

// The unsymmetric derivative of modal forces (EP, equation 11) fills the diagonal blocks; parts are then not coupled.
std::vector<MatX>& ModeHessian::jacobian() {
  confine();
  blocks_.diagonal_blocks(jacobian_);
  is_symmetric_ = false;
  return jacobian_;
}

// Cholesky by blocks, or LU of each block where it is not symmetric. The diagonal gives Broyden's updates a scale for
// each unknown, since shifts, turns and modes have different units.
bool ModeHessian::factor_blocks() {
  confine();
  for (Index p = 0; p < blocks_.block_count(); ++p)
    scales_.segment(blocks_.begin(p), frames_.sizes()[p]) =
        is_symmetric_ ? blocks_.block(p, p).diagonal() : jacobian_[p].diagonal();
  if (is_symmetric_) return blocks_.factor();
  blocks_.factor_unsymmetric(jacobian_);
  return std::ranges::all_of(jacobian_, [](const MatX& block) { return block.allFinite(); });
}

void ModeHessian::solve_blocks(const MatX& g, MatX& d) {
  d.col(0) = -g.col(0);
  if (is_symmetric_)
    blocks_.solve(d.col(0));
  else
    blocks_.solve_unsymmetric(d.col(0));
}

void ModeHessian::pull_back(const MatX& G, MatX& u) const {
  u.setZero(frames_.unknowns(), 1);
  frames_.pull_back(at_, G, u);
}

}  // namespace sinew

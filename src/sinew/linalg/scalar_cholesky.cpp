#include "sinew/linalg/scalar_cholesky.h"

#include <Eigen/SparseCholesky>

namespace sinew {

struct ScalarCholesky::Factor {
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> llt;
};

ScalarCholesky::ScalarCholesky() = default;
ScalarCholesky::~ScalarCholesky() = default;
ScalarCholesky::ScalarCholesky(ScalarCholesky&&) noexcept = default;
ScalarCholesky& ScalarCholesky::operator=(ScalarCholesky&&) noexcept = default;

bool ScalarCholesky::compute(const SparseMatrix& A) {
  factor_ = std::make_unique<Factor>();
  factor_->llt.compute(A);
  return factor_->llt.info() == Eigen::Success;
}

MatX ScalarCholesky::solve(const MatX& b) const { return factor_->llt.solve(b); }

}  // namespace sinew

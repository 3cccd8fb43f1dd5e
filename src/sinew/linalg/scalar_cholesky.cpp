#include "sinew/linalg/scalar_cholesky.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/linalg/compact_factor.h"
#include "sinew/linalg/multifrontal.h"
#include "sinew/linalg/ordering.h"

namespace sinew {
namespace {

// Up to this many rows minimum degree is as good as nested dissection, cheaper, and free of METIS's lock, for which
// parallel factorisations would queue.
constexpr Index small_rows = 6000;
constexpr double refine_above = 1e-10;  // relative residual of a solve that gets one step of refinement

// Rows of the upper triangle are columns of the lower one.
struct UpperRows {
  BlockPattern pattern;
  std::vector<double> values;

  UpperRows() = default;
  explicit UpperRows(const SparseMatrix& A) {
    pattern.rows = static_cast<Index>(A.cols());
    pattern.row_begin = {0};
    for (Index row = 0; row < pattern.rows; ++row) {
      pattern.columns.push_back(row);
      values.push_back(0);
      const std::size_t diagonal = values.size() - 1;
      for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry) {
        if (entry.row() == row) values[diagonal] = entry.value();
        if (entry.row() <= row) continue;
        pattern.columns.push_back(static_cast<Index>(entry.row()));
        values.push_back(entry.value());
      }
      pattern.row_begin.push_back(static_cast<std::int64_t>(values.size()));
    }
  }

  double largest_diagonal() const {
    double largest = 0;
    for (Index row = 0; row < pattern.rows; ++row) largest = std::max(largest, values[pattern.row_begin[row]]);
    return largest;
  }

  // r = b - A x; returns its norm.
  double residual(const VecX& b, const VecX& x, VecX& r) const {
    r = b;
    for (Index row = 0; row < pattern.rows; ++row) {
      double sum = values[pattern.row_begin[row]] * x[row];
      for (std::int64_t k = pattern.row_begin[row] + 1; k < pattern.row_begin[row + 1]; ++k) {
        sum += values[k] * x[pattern.columns[k]];
        r[pattern.columns[k]] -= values[k] * x[row];
      }
      r[row] -= sum;
    }
    return r.norm();
  }
};

}  // namespace

struct ScalarCholesky::Factor {
  Factor() = default;
  explicit Factor(const SparseMatrix& A) : matrix(A) {}

  // (scale A)^{-1} b scaled back.
  void solve(const VecX& b, VecX& x) {
    multifrontal.solve(b.data(), x.data());
    x *= scale;
  }

  UpperRows matrix;
  std::shared_ptr<SymbolicFactor> symbolic = std::make_shared<SymbolicFactor>();
  MultifrontalFactor<1> multifrontal;
  CompactFactor<1> compact;
  double scale = 1;  // so that the largest diagonal entry is in [1/2, 1)
};

ScalarCholesky::ScalarCholesky(bool compact) : compact_(compact) {}
ScalarCholesky::~ScalarCholesky() = default;
ScalarCholesky::ScalarCholesky(ScalarCholesky&&) noexcept = default;
ScalarCholesky& ScalarCholesky::operator=(ScalarCholesky&&) noexcept = default;

bool ScalarCholesky::compute(const SparseMatrix& A) {
  factor_ = std::make_unique<Factor>(A);
  Factor& f = *factor_;
  if (A.cols() == 0) return true;
  const double largest = f.matrix.largest_diagonal();
  if (!(largest > 0)) return false;
  int exponent = 0;
  std::frexp(largest, &exponent);
  f.scale = std::ldexp(1.0, -exponent);
  const auto method = A.cols() <= small_rows ? OrderingMethod::minimum_degree : OrderingMethod::automatic;
  *f.symbolic = analyze(f.matrix.pattern, fill_reducing_order(f.matrix.pattern, method).order, 1);
  if (!f.multifrontal.factor(*f.symbolic, f.matrix.pattern, f.matrix.values.data(), f.scale)) return false;
  if (!compact_) return true;
  f.compact.round(f.multifrontal);
  f.multifrontal.clear();
  f.matrix = {};
  return true;
}

ScalarCholesky ScalarCholesky::sharing() const {
  ScalarCholesky other(compact_);
  if (!factor_) return other;
  other.factor_ = std::make_unique<Factor>();
  other.factor_->symbolic = factor_->symbolic;
  other.factor_->compact = factor_->compact;
  other.factor_->scale = factor_->scale;
  return other;
}

MatX ScalarCholesky::solve(const MatX& b) const {
  MatX x(b.rows(), b.cols());
  VecX r(b.rows()), correction(b.rows()), column(b.rows());
  for (Eigen::Index c = 0; c < b.cols() && b.rows() > 0; ++c) {
    const VecX right = b.col(c);
    factor_->solve(right, column);
    const double remaining = factor_->matrix.residual(right, column, r);
    if (remaining > refine_above * right.norm()) {
      factor_->solve(r, correction);
      correction += column;
      if (factor_->matrix.residual(right, correction, r) < remaining) column = correction;
    }
    x.col(c) = column;
  }
  return x;
}

void ScalarCholesky::solve(const Points& b, Points& x) const {
  if (b.cols() == 0) return;
  factor_->compact.solve3(b.data(), x.data());
  parallel_for(
      b.cols(), [&](std::size_t v) { x.col(static_cast<Eigen::Index>(v)) *= factor_->scale; }, 4096);
}

std::size_t ScalarCholesky::memory_bytes() const {
  if (!factor_) return 0;
  return factor_->multifrontal.memory_bytes() + factor_->compact.memory_bytes() + factor_->symbolic->memory_bytes();
}

}  // namespace sinew

#include "sinew/linalg/signed_factor.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/SparseCholesky>

#include "sinew/linalg/ordering.h"

namespace sinew {
namespace {

using Scalars = Eigen::SparseMatrix<double>;
// Rounds of iterative refinement, at most, and the relative residual that ends them.
constexpr int most_rounds = 4;
constexpr double exact = 1e-14;

// The lower triangle of the scalars of A, block row i being number place[i].
Scalars permuted(const SymBlockMatrix& A, const std::vector<Index>& place) {
  const BlockPattern& pattern = A.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(9 * static_cast<std::size_t>(pattern.block_count()));
  for (Index i = 0; i < A.rows(); ++i)
    for (std::int64_t slot = pattern.row_begin[i]; slot < pattern.row_begin[i + 1]; ++slot) {
      const Eigen::Map<const Mat3> block(A.block(slot));
      const Index row = 3 * place[i], column = 3 * place[pattern.columns[slot]];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          if (pattern.columns[slot] == i && b > a) continue;
          const int r = row + a, c = column + b;
          entries.emplace_back(std::max(r, c), std::min(r, c), block(a, b));
        }
    }
  Scalars S(3 * A.rows(), 3 * A.rows());
  S.setFromTriplets(entries.begin(), entries.end());
  return S;
}

}  // namespace

// Up-looking LDL^T in the fill-reducing order of the blocks (Davis 2005, "Algorithm 849").
struct SignedFactor::Indefinite {
  Eigen::SimplicialLDLT<Scalars, Eigen::Lower, Eigen::NaturalOrdering<int>> factor;
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<Index> place;  // by block row

  void order(const std::shared_ptr<const BlockPattern>& next) {
    if (pattern == next) return;
    pattern = next;
    const Ordering ordering = fill_reducing_order(*next);
    place.resize(ordering.order.size());
    for (std::size_t k = 0; k < ordering.order.size(); ++k) place[ordering.order[k]] = static_cast<Index>(k);
  }

  VecX solve(const VecX& b) const {
    VecX ordered(b.size()), x(b.size());
    const auto n = static_cast<Index>(place.size());
    for (Index i = 0; i < n; ++i) ordered.segment<3>(3 * place[i]) = b.segment<3>(3 * i);
    const VecX y = factor.solve(ordered);
    for (Index i = 0; i < n; ++i) x.segment<3>(3 * i) = y.segment<3>(3 * place[i]);
    return x;
  }
};

SignedFactor::SignedFactor() = default;
SignedFactor::~SignedFactor() = default;

bool SignedFactor::compute(const SymBlockMatrix& A) {
  A_ = &A;
  negative_ = 0;
  for (const double value : A.values())
    if (!std::isfinite(value)) return false;
  definite_ = cholesky_.compute(NewtonSystem(A));
  if (definite_) return true;
  if (!indefinite_) indefinite_ = std::make_unique<Indefinite>();
  indefinite_->order(A.shared_pattern());
  indefinite_->factor.compute(permuted(A, indefinite_->place));
  if (indefinite_->factor.info() != Eigen::Success) return false;
  const VecX D = indefinite_->factor.vectorD();
  negative_ = static_cast<Index>((D.array() < 0).count());
  if (!(D.allFinite() && (D.array() != 0).all())) return false;
  ranks_.clear();
  if (A.ranks().empty()) return true;
  const auto solved = [&](const double* b, double* x) {
    const Eigen::Index n = 3 * static_cast<Eigen::Index>(A.rows());
    Eigen::Map<VecX>(x, n) = indefinite_->solve(Eigen::Map<const VecX>(b, n));
  };
  if (!ranks_.compute(A, solved)) return false;
  negative_ -= ranks_.negative();
  return true;
}

VecX SignedFactor::solve_once(const VecX& b) const {
  VecX x = indefinite_->solve(b);
  ranks_.correct(x.data());
  return x;
}

double SignedFactor::solve(const double* b, double* x) {
  return definite_ ? cholesky_.solve(b, x).relative_residual : solve_indefinite(b, x);
}

// Iterative refinement makes up for pivots that are small beside their columns, as far as it converges.
double SignedFactor::solve_indefinite(const double* b, double* x) {
  const Eigen::Index n = 3 * static_cast<Eigen::Index>(A_->rows());
  const Eigen::Map<const VecX> rhs(b, n);
  Eigen::Map<VecX> result(x, n);
  const double size = rhs.norm();
  VecX best = VecX::Zero(n), r = rhs, Ax(n);
  double least = size;
  for (int round = 0; round < most_rounds && least > exact * size; ++round) {
    const VecX trial = best + solve_once(r);
    A_->multiply(trial.data(), Ax.data());
    r = rhs - Ax;
    const double now = r.norm();
    if (!(now < least)) break;
    best = trial;
    least = now;
  }
  result = best;
  return size > 0 ? least / size : 0;
}

}  // namespace sinew

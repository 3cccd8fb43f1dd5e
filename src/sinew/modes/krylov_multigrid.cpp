#include "sinew/modes/krylov_multigrid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/activity.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/block_rows_of.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/linalg/fill_estimate.h"
#include "sinew/linalg/tall_products.h"

namespace sinew {
namespace {

// Work of multigrid. A V-cycle and an iteration of conjugate gradients cost about eight products with K; dense kernels
// do twice as many flops a second as sparse ones; a block of columns takes 15 iterations.
constexpr double products_an_iteration = 8, sparse_over_dense = 2, iterations_a_block = 15;
constexpr double independent = 1e-13;    // least eigenvalue of the products of unit columns that count as independent
constexpr double outside = 1e-6;         // of R: what may lie outside the rigid motions of the whole
constexpr double transport_share = 0.5;  // of the transported deviations: error of their estimate
constexpr double growth_an_order = 4;    // guess of the growth of deviations from order to order

void pack(const MatX& columns, StripVector<double>& strips) {
  parallel_for(static_cast<std::size_t>(columns.rows()), [&](std::size_t i) {
    for (int c = 0; c < strip_width; ++c)
      strips[i * strip_width + static_cast<std::size_t>(c)] =
          c < columns.cols() ? columns(static_cast<Eigen::Index>(i), c) : 0.0;
  });
}

template <class T>
MatX unpacked(const T* strips, Eigen::Index rows, Eigen::Index columns) {
  MatX result(rows, columns);
  parallel_for(static_cast<std::size_t>(rows), [&](std::size_t i) {
    for (Eigen::Index c = 0; c < columns; ++c)
      result(static_cast<Eigen::Index>(i), c) =
          static_cast<double>(strips[i * strip_width + static_cast<std::size_t>(c)]);
  });
  return result;
}

// The sine of the largest angle that errors with the products E^T M E cause to the span of D, from N = D^T M D: the
// root of the largest eigenvalue of N^-1/2 E^T M E N^-1/2. Infinite if D's columns depend on each other.
double largest_sine(const MatX& errors, const MatX& N) {
  const VecX scale = N.diagonal().cwiseMax(0).cwiseSqrt().cwiseInverse();
  if (!scale.allFinite() || !errors.allFinite()) return std::numeric_limits<double>::infinity();
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * N * scale.asDiagonal());
  if (!(eigen.values[0] > independent)) return std::numeric_limits<double>::infinity();
  const MatX whitening = scale.asDiagonal() * eigen.vectors * eigen.values.cwiseSqrt().cwiseInverse().asDiagonal();
  return std::sqrt(std::max(0.0, symmetric_eigen(whitening.transpose() * errors * whitening).values.maxCoeff()));
}

// C with R = B C, or nothing if R has other motions, such as those of parts about hinges.
std::optional<MatX> combinations(const MatX& B, const RestBody& body) {
  const MatX& R = body.rigid();
  MatX C(B.cols(), R.cols());
  if (R.cols() == 0) return C;
  const MatX gram = weighted_gram(B, body.mass()), right = weighted_product(B, body.mass(), R);
  for (Eigen::Index c = 0; c < R.cols(); ++c) C.col(c) = least_squares(gram, right.col(c), 1e-12);
  if ((tall_product(B, C) - R).norm() > outside * R.norm()) return std::nullopt;
  return C;
}

}  // namespace

KrylovMultigrid::KrylovMultigrid(const RestBody& body, const KrylovMultigridOptions& options)
    : body_(body), options_(options) {
  const ScopedTimer timer(report_.setup_seconds);
  const MatX B = body.turns_and_shifts();
  const std::optional<MatX> kernel = combinations(B, body);
  if (!kernel) return;
  K_ = block_rows_of(body.matrix(), body.fixed());
  multigrid_ = std::make_unique<Multigrid>(K_, B, *kernel, options.multigrid);
  if (!multigrid_->is_definite()) {
    multigrid_.reset();
    return;
  }
  iterations_ = std::make_unique<BlockConjugateGradients>(K_, *multigrid_, body.mass(), body.rigid());
  r_.resize(static_cast<std::size_t>(body.size()) * strip_width);
  x_.resize(r_.size());
  report_.complexity = multigrid_->complexity();
  report_.memory_bytes = multigrid_->memory_bytes() + K_.memory_bytes() + 4 * sizeof(double) * r_.size();
}

// U^T K U of the modes that U has gained.
void KrylovMultigrid::see(const MatX& U) {
  const Eigen::Index known = stiffness_.cols();
  MatX KU(U.rows(), U.cols() - known);
  for (Eigen::Index first = known; first < U.cols(); first += strip_width) {
    const Eigen::Index count = std::min<Eigen::Index>(strip_width, U.cols() - first);
    pack(U.middleCols(first, count), x_);
    iterations_->multiply(x_.data(), r_.data());
    KU.middleCols(first - known, count) = unpacked(r_.data(), U.rows(), count);
  }
  const MatX added = weighted_product(U, VecX::Ones(U.rows()), KU);
  stiffness_.conservativeResize(U.cols(), U.cols());
  stiffness_.rightCols(added.cols()) = added;
  stiffness_.bottomRows(added.cols()) = added.transpose();
}

// The guess x = V (V^T K V)^-1 V^T b in the span of known modes V; b -= K x.
bool KrylovMultigrid::improve_start(const MatX& V, MatX& b) {
  std::ranges::fill(x_, 0.0);
  if (V.cols() == 0) return true;
  MatX inverse;
  if (!inverse_of_definite(stiffness_, inverse)) return false;
  pack(tall_product(V, inverse * weighted_product(V, VecX::Ones(V.rows()), b)), x_);
  iterations_->multiply(x_.data(), r_.data());
  b -= unpacked(r_.data(), b.rows(), b.cols());
  body_.set_fixed_to_zero(b);
  return true;
}

// K X = M last until the errors turn the span of X's part outside U by less than `sine`. An error is at most
// `underestimate` times its estimate, the preconditioned residual.
bool KrylovMultigrid::iterate(const MatX& last, double sine, const MatX& U, MatX& X) {
  const Eigen::Index columns = last.cols();
  const VecX& mass = body_.mass();
  const MatX& R = body_.rigid();
  MatX b = mass.asDiagonal() * last;
  if (!improve_start(known_.cols() > 0 ? known_ : U, b)) return false;
  pack(b, r_);
  MatX N;
  const auto stop = [&](const BlockCgState& state) {
    if (state.iteration > 0) ++report_.iterations;
    if (state.iteration < (known_.cols() > 0 ? 1 : 2)) return false;
    underestimate_ = std::max(underestimate_, state.underestimate);
    const MatX errors = underestimate_ * underestimate_ * state.errors.topLeftCorner(columns, columns);
    if (N.size() > 0 && largest_sine(errors, N) > sine) return false;
    X = unpacked(state.x, last.rows(), columns);
    if (R.cols() > 0) subtract_tall_product(R, weighted_product(R, mass, X), X);
    MatX D = X;
    if (U.cols() > 0) subtract_tall_product(U, weighted_product(U, mass, D), D);
    N = weighted_gram(D, mass);
    return largest_sine(errors, N) <= sine;
  };
  ++report_.solves;
  return iterations_->solve(r_.data(), x_.data(), options_.max_iterations, stop);
}

// K^+ M d, to a share of its own norm: it is an estimate only.
std::optional<MatX> KrylovMultigrid::transported(const MatX& deviations) {
  MatX b = body_.mass().asDiagonal() * deviations;
  const MatX& R = body_.rigid();
  if (R.cols() > 0)
    subtract_tall_product(body_.mass().asDiagonal() * R, weighted_product(R, body_.mass(), deviations), b);
  pack(b, r_);
  std::ranges::fill(x_, 0.0);
  const auto stop = [&](const BlockCgState& state) {
    if (state.iteration > 0) ++report_.iterations;
    if (state.iteration < 2) return false;
    const double error = underestimate_ * std::sqrt(state.errors.diagonal().maxCoeff());
    const MatX x = unpacked(state.x, b.rows(), b.cols());
    return error <= transport_share * std::sqrt(weighted_gram(x, body_.mass()).diagonal().maxCoeff());
  };
  if (!iterations_->solve(r_.data(), x_.data(), options_.max_iterations, stop)) return std::nullopt;
  return unpacked(x_.data(), b.rows(), b.cols());
}

// Adds the modes of up to eight columns of the order before. first: their place in U, or -1 for the start.
bool KrylovMultigrid::extend(const MatX& last, Index first, double sine, MassGramSchmidt& orthogonal, Index count,
                             MatX& U, KrylovError& error) {
  MatX X;
  {
    const ScopedTimer timer(report_.solve_seconds);
    if (!iterate(last, sine, U, X)) return false;
  }
  const MatX errors = -underestimate_ * unpacked(iterations_->last_preconditioned(), X.rows(), X.cols());
  const Eigen::Index wanted = std::min<Eigen::Index>(count, U.cols() + X.cols());
  orthogonal.append(X, count, U);
  if (U.cols() < wanted) return false;  // columns that depend on others: errors decide about them
  const ScopedTimer timer(report_.error_seconds);
  const auto columns = static_cast<Index>(last.cols());
  std::optional<MatX> inherited = MatX(MatX::Zero(X.rows(), columns));
  if (first >= 0) inherited = transported(error.deviations(first, columns));
  if (!inherited) return false;
  error.append(U, X, errors, *inherited);
  if (known_.cols() == 0) see(U);
  return true;
}

std::optional<KrylovModes> KrylovMultigrid::modes(const MatX& start, Index count) {
  if (!multigrid_) return std::nullopt;
  known_.resize(0, 0);
  stiffness_.resize(0, 0);
  double goal = options_.angle;
  for (int attempt = 0; attempt < options_.attempts; ++attempt) {
    ++report_.attempts;
    MassGramSchmidt orthogonal(body_.rest(), body_.mass(), count);
    KrylovError error(body_.mass());
    MatX U(body_.size(), 0), last = start;
    Index first = -1;
    const double orders = std::ceil(static_cast<double>(count) / static_cast<double>(start.cols()));
    for (int order = 1; U.cols() < count; ++order) {
      // Deviations grow in each of the orders that follow.
      const double sine = goal / std::sqrt(orders) * std::pow(growth_an_order, order - orders);
      const auto begin = static_cast<Index>(U.cols());
      for (Index c = 0; c < last.cols() && U.cols() < count; c += strip_width) {
        const Index columns = std::min({static_cast<Index>(strip_width), static_cast<Index>(last.cols()) - c,
                                        count - static_cast<Index>(U.cols())});
        if (!extend(last.middleCols(c, columns), first < 0 ? -1 : first + c, sine, orthogonal, count, U, error))
          return std::nullopt;
        activity::reached(static_cast<long>(U.cols()));
      }
      first = begin;
      last = U.middleCols(begin, U.cols() - begin);
    }
    report_.sine = error.sine();
    if (attempt > 0) {  // the products were those of the attempt before
      stiffness_.resize(0, 0);
      see(U);
    }
    if (report_.sine <= options_.angle) return KrylovModes{std::move(U), stiffness_.diagonal()};
    goal *= std::min(0.5, 0.5 * options_.angle / report_.sine);
    known_ = std::move(U);  // the next attempt starts from solutions in their span
  }
  return std::nullopt;
}

bool multigrid_is_cheaper(const RestBody& body, Index count, Index order) {
  const BlockPattern& pattern = body.matrix().pattern();
  double blocks = 0;  // of columns
  for (Index left = count; left > 0; left -= order) blocks += std::ceil(std::min(left, order) / double{strip_width});
  const double entries = 9.0 * static_cast<double>(2 * pattern.block_count() - pattern.rows);
  const double flops = 2 * strip_width * entries * products_an_iteration * iterations_a_block * blocks;
  return sparse_over_dense * flops < estimated_factor_flops(pattern);
}

}  // namespace sinew

#include "sinew/linalg/cholesky.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"

namespace sinew {
namespace {

constexpr Eigen::Index columns_at_once = 16;  // of many right-hand sides

bool same_pattern(const std::shared_ptr<const BlockPattern>& a, const std::shared_ptr<const BlockPattern>& b) {
  return a == b || (a && b && *a == *b);
}

// The largest diagonal entry; 0 when an entry is not positive and finite.
double largest_diagonal(const SymBlockMatrix& A) {
  const auto entry = [&](std::size_t i, int a) { return A.block(A.pattern().row_begin[i])[4 * a]; };
  const double bad = parallel_max(A.rows(), 0.0, [&](std::size_t i) {
    for (int a = 0; a < 3; ++a)
      if (!(entry(i, a) > 0) || !std::isfinite(entry(i, a))) return 1.0;
    return 0.0;
  });
  if (bad > 0) return 0;
  return parallel_max(A.rows(), 0.0, [&](std::size_t i) { return std::max({entry(i, 0), entry(i, 1), entry(i, 2)}); });
}

double norm(const double* v, std::size_t n) {
  return std::sqrt(parallel_sum(n, [&](std::size_t i) { return v[i] * v[i]; }));
}

bool is_permutation(const std::vector<Index>& order) {
  std::vector<char> seen(order.size(), 0);
  for (Index k : order)
    if (k < 0 || static_cast<std::size_t>(k) >= order.size() || std::exchange(seen[k], 1)) return false;
  return true;
}

}  // namespace

std::shared_ptr<const SymbolicFactor> SparseCholesky::timed_analyze(const BlockPattern& pattern,
                                                                    const Ordering& ordering) {
  const Stopwatch watch;
  auto symbolic = std::make_shared<const SymbolicFactor>(analyze(pattern, ordering.order));
  report_.symbolic_seconds = watch.seconds();
  symbolic_total_ += report_.symbolic_seconds;
  ++report_.analyses;
  return symbolic;
}

SparseCholesky::Analysis SparseCholesky::order_and_analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  const Stopwatch watch;
  auto ordering = std::make_shared<const Ordering>(fill_reducing_order(*pattern, options_.ordering));
  report_.ordering_seconds = watch.seconds();
  symbolic_total_ += report_.ordering_seconds;
  ++report_.orderings;
  auto symbolic = timed_analyze(*pattern, *ordering);
  const double flops = symbolic->flops;
  return {pattern, std::move(ordering), std::move(symbolic), flops, pattern->block_count()};
}

void SparseCholesky::update_analysis(const std::shared_ptr<const BlockPattern>& pattern) {
  for (Analysis* known : {&latest_, &base_}) {
    if (same_pattern(known->pattern, pattern)) {
      known->pattern = pattern;
      current_ = known;
      return;
    }
  }
  current_ = &latest_;
  const Analysis& ordered = latest_.ordering ? latest_ : base_;
  if (ordered.ordering && static_cast<Index>(ordered.ordering->order.size()) == pattern->rows &&
      pattern->block_count() >= options_.reorder_shrinkage * ordered.ordered_blocks) {
    auto symbolic = timed_analyze(*pattern, *ordered.ordering);
    if (symbolic->flops <= options_.reorder_growth * ordered.ordered_flops) {
      latest_ = {pattern, ordered.ordering, std::move(symbolic), ordered.ordered_flops, ordered.ordered_blocks};
      return;
    }
  }
  latest_ = order_and_analyze(pattern);
}

void SparseCholesky::prepare(std::shared_ptr<const BlockPattern> base) {
  has_factor_ = false;
  base_ = order_and_analyze(base);
  prepared_ = std::move(base);
}

void SparseCholesky::begin_step(const NewtonStructure& step) {
  if (step.pattern != prepared_) prepare(step.pattern);
}

bool SparseCholesky::compute(const NewtonSystem& system) {
  const SymBlockMatrix& A = system.H;
  A_ = &A;
  has_factor_ = false;
  if (A.rows() == 0) {  // such as the modes of bodies that are prescribed as a whole
    r_.clear();
    return has_factor_ = true;
  }
  // Scaled so that the largest diagonal entry is in [1/2, 1): square roots then see the same bits whatever the units.
  const double largest = largest_diagonal(A);
  if (!(largest > 0)) {
    ++report_.failures;
    return false;
  }
  update_analysis(A.shared_pattern());
  int exponent = 0;
  std::frexp(largest, &exponent);
  scale_ = std::ldexp(1.0, -exponent);
  const Stopwatch watch;
  has_factor_ = factor_.factor(*current_->symbolic, A.pattern(), A.values().data(), scale_);
  if (has_factor_ && options_.compact) compact_.round(factor_);
  report_.numeric_seconds = watch.seconds();
  ++(has_factor_ ? report_.factorizations : report_.failures);
  report_.ordering = current_->ordering->method;
  report_.flops = current_->symbolic->flops;
  report_.factor_nnz = current_->symbolic->factor_nnz;
  report_.memory_bytes = factor_.memory_bytes() + compact_.memory_bytes() + current_->symbolic->memory_bytes();
  r_.resize(3 * static_cast<std::size_t>(A.rows()));
  correction_.resize(r_.size());
  ranks_.clear();
  if (has_factor_ && !A.ranks().empty())
    has_factor_ =
        ranks_.compute(A, [&](const double* b, double* x) { solve_factored(b, x); }) && ranks_.negative() == 0;
  return has_factor_;
}

// x = B^-1 b for the blocks B of A.
void SparseCholesky::solve_factored(const double* b, double* x) {
  if (options_.compact)
    compact_.solve(b, x);
  else
    factor_.solve(b, x);
  parallel_for(
      r_.size(), [&](std::size_t i) { x[i] *= scale_; }, 1 << 14);
}

// r = b - A x; returns its norm.
double SparseCholesky::residual(const double* b, const double* x) {
  A_->multiply(x, r_.data());
  parallel_for(
      r_.size(), [&](std::size_t i) { r_[i] = b[i] - r_[i]; }, 1 << 14);
  return norm(r_.data(), r_.size());
}

// One step of iterative refinement where the residual of x asks for it, kept where it helps.
LinearSolveReport SparseCholesky::refine(const double* b, double* x) {
  LinearSolveReport report;
  const std::size_t n = r_.size();
  const double b_norm = norm(b, n);
  if (!(b_norm > 0)) return report;
  double r_norm = residual(b, x);
  if (r_norm > options_.refine_above * b_norm) {
    ++report_.refinements;
    factor_.solve(r_.data(), correction_.data());
    double scale = scale_;
    if (!ranks_.empty()) {
      parallel_for(
          n, [&](std::size_t i) { correction_[i] *= scale_; }, 1 << 14);
      ranks_.correct(correction_.data());
      scale = 1;
    }
    parallel_for(
        n, [&](std::size_t i) { correction_[i] = scale * correction_[i] + x[i]; }, 1 << 14);
    const double refined = residual(b, correction_.data());
    if (refined < r_norm) {
      std::copy(correction_.begin(), correction_.end(), x);
      r_norm = refined;
    }
  }
  report.relative_residual = r_norm / b_norm;
  if (!std::isfinite(report.relative_residual)) {
    report.ok = false;
    report.reason = "the right-hand side or the solution is not finite";
  }
  return report;
}

LinearSolveReport SparseCholesky::solve(const double* b, double* x) {
  if (!has_factor_) throw std::logic_error("SparseCholesky::solve needs a compute() that returned true");
  if (r_.empty()) return {};
  const Stopwatch watch;
  LinearSolveReport report;
  solve_factored(b, x);
  ranks_.correct(x);
  ++report_.solves;
  if (!options_.compact) report = refine(b, x);
  report_.solve_seconds = watch.seconds();
  return report;
}

LinearSolveReport SparseCholesky::solve(const MatX& B, MatX& X) {
  if (!has_factor_ || options_.compact)
    throw std::logic_error("SparseCholesky::solve of many columns needs a factor in double precision");
  const Stopwatch watch;
  LinearSolveReport worst;
  if (&B != &X) X.resize(B.rows(), B.cols());
  if (r_.empty()) return {};
  MatX b;  // the block's right-hand sides
  for (Eigen::Index first = 0; first < B.cols(); first += columns_at_once) {
    b = B.middleCols(first, std::min<Eigen::Index>(columns_at_once, B.cols() - first));
    double* x = X.col(first).data();
    factor_.solve(b.data(), x, static_cast<int>(b.cols()));
    parallel_for(
        static_cast<std::size_t>(b.size()), [&](std::size_t i) { x[i] *= scale_; }, 1 << 14);
    report_.solves += static_cast<int>(b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      ranks_.correct(X.col(first + c).data());
      LinearSolveReport report = refine(b.col(c).data(), X.col(first + c).data());
      if (!report.ok || report.relative_residual > worst.relative_residual) worst = std::move(report);
      if (!worst.ok) break;
    }
  }
  report_.solve_seconds = watch.seconds();
  return worst;
}

void SparseCholesky::solve3(const double* b, double* x) {
  if (!has_factor_ || !options_.compact)
    throw std::logic_error("SparseCholesky::solve3 needs a compact factor and a compute() that returned true");
  if (r_.empty()) return;
  const Stopwatch watch;
  compact_.solve3(b, x);
  parallel_for(
      3 * r_.size(), [&](std::size_t i) { x[i] *= scale_; }, 1 << 14);
  report_.solves += 3;
  report_.solve_seconds = watch.seconds();
}

// An analysis is a function of its pattern and order: the order and what decides about a new one are enough.
void SparseCholesky::save(ArchiveWriter& archive) const {
  if (!latest_.ordering) return;
  archive.write("cholesky/order", std::span<const Index>(latest_.ordering->order));
  archive.write("cholesky/method", static_cast<std::int64_t>(latest_.ordering->method));
  archive.write("cholesky/ordered_flops", latest_.ordered_flops);
  archive.write("cholesky/ordered_blocks", latest_.ordered_blocks);
}

void SparseCholesky::load(const ArchiveReader& archive) {
  latest_ = {};
  has_factor_ = false;
  if (!archive.has("cholesky/order")) return;
  const std::int64_t method = archive.integer("cholesky/method");
  Ordering ordering{archive.integers32("cholesky/order"), static_cast<OrderingMethod>(method)};
  if (!is_permutation(ordering.order) || method < 0 || method > static_cast<int>(OrderingMethod::minimum_degree))
    fail_input(code::file_damaged, "the checkpoint's elimination order is damaged; start the run again");
  latest_.ordering = std::make_shared<const Ordering>(std::move(ordering));
  latest_.ordered_flops = archive.scalar("cholesky/ordered_flops");
  latest_.ordered_blocks = archive.integer("cholesky/ordered_blocks");
}

}  // namespace sinew

#include "sinew/linalg/nnls.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/linalg/passive_columns.h"

namespace sinew {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double least_decrease = 1e-12;  // relative decrease of |r| by which a change of the passive set counts
constexpr double block_ratio = 0.25;      // columns whose gradient is above this share of the largest enter together
constexpr Index least_leap = 3;           // negative entries from which on they are dropped at once
constexpr int most_leaps = 10;
constexpr int most_corrections = 3;  // refinements of the last passive set's solution

}  // namespace

// The algorithm of Lawson and Hanson (1974), with Bro and De Jong's (1997) reuse of the Gram matrix. The passive set P
// holds the columns with x > 0, the others have x = 0. Outer iteration: columns with the largest gradients of -1/2
// |r|^2, (A^T r)_j > 0, enter P (choose, enter). Inner iteration: x becomes the least-squares solution over P, less the
// columns that it would make negative (settle). It ends where r is small enough or no gradient is positive: the KKT
// conditions. Everything is in the scaled problem, in which b and each column have norm 1 (or are zero).
struct Nnls::Impl {
  VecX b;
  double b_norm = 0;
  MatX A;                    // m x capacity
  std::vector<double> norm;  // of each column as given; 0: it never enters
  std::vector<char> passive, barred;

  PassiveColumns factor;
  std::vector<Index> order;  // the passive columns as in `factor`
  Index settled = 0;         // of them: those behind have just entered and have x = 0
  VecX x;                    // by `order`
  VecX r;                    // b - A x
  int iterations = 0;

  // What leap() goes back to where it fails.
  struct Saved {
    PassiveColumns factor;
    std::vector<Index> order;
    Index settled;
    VecX x, r;
  };

  explicit Impl(const VecX& given) : b(given), b_norm(given.stableNorm()), A(given.size(), 0) {
    if (b_norm > 0) b /= b_norm;
    r = b;
  }

  Index columns() const { return static_cast<Index>(norm.size()); }
  auto used() const { return A.leftCols(columns()); }

  // Appends columns, scaled to norm 1. A column of zeros, or with a number that is not finite, never enters.
  void add(const MatX& more) {
    const Index before = columns();
    const auto k = static_cast<Index>(more.cols());
    if (before + k > A.cols()) A.conservativeResize(b.size(), std::max<Eigen::Index>(before + k, A.cols() * 3 / 2));
    for (Index j = 0; j < k; ++j) {
      const double length = more.col(j).stableNorm();
      norm.push_back(length > 0 && std::isfinite(length) ? length : 0.0);
      if (norm.back() > 0) {
        A.col(before + j) = more.col(j) / length;
      } else {
        A.col(before + j).setZero();
      }
    }
    passive.resize(columns(), 0);
    barred.resize(columns(), 0);
  }

  // Appends columns to P with x = 0. A column that depends linearly on those of P does not enter and is barred.
  Index enter(const std::vector<Index>& entering) {
    MatX lot(b.size(), static_cast<Eigen::Index>(entering.size()));
    for (std::size_t k = 0; k < entering.size(); ++k) lot.col(k) = A.col(entering[k]);
    const std::vector<char> taken = factor.append(lot);
    for (std::size_t k = 0; k < entering.size(); ++k) {
      passive[entering[k]] = taken[k];
      barred[entering[k]] = !taken[k];
      if (taken[k]) order.push_back(entering[k]);
    }
    // Those that entered start at x = 0, behind the settled ones.
    const auto before = x.size();
    x.conservativeResize(static_cast<Eigen::Index>(order.size()));
    x.tail(x.size() - before).setZero();
    return static_cast<Index>(x.size() - before);
  }

  // Removes columns from P; x keeps the values of the others.
  void leave(const std::vector<char>& gone) {
    factor.remove(gone);
    Index count = 0, settled_remaining = 0;
    for (std::size_t i = 0; i < gone.size(); ++i) {
      if (gone[i]) {
        passive[order[i]] = 0;
        continue;
      }
      if (static_cast<Index>(i) < settled) ++settled_remaining;
      order[count] = order[i];
      x[count++] = x[i];
    }
    order.resize(count);
    x.conservativeResize(count);
    settled = settled_remaining;
  }

  // A shortcut of the inner iteration, which drops one column at a time: drops all columns that the least-squares
  // solution z makes negative, until none is left, and keeps the result if the residual has decreased. Otherwise
  // restores the state before.
  bool leap(VecX z, int limit) {
    const Saved saved{factor, order, settled, x, r};
    for (int round = 0; round < most_leaps && iterations < limit; ++round) {
      std::vector<char> gone(order.size());
      bool any = false;
      for (std::size_t i = 0; i < order.size(); ++i) any |= gone[i] = !(z[i] > 0);
      x = z.cwiseMax(0.0);
      if (any) leave(gone);
      settled = static_cast<Index>(order.size());
      r = b - factor.columns() * x;
      if (!any) {
        if (r.norm() < saved.r.norm()) return true;
        break;
      }
      if (order.empty()) break;
      ++iterations;
      z = x + factor.least_squares(r);
    }
    // The shortcut did not decrease |r|: back to the passive set before.
    for (const Index j : saved.order) passive[j] = 1;
    factor = saved.factor;
    order = saved.order;
    settled = saved.settled;
    x = saved.x;
    r = saved.r;
    return false;
  }

  // The inner iteration: z is the least-squares solution over P. If z > 0, x = z. Otherwise x moves towards z up to the
  // first entry that vanishes, x + min_i x_i / (x_i - z_i) (z - x), that column leaves P, and z is found anew.
  void settle(int limit) {
    bool may_leap = true;
    while (!order.empty() && iterations < limit) {
      ++iterations;
      const VecX z = x + factor.least_squares(r);
      if (may_leap && (z.array() <= 0).count() >= least_leap) {
        may_leap = leap(z, limit);
        if (may_leap) return;
      }
      const auto count = static_cast<Index>(order.size());
      std::vector<char> gone(count, 0);
      bool any = false;
      for (Index i = settled; i < count; ++i) any |= gone[i] = !(z[i] > 0);
      if (any) {  // columns that have just entered, with x = 0, and would turn negative leave at once
        leave(gone);
        continue;
      }
      // The length of the way to z at which the first entry vanishes; entries that vanish with it leave, too.
      double step = 1;
      Index first = -1;  // to vanish on the way to z
      for (Index i = 0; i < settled; ++i) {
        if (z[i] > 0) continue;
        const double until = x[i] > 0 ? x[i] / (x[i] - z[i]) : 0.0;
        if (first < 0 || until < step) step = until, first = i;
      }
      for (Index i = 0; i < count; ++i) {
        const double moved = x[i] + step * (z[i] - x[i]);
        gone[i] = i == first || (!(z[i] > 0) && moved <= 4 * epsilon * x[i]);
        x[i] = gone[i] ? 0.0 : std::max(moved, 0.0);
      }
      settled = count;
      if (first >= 0) leave(gone);
      r = b - factor.columns() * x;
      if (first < 0) return;
    }
  }

  // The rounding of an entry of A^T r, and of |r|.
  double gradient_floor() const { return 4 * epsilon * std::sqrt(static_cast<double>(b.size())) * (1 + x.sum()); }

  // The outer iteration. Several columns enter at a time; where that does not decrease |r|, one at a time does, and a
  // column that alone does not decrease |r| is barred until |r| has decreased.
  NnlsResult solve(const NnlsOptions& options) {
    const int limit = options.max_iterations > 0 ? options.max_iterations : 10 * (columns() + 10);
    const double target = std::max(options.tolerance, epsilon);
    iterations = 0;
    bool converged = b_norm == 0;
    std::fill(barred.begin(), barred.end(), 0);
    settle(limit);
    bool single = false;
    int corrections = 0;
    while (!converged && iterations < limit) {
      // The gradient of -1/2 |r|^2 by x.
      const VecX gradient = used().transpose() * r;
      const std::vector<Index> entering = choose(gradient, single);
      if (r.norm() <= target || (entering.empty() && (corrections == most_corrections || settled_by(gradient)))) {
        converged = true;
        break;
      }
      // Where no column may enter, but P is not yet orthogonal to r to rounding, the solution over P is refined.
      const double before = r.norm();
      if (entering.empty()) {
        ++corrections;
      } else {
        enter(entering);
      }
      settle(limit);
      if (entering.empty()) continue;
      // Progress counts above rounding; it frees the barred columns. Without it one column enters at a time, and is
      // barred.
      if (r.norm() < before - std::max(least_decrease * before, gradient_floor())) {
        std::fill(barred.begin(), barred.end(), 0);
        single = false;
      } else if (single) {
        barred[entering.front()] = 1;
      } else {
        single = true;
      }
    }
    return result(converged);
  }

  // Whether the passive columns are orthogonal to r to rounding, as at a least-squares solution.
  bool settled_by(const VecX& gradient) const {
    const double floor = gradient_floor();
    return std::all_of(order.begin(), order.end(), [&](Index j) { return std::abs(gradient[j]) <= floor; });
  }

  // Columns with the largest positive gradients: one, or as many as a quarter of the passive ones.
  std::vector<Index> choose(const VecX& gradient, bool single) const {
    const double floor = gradient_floor();
    std::vector<Index> candidates;
    for (Index j = 0; j < columns(); ++j) {
      if (!passive[j] && !barred[j] && gradient[j] > floor) candidates.push_back(j);
    }
    if (candidates.empty()) return candidates;
    const auto larger = [&](Index a, Index b) {
      return gradient[a] != gradient[b] ? gradient[a] > gradient[b] : a < b;
    };
    const std::size_t block = single ? 1 : std::max<std::size_t>(4, order.size() / 4);
    const std::size_t count = std::min(block, candidates.size());
    std::partial_sort(candidates.begin(), candidates.begin() + count, candidates.end(), larger);
    candidates.resize(count);
    const double least = block_ratio * gradient[candidates.front()];
    while (gradient[candidates.back()] < least) candidates.pop_back();
    return candidates;
  }

  // Undoes the scaling of b and of the columns.
  NnlsResult result(bool converged) const {
    NnlsResult result;
    result.x = VecX::Zero(columns());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (x[i] > 0) result.passive.push_back(order[i]);
      result.x[order[i]] = x[i] * (b_norm / norm[order[i]]);
    }
    std::sort(result.passive.begin(), result.passive.end());
    result.iterations = iterations;
    result.residual = r.norm() * b_norm;
    result.converged = converged;
    return result;
  }
};

Nnls::Nnls(const VecX& b) : impl_(std::make_unique<Impl>(b)) {}
Nnls::~Nnls() = default;
Nnls::Nnls(Nnls&&) noexcept = default;

void Nnls::add_columns(const MatX& A) {
  impl_->add(A);
}

void Nnls::start(std::span<const Index> passive) {
  std::vector<Index> entering;
  for (const Index j : passive) {
    if (!impl_->passive[j] && impl_->norm[j] > 0) entering.push_back(j);
  }
  impl_->enter(entering);
}

NnlsResult Nnls::solve(const NnlsOptions& options) {
  return impl_->solve(options);
}

VecX Nnls::residual() const {
  return impl_->r * impl_->b_norm;
}

NnlsResult nnls(const MatX& A, const VecX& b, const NnlsOptions& options, std::span<const Index> start) {
  Nnls problem(b);
  problem.add_columns(A);
  problem.start(start);
  return problem.solve(options);
}

}  // namespace sinew

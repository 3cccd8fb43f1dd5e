#include "sinew/linalg/scalar_cholesky.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {
namespace {

// The direct solver works on 3x3 blocks. Unknowns that share many neighbours are matched three to a block, which makes
// few zeros into entries and leaves a third of the graph to order.

// Up to this many blocks minimum degree is as good as nested dissection, cheaper, and free of METIS's lock, for which
// parallel factorisations would queue.
constexpr Index small_rows = 2000;

// Neighbours of each unknown, without itself.
struct ColumnGraph {
  std::vector<std::int64_t> begin;  // n + 1
  std::vector<Index> neighbours;

  std::span<const Index> of(Index v) const { return std::span(neighbours).subspan(begin[v], begin[v + 1] - begin[v]); }
};

template <class F>
void for_each_below_diagonal(const SparseMatrix& A, F&& f) {
  for (Index column = 0; column < A.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(A, column); entry; ++entry)
      if (entry.row() > column) f(static_cast<Index>(entry.row()), column, entry.value());
}

ColumnGraph graph_of(const SparseMatrix& A) {
  ColumnGraph graph;
  graph.begin.assign(A.cols() + 1, 0);
  for_each_below_diagonal(A, [&](Index i, Index j, double) {
    ++graph.begin[i + 1];
    ++graph.begin[j + 1];
  });
  for (Index v = 0; v < A.cols(); ++v) graph.begin[v + 1] += graph.begin[v];
  graph.neighbours.resize(graph.begin.back());
  std::vector<std::int64_t> cursor(graph.begin.begin(), graph.begin.end() - 1);
  for_each_below_diagonal(A, [&](Index i, Index j, double) {
    graph.neighbours[cursor[i]++] = j;
    graph.neighbours[cursor[j]++] = i;
  });
  return graph;
}

// The position of each unknown among those of all blocks; blocks without three unknowns leave some unused.
class Matching {
 public:
  explicit Matching(const ColumnGraph& graph) : graph_(graph), seen_(graph.begin.size() - 1, 0) {
    position.assign(seen_.size(), -1);
    for (Index v = 0; v < static_cast<Index>(position.size()); ++v) {
      if (position[v] >= 0) continue;
      members_ = {v};
      position[v] = 3 * blocks;
      for (int count = 1; count < 3; ++count) {
        const Index next = best_partner(count);
        if (next < 0) break;
        members_[count] = next;
        position[next] = 3 * blocks + count;
      }
      ++blocks;
    }
  }

  std::vector<Index> position;
  Index blocks = 0;

 private:
  // The unmatched neighbour of the block so far that adds the fewest new neighbours and shares the most.
  Index best_partner(int count) {
    touched_.clear();
    for (int k = 0; k < count; ++k)
      for (const Index w : graph_.of(members_[k]))
        if (!std::exchange(seen_[w], 1)) touched_.push_back(w);
    Index best = -1;
    std::int64_t best_score = 0;
    for (const Index w : touched_) {
      if (position[w] >= 0) continue;
      std::int64_t score = 0;
      for (const Index x : graph_.of(w)) score += seen_[x] ? 2 : -1;
      if (best >= 0 && score <= best_score) continue;
      best = w;
      best_score = score;
    }
    for (const Index w : touched_) seen_[w] = 0;
    return best;
  }

  const ColumnGraph& graph_;
  std::vector<char> seen_;
  std::vector<Index> touched_;
  std::array<Index, 3> members_{};
};

// A in blocks; unused positions have a row and column of the identity.
SymBlockMatrix packed(const SparseMatrix& A, const Matching& matching) {
  const std::vector<Index>& position = matching.position;
  std::vector<std::pair<Index, Index>> pairs;
  pairs.reserve(A.nonZeros());
  for_each_below_diagonal(
      A, [&](Index i, Index j, double) { pairs.push_back(std::minmax(position[i] / 3, position[j] / 3)); });
  SymBlockMatrix B(make_pattern(matching.blocks, pairs));
  const auto entry = [&](Index p, Index q) -> double& {
    return B.block(B.pattern().find(p / 3, q / 3))[p % 3 + 3 * (q % 3)];
  };
  for (Index block = 0; block < matching.blocks; ++block)
    for (int a = 0; a < 3; ++a) entry(3 * block + a, 3 * block + a) = 1;
  for (Index v = 0; v < A.cols(); ++v) entry(position[v], position[v]) = A.coeff(v, v);
  for_each_below_diagonal(A, [&](Index i, Index j, double value) {
    const auto [p, q] = std::minmax(position[i], position[j]);
    entry(p, q) = value;
    if (p / 3 == q / 3) entry(q, p) = value;
  });
  return B;
}

CholeskyOptions options_for(Index blocks, bool compact) {
  return {.ordering = blocks <= small_rows ? OrderingMethod::minimum_degree : OrderingMethod::automatic,
          .compact = compact};
}

}  // namespace

struct ScalarCholesky::Factor {
  Factor(const SparseMatrix& A, Matching matching, bool compact)
      : matrix(packed(A, matching)),
        solver(options_for(matching.blocks, compact)),
        position(std::move(matching.position)) {}

  SymBlockMatrix matrix;
  SparseCholesky solver;
  std::vector<Index> position;
  std::vector<double> work;  // three columns in the order of the blocks
};

ScalarCholesky::ScalarCholesky(bool compact) : compact_(compact) {}
ScalarCholesky::~ScalarCholesky() = default;
ScalarCholesky::ScalarCholesky(ScalarCholesky&&) noexcept = default;
ScalarCholesky& ScalarCholesky::operator=(ScalarCholesky&&) noexcept = default;

bool ScalarCholesky::compute(const SparseMatrix& A) {
  const ColumnGraph graph = graph_of(A);
  factor_ = std::make_unique<Factor>(A, Matching(graph), compact_);
  if (A.cols() == 0) return true;
  const bool ok = factor_->solver.compute(factor_->matrix);
  if (ok && compact_) {
    factor_->solver.keep_compact();
    factor_->work.assign(9 * static_cast<std::size_t>(factor_->matrix.rows()), 0.0);
  }
  return ok;
}

MatX ScalarCholesky::solve(const MatX& b) const {
  const std::vector<Index>& position = factor_->position;
  VecX packed_b = VecX::Zero(3 * static_cast<Eigen::Index>(factor_->matrix.rows())), packed_x = packed_b;
  MatX x(b.rows(), b.cols());
  for (Eigen::Index column = 0; column < b.cols() && b.rows() > 0; ++column) {
    for (Eigen::Index v = 0; v < b.rows(); ++v) packed_b[position[v]] = b(v, column);
    factor_->solver.solve(packed_b.data(), packed_x.data());
    for (Eigen::Index v = 0; v < b.rows(); ++v) x(v, column) = packed_x[position[v]];
  }
  return x;
}

void ScalarCholesky::solve(const Points& b, Points& x) const {
  if (b.cols() == 0) return;
  const std::vector<Index>& position = factor_->position;
  double* work = factor_->work.data();
  const auto at = [&](std::size_t v) { return Eigen::Map<Vec3>(work + 3 * static_cast<std::size_t>(position[v])); };
  const auto n = static_cast<std::size_t>(b.cols());
  parallel_for(
      n, [&](std::size_t v) { at(v) = b.col(static_cast<Eigen::Index>(v)); }, 4096);
  factor_->solver.solve3(work, work);
  parallel_for(
      n, [&](std::size_t v) { x.col(static_cast<Eigen::Index>(v)) = at(v); }, 4096);
}

std::size_t ScalarCholesky::memory_bytes() const {
  return factor_ ? factor_->solver.report().memory_bytes : 0;
}

}  // namespace sinew

#include "sinew/linalg/block_cholesky.h"

#include <algorithm>
#include <set>

namespace sinew {

BlockCholesky::BlockCholesky(std::vector<Index> sizes) : sizes_(std::move(sizes)), begin_(1, 0) {
  for (const Index size : sizes_) {
    begin_.push_back(begin_.back() + size);
    diagonal_.emplace_back(MatX::Zero(size, size));
  }
  pivots_ = diagonal_;
  of_row_.resize(sizes_.size());
}

MatX& BlockCholesky::block(Index i, Index j) {
  if (i == j) return diagonal_[i];
  const auto found = std::ranges::find(of_row_[i], j, &std::pair<Index, std::size_t>::first);
  if (found != of_row_[i].end()) return entries_[found->second].block;
  of_row_[i].emplace_back(j, entries_.size());
  entries_.push_back({i, j, MatX::Zero(sizes_[i], sizes_[j])});
  analysed_ = false;
  return entries_.back().block;
}

void BlockCholesky::confine(Index i, const MatX& P) {
  const auto k = P.rows();
  MatX& own = diagonal_[i];
  MatX corner = own.topLeftCorner(k, k).selfadjointView<Eigen::Lower>();
  const double mean = std::max(corner.diagonal().cwiseAbs().mean(), 1e-300);
  corner = P * corner * P + mean * (MatX::Identity(k, k) - P);
  own.topLeftCorner(k, k) = corner;
  const MatX below = own.bottomLeftCorner(own.rows() - k, k) * P;
  own.bottomLeftCorner(own.rows() - k, k) = below;
  for (Entry& entry : entries_) {
    if (entry.row == i) {
      const MatX rows = P * entry.block.topRows(k);
      entry.block.topRows(k) = rows;
    } else if (entry.column == i) {
      const MatX columns = entry.block.leftCols(k) * P;
      entry.block.leftCols(k) = columns;
    }
  }
}

void BlockCholesky::set_zero() {
  for (MatX& block : diagonal_) block.setZero();
  for (Entry& entry : entries_) entry.block.setZero();
}

void BlockCholesky::keep_diagonal() {
  if (entries_.empty()) return;
  entries_.clear();
  for (auto& row : of_row_) row.clear();
  analysed_ = false;
}

// 1. The order (minimum degree; George and Liu 1989): elimination of the block of least degree, whose neighbours become
// neighbours of each other.
void BlockCholesky::analyse() {
  const Index n = block_count();
  std::vector<std::set<Index>> neighbours(n);
  for (const Entry& entry : entries_) {
    if (entry.block.size() == 0) continue;
    neighbours[entry.row].insert(entry.column);
    neighbours[entry.column].insert(entry.row);
  }
  const auto weight = [&](Index i) {
    Index sum = 0;
    for (const Index j : neighbours[i]) sum += sizes_[j];
    return sum;
  };
  std::set<std::pair<Index, Index>> queue;  // (degree, block)
  std::vector<Index> degree(n), place(n);
  for (Index i = 0; i < n; ++i) queue.emplace(degree[i] = weight(i), i);
  columns_.clear();
  while (!queue.empty()) {
    const Index k = queue.begin()->second;
    queue.erase(queue.begin());
    place[k] = static_cast<Index>(columns_.size());
    Column column;
    column.pivot = k;
    for (const Index i : neighbours[k]) column.below.push_back({i, 0, false, -1});
    for (const Index i : neighbours[k]) {
      neighbours[i].erase(k);
      for (const Index j : neighbours[k])
        if (j != i) neighbours[i].insert(j);
    }
    for (const Index i : neighbours[k]) {
      queue.erase({degree[i], i});
      queue.emplace(degree[i] = weight(i), i);
    }
    columns_.push_back(std::move(column));
  }
  // 2. The blocks of L below each pivot, and the block of A that each begins as; fill begins as zero.
  factors_.clear();
  for (Column& column : columns_) {
    std::ranges::sort(column.below, {}, [&](const Below& b) { return place[b.row]; });
    for (Below& below : column.below) {
      below.factor = factors_.size();
      factors_.emplace_back(sizes_[below.row], sizes_[column.pivot]);
      const Index high = std::max(below.row, column.pivot), low = std::min(below.row, column.pivot);
      below.transposed = high == column.pivot;
      const auto found = std::ranges::find(of_row_[high], low, &std::pair<Index, std::size_t>::first);
      if (found != of_row_[high].end()) below.source = static_cast<std::ptrdiff_t>(found->second);
    }
  }
  // 3. For each pair (i, j) of blocks below a pivot k, the block that L_ik L_jk^T is taken from.
  for (Column& column : columns_) {
    for (std::size_t a = 0; a < column.below.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        Update update{column.below[a].factor, column.below[b].factor, -1, column.below[a].row};
        if (b < a) {
          const Column& other = columns_[place[column.below[b].row]];
          update.target =
              static_cast<std::ptrdiff_t>(std::ranges::find(other.below, column.below[a].row, &Below::row)->factor);
        }
        column.updates.push_back(update);
      }
  }
  analysed_ = true;
}

// The blocks of A below the diagonal in the order of elimination, or their transposes.
void BlockCholesky::load(std::vector<MatX>& factors, bool transposed) const {
  for (const Column& column : columns_)
    for (const Below& below : column.below) {
      MatX& to = factors[below.factor];
      if (below.source < 0)
        to.setZero(transposed ? sizes_[column.pivot] : sizes_[below.row],
                   transposed ? sizes_[below.row] : sizes_[column.pivot]);
      else if (below.transposed != transposed)
        to = entries_[below.source].block.transpose();
      else
        to = entries_[below.source].block;
    }
}

// Right-looking, column of blocks by column: L_kk L_kk^T = A_kk, L_ik = A_ik L_kk^-T, A_ij -= L_ik L_jk^T.
bool BlockCholesky::factor() {
  if (!analysed_) analyse();
  for (Index i = 0; i < block_count(); ++i) pivots_[i] = diagonal_[i];
  load(factors_, false);
  for (const Column& column : columns_) {
    Eigen::Ref<MatX> pivot(pivots_[column.pivot]);
    if (pivot.size() > 0 && Eigen::LLT<Eigen::Ref<MatX>>(pivot).info() != Eigen::Success) return false;
    for (const Below& below : column.below)
      pivot.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(factors_[below.factor]);
    for (const Update& update : column.updates) {
      const MatX &left = factors_[update.left], &right = factors_[update.right];
      if (update.target < 0)
        pivots_[update.row].triangularView<Eigen::Lower>() -= left * right.transpose();
      else
        factors_[update.target].noalias() -= left * right.transpose();
    }
  }
  return true;
}

// x <- L^-1 P x, in the places of the blocks.
void BlockCholesky::solve_lower(Eigen::Ref<VecX> x) const {
  for (const Column& column : columns_) {
    auto own = x.segment(begin_[column.pivot], sizes_[column.pivot]);
    pivots_[column.pivot].triangularView<Eigen::Lower>().solveInPlace(own);
    for (const Below& below : column.below)
      x.segment(begin_[below.row], sizes_[below.row]).noalias() -= factors_[below.factor] * own;
  }
}

void BlockCholesky::multiply(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> y) const {
  for (Index i = 0; i < block_count(); ++i)
    y.segment(begin_[i], sizes_[i]).noalias() =
        diagonal_[i].selfadjointView<Eigen::Lower>() * x.segment(begin_[i], sizes_[i]);
  for (const Entry& entry : entries_) {
    const Index i = entry.row, j = entry.column;
    y.segment(begin_[i], sizes_[i]).noalias() += entry.block * x.segment(begin_[j], sizes_[j]);
    y.segment(begin_[j], sizes_[j]).noalias() += entry.block.transpose() * x.segment(begin_[i], sizes_[i]);
  }
}

void BlockCholesky::solve(Eigen::Ref<VecX> x) const {
  solve_lower(x);
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
    auto own = x.segment(begin_[column->pivot], sizes_[column->pivot]);
    for (const Below& below : column->below)
      own.noalias() -= factors_[below.factor].transpose() * x.segment(begin_[below.row], sizes_[below.row]);
    pivots_[column->pivot].triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
}

double BlockCholesky::inverse_norm(Eigen::Ref<VecX> x) const {
  solve_lower(x);
  return x.norm();
}

// L_ik = A_ik, U_ki = A_kk^-1 A_ki, A_ij -= L_ik U_kj.
void BlockCholesky::factor_unsymmetric(const std::vector<MatX>& diagonal) {
  if (!analysed_) analyse();
  lower_.resize(factors_.size());
  upper_.resize(factors_.size());
  lu_.resize(sizes_.size());
  load(lower_, false);
  load(upper_, true);
  std::vector<MatX> pivots = diagonal;
  for (const Column& column : columns_) {
    const Index k = column.pivot;
    if (sizes_[k] == 0) continue;
    lu_[k].compute(pivots[k]);
    for (const Below& below : column.below) upper_[below.factor] = lu_[k].solve(upper_[below.factor]).eval();
    for (const Update& update : column.updates) {
      if (update.target < 0) {
        pivots[update.row].noalias() -= lower_[update.left] * upper_[update.left];
        continue;
      }
      lower_[update.target].noalias() -= lower_[update.left] * upper_[update.right];
      upper_[update.target].noalias() -= lower_[update.right] * upper_[update.left];
    }
  }
}

void BlockCholesky::solve_unsymmetric(Eigen::Ref<VecX> x) const {
  for (const Column& column : columns_) {
    if (sizes_[column.pivot] == 0) continue;
    auto own = x.segment(begin_[column.pivot], sizes_[column.pivot]);
    own = lu_[column.pivot].solve(own).eval();
    for (const Below& below : column.below)
      x.segment(begin_[below.row], sizes_[below.row]).noalias() -= lower_[below.factor] * own;
  }
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
    auto own = x.segment(begin_[column->pivot], sizes_[column->pivot]);
    for (const Below& below : column->below)
      own.noalias() -= upper_[below.factor] * x.segment(begin_[below.row], sizes_[below.row]);
  }
}

void BlockCholesky::diagonal_blocks(std::vector<MatX>& blocks) const {
  blocks.resize(diagonal_.size());
  for (std::size_t i = 0; i < diagonal_.size(); ++i) blocks[i] = diagonal_[i].selfadjointView<Eigen::Lower>();
}

}  // namespace sinew

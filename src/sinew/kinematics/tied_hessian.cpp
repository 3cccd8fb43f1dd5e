#include "sinew/kinematics/tied_hessian.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "sinew/core/parallel.h"
#include "sinew/kinematics/embedded_hessian.h"

namespace sinew {

// Block (i, j) of H reaches all blocks (a, b) of what i and j follow; block (i, i) those among what i follows.
void add_tied_pairs(const Embedding& ties, std::vector<std::pair<Index, Index>>& pairs) {
  const std::size_t own = pairs.size();
  const auto add = [&](Index i, Index j) {
    ties.for_each(i, [&](Index a, double) {
      ties.for_each(j, [&](Index b, double) {
        if (a != b) pairs.push_back(std::minmax(a, b));
      });
    });
  };
  for (std::size_t p = 0; p < own; ++p) {
    const auto [i, j] = pairs[p];
    if (ties.follows(i) || ties.follows(j)) add(i, j);
  }
  for (const Index tied : ties.followers()) add(tied, tied);
}

// (P^T H P)_ab = sum_ij p_ia H_ij p_jb over both triangles of H; of a <= b alone, H_ji = H_ij^T. P is the identity at
// vertices that nothing ties, so that only the blocks of tied vertices go elsewhere:
//
// 1. List what each of them adds, p_ia p_jb H_ij, to which block.
// 2. Sort by where it goes: each block of the result is then the sum of one task, in the same order always.
void TiedHessian::plan(const SymBlockMatrix& H) {
  shares_.clear();
  begin_.clear();
  tied_.clear();
  // Stage 1.
  for (Index i = 0; i < H.rows(); ++i) {
    const bool row_tied = ties_->follows(i);
    for (std::int64_t slot = pattern_->row_begin[i]; slot < pattern_->row_begin[i + 1]; ++slot) {
      const Index j = pattern_->columns[slot];
      if (!row_tied && !ties_->follows(j)) continue;
      tied_.push_back(slot);
      ties_->for_each(i, [&](Index a, double wa) {
        ties_->for_each(j, [&](Index b, double wb) {
          const double w = wa * wb;
          if (a <= b) shares_.push_back({pattern_->find(a, b), slot, w, false});
          if (i != j && b <= a) shares_.push_back({pattern_->find(b, a), slot, w, true});
        });
      });
    }
  }
  // Stage 2.
  if (std::ranges::any_of(shares_, [](const Share& share) { return share.to < 0; }))
    throw std::logic_error("the pattern of a Hessian lacks blocks of what its tied vertices follow");
  parallel_sort(shares_.begin(), shares_.end(), [](const Share& p, const Share& q) {
    return std::tie(p.to, p.from, p.transposed, p.weight) < std::tie(q.to, q.from, q.transposed, q.weight);
  });
  for (std::size_t s = 0; s < shares_.size(); ++s)
    if (s == 0 || shares_[s].to != shares_[s - 1].to) begin_.push_back(static_cast<std::int64_t>(s));
  begin_.push_back(static_cast<std::int64_t>(shares_.size()));
}

// H <- P^T H P, in place: blocks of tied vertices are read and never written while shares are added, and are zero in
// the end. Such rows have no equation; whoever solves sets their diagonal (SymBlockMatrix::constrain).
void TiedHessian::condense(const std::shared_ptr<const Embedding>& ties, SymBlockMatrix& H) {
  if (!ties) return;
  for (const RankOne& term : H.take_ranks()) H.add_rank(pulled_back(term, *ties, H.rows()));
  if (ties_ != ties || pattern_ != H.shared_pattern()) {
    ties_ = ties;
    pattern_ = H.shared_pattern();
    plan(H);
  }
  parallel_for(
      begin_.size() - 1,
      [&](std::size_t k) {
        double* block = H.block(shares_[begin_[k]].to);
        for (std::int64_t s = begin_[k]; s < begin_[k + 1]; ++s) {
          const Share& share = shares_[s];
          const double* from = H.block(share.from);
          if (share.transposed) {
            for (int c = 0; c < 3; ++c)
              for (int r = 0; r < 3; ++r) block[3 * c + r] += share.weight * from[3 * r + c];
          } else {
            for (int e = 0; e < 9; ++e) block[e] += share.weight * from[e];
          }
        }
      },
      64);
  parallel_for(
      tied_.size(), [&](std::size_t s) { std::fill_n(H.block(tied_[s]), 9, 0.0); }, 1024);
}

}  // namespace sinew

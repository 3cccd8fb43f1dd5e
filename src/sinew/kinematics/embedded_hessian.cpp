#include "sinew/kinematics/embedded_hessian.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

bool is_zero(const double* block) {
  return std::all_of(block, block + 9, [](double value) { return value == 0; });
}

}  // namespace

// Block (i, j) of S reaches all blocks (a, b) of what i and j follow. Block (i, i) reaches those among what i follows.
void expand_pairs(const Embedding& embedding, std::vector<std::pair<Index, Index>>& pairs) {
  if (embedding.empty()) return;
  std::vector<std::pair<Index, Index>> expanded;
  expanded.reserve(pairs.size());
  for (const auto& pair : pairs) {
    embedding.for_each(pair.first, [&](Index a, double) {
      embedding.for_each(pair.second, [&](Index b, double) {
        if (a != b) expanded.push_back(std::minmax(a, b));
      });
    });
  }
  pairs.swap(expanded);
}

RankOne pulled_back(const RankOne& term, const Embedding& embedding, Index rows) {
  std::map<Index, Vec3> sums;
  for (std::size_t i = 0; i < term.rows.size(); ++i)
    embedding.for_each(term.rows[i], [&](Index v, double weight) {
      if (v < rows) sums.try_emplace(v, Vec3::Zero()).first->second += weight * term.u.col(static_cast<Index>(i));
    });
  RankOne result{term.factor, {}, Points(3, static_cast<Index>(sums.size()))};
  for (const auto& [v, sum] : sums) {
    result.u.col(static_cast<Index>(result.rows.size())) = sum;
    result.rows.push_back(v);
  }
  return result;
}

// (W^T S W)_ab = sum_ij w_ia S_ij w_jb over both triangles of S, S_ji = S_ij^T, in two stages:
//
// 1. The shares of each row a, w_ia S_ij, by counting: how many a row has, where they begin, then one by one in the
//    order of S.
// 2. Row by row H_ab += share w_jb, a <= b.
void EmbeddedHessian::add(const Embedding& embedding, const IndexSet& acting, SymBlockMatrix& S, SymBlockMatrix& H) {
  const Index rows = H.rows();
  for (const RankOne& term : S.take_ranks()) H.add_rank(pulled_back(term, embedding, rows));
  const BlockPattern& from = S.pattern();
  // Calls visit(i) for the rows of S that may have blocks, ascending.
  const auto for_each_row = [&](auto&& visit) {
    for (Index i = 0; i < rows; ++i)
      if (!embedding.follows(i)) visit(i);
    acting.for_each(visit);
  };
  // Calls visit(a, share) for all shares.
  const auto for_each_share = [&](auto&& visit) {
    for_each_row([&](Index i) {
      for (std::int64_t slot = from.row_begin[i]; slot < from.row_begin[i + 1]; ++slot) {
        if (is_zero(S.block(slot))) continue;
        const Index j = from.columns[slot];
        embedding.for_each(i, [&](Index a, double w) {
          if (a < rows) visit(a, Share{slot, j, w, false});
        });
        if (i == j) continue;
        embedding.for_each(j, [&](Index a, double w) {
          if (a < rows) visit(a, Share{slot, i, w, true});
        });
      }
    });
  };
  // Stage 1.
  begin_.assign(static_cast<std::size_t>(rows) + 1, 0);
  for_each_share([&](Index a, const Share&) { ++begin_[a + 1]; });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  shares_.resize(static_cast<std::size_t>(begin_.back()));
  next_.assign(begin_.begin(), begin_.end() - 1);
  for_each_share([&](Index a, const Share& share) { shares_[next_[a]++] = share; });
  // Stage 2.
  const BlockPattern& to = H.pattern();
  parallel_for(
      rows,
      [&](std::size_t row) {
        const auto a = static_cast<Index>(row);
        for (std::int64_t s = begin_[row]; s < begin_[row + 1]; ++s) {
          const Share& share = shares_[s];
          const Eigen::Map<const Mat3> block(S.block(share.slot));
          const Mat3 scaled = share.weight * (share.transposed ? Mat3(block.transpose()) : Mat3(block));
          embedding.for_each(share.other, [&](Index b, double w) {
            if (b >= a && b < rows) Eigen::Map<Mat3>(H.block(to.find(a, b))) += w * scaled;
          });
        }
      },
      16);
  for_each_row([&](Index i) { std::fill(S.block(from.row_begin[i]), S.block(from.row_begin[i + 1]), 0.0); });
}

}  // namespace sinew

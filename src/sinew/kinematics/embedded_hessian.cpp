#include "sinew/kinematics/embedded_hessian.h"

#include <algorithm>
#include <tuple>

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
  for (const auto& [i, j] : pairs) {
    embedding.for_each(i, [&](Index a, double) {
      embedding.for_each(j, [&](Index b, double) {
        if (a != b) expanded.push_back(std::minmax(a, b));
      });
    });
  }
  pairs.swap(expanded);
}

bool EmbeddedHessian::planned(const SymBlockMatrix& S, const SymBlockMatrix& H) const {
  if (from_ != S.shared_pattern() || to_ != H.shared_pattern()) return false;
  for (std::int64_t slot = 0; slot < S.pattern().block_count(); ++slot)
    if (!known_[slot] && !is_zero(S.block(slot))) return false;
  return true;
}

// (W^T S W)_ab = sum_ij w_ia S_ij w_jb over both triangles of S; of a <= b alone, S_ji = S_ij^T.
void EmbeddedHessian::plan(const Embedding& embedding, const SymBlockMatrix& S, const SymBlockMatrix& H) {
  from_ = S.shared_pattern();
  to_ = H.shared_pattern();
  known_.assign(static_cast<std::size_t>(from_->block_count()), 0);
  shares_.clear();
  const Index rows = H.rows();
  for (Index i = 0; i < S.rows(); ++i) {
    for (std::int64_t slot = from_->row_begin[i]; slot < from_->row_begin[i + 1]; ++slot) {
      if (is_zero(S.block(slot))) continue;
      known_[slot] = 1;
      const Index j = from_->columns[slot];
      embedding.for_each(i, [&](Index a, double wa) {
        embedding.for_each(j, [&](Index b, double wb) {
          if (a >= rows || b >= rows) return;
          const double w = wa * wb;
          if (a <= b) shares_.push_back({to_->find(a, b), slot, w, false});
          if (i != j && b <= a) shares_.push_back({to_->find(b, a), slot, w, true});
        });
      });
    }
  }
  parallel_sort(shares_.begin(), shares_.end(), [](const Share& p, const Share& q) {
    return std::tie(p.to, p.from, p.transposed, p.weight) < std::tie(q.to, q.from, q.transposed, q.weight);
  });
  begin_.clear();
  for (std::size_t s = 0; s < shares_.size(); ++s)
    if (s == 0 || shares_[s].to != shares_[s - 1].to) begin_.push_back(static_cast<std::int64_t>(s));
  begin_.push_back(static_cast<std::int64_t>(shares_.size()));
}

void EmbeddedHessian::add(const Embedding& embedding, const SymBlockMatrix& S, SymBlockMatrix& H) {
  if (!planned(S, H)) plan(embedding, S, H);
  parallel_for(
      begin_.size() - 1,
      [&](std::size_t k) {
        double* block = H.block(shares_[begin_[k]].to);
        for (std::int64_t s = begin_[k]; s < begin_[k + 1]; ++s) {
          const Share& share = shares_[s];
          const double* from = S.block(share.from);
          if (share.transposed) {
            for (int c = 0; c < 3; ++c)
              for (int r = 0; r < 3; ++r) block[3 * c + r] += share.weight * from[3 * r + c];
          } else {
            for (int e = 0; e < 9; ++e) block[e] += share.weight * from[e];
          }
        }
      },
      64);
}

}  // namespace sinew

#include "sinew/adaptive/enriched_coupling.h"

#include <algorithm>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

void EnrichedCoupling::set(const SymBlockMatrix& C, std::span<const char> enriched) {
  std::vector<Index> number(enriched.size());  // of a row among the enriched or among the others
  Index enriched_count = 0, other_count = 0;
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = enriched[i] ? enriched_count++ : other_count++;
  struct Block {
    Index row, column;
    double value[9];
  };
  std::vector<Block> blocks;
  const BlockPattern& from = C.pattern();
  for (Index i = 0; i < from.rows; ++i)
    for (auto slot = from.row_begin[i] + 1; slot < from.row_begin[i + 1]; ++slot) {
      const Index j = from.columns[slot];
      if ((enriched[i] != 0) == (enriched[j] != 0)) continue;
      Block block{enriched[i] ? number[i] : number[j], enriched[i] ? number[j] : number[i], {}};
      const double* value = C.block(slot);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) block.value[3 * b + a] = enriched[i] ? value[3 * b + a] : value[3 * a + b];
      blocks.push_back(block);
    }
  std::ranges::sort(
      blocks, [](const Block& a, const Block& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
  begin_.assign(static_cast<std::size_t>(enriched_count) + 1, 0);
  column_.clear();
  value_.clear();
  for (const Block& block : blocks) {
    ++begin_[block.row + 1];
    column_.push_back(block.column);
    value_.insert(value_.end(), block.value, block.value + 9);
  }
  for (Index i = 0; i < enriched_count; ++i) begin_[i + 1] += begin_[i];
  const IndexLists transposed = grouped(column_, other_count);
  transposed_begin_ = transposed.begin;
  transposed_slot_.assign(transposed.items.begin(), transposed.items.end());
  transposed_row_.resize(blocks.size());
  for (std::size_t k = 0; k < transposed.items.size(); ++k) transposed_row_[k] = blocks[transposed.items[k]].row;
}

void EnrichedCoupling::to_others(const double* x, Points& p) const {
  p.resize(3, static_cast<Index>(transposed_begin_.size()) - 1);
  parallel_for(
      p.cols(),
      [&](std::size_t j) {
        Vec3 sum = Vec3::Zero();
        for (auto k = transposed_begin_[j]; k < transposed_begin_[j + 1]; ++k) {
          const double* value = value_.data() + 9 * transposed_slot_[k];
          const double* at = x + 3 * static_cast<std::size_t>(transposed_row_[k]);
          for (int b = 0; b < 3; ++b)
            for (int a = 0; a < 3; ++a) sum[b] += value[3 * b + a] * at[a];
        }
        p.col(j) = sum;
      },
      1024);
}

void EnrichedCoupling::subtract(const Points& p, double* y) const {
  parallel_for(
      begin_.size() - 1,
      [&](std::size_t i) {
        for (auto k = begin_[i]; k < begin_[i + 1]; ++k) {
          const double* value = value_.data() + 9 * k;
          const auto at = p.col(column_[k]);
          for (int b = 0; b < 3; ++b)
            for (int a = 0; a < 3; ++a) y[3 * i + a] -= value[3 * b + a] * at[b];
        }
      },
      1024);
}

}  // namespace sinew

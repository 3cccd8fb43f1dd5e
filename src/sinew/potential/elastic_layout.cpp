#include "sinew/potential/elastic_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {

namespace {

// Tets a chunk: enough chunks for many threads on a small mesh, and short passes over few colours on a large one. A
// multiple of two packs, which the kernels take at a time. Independent of the number of threads.
Index chunk_size(Index tets) {
  const Index step = 2 * lane_count;
  return std::clamp<Index>(tets / 400 / step * step, 4 * step, 1024);
}

constexpr std::array<std::array<int, 2>, 6> tet_edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

}  // namespace

ElasticLayout::ElasticLayout(const Points& rest, const Tets& tets, std::span<const ElasticGroup> groups,
                             Index dynamic_count)
    : tet_count_(static_cast<Index>(tets.cols())), dynamic_count_(dynamic_count) {
  pack_tets(rest, tets, groups);
  number_edges();
  make_chunks(groups);
  color_chunks();
}

void ElasticLayout::pack_tets(const Points& rest, const Tets& tets, std::span<const ElasticGroup> groups) {
  for (const ElasticGroup& group : groups)
    pack_count_ += (group.tet_end - group.tet_begin + lane_count - 1) / lane_count;
  shapes_.resize(std::size_t{9} * lane_count * pack_count_);
  vertices_.resize(std::size_t{4} * lane_count * pack_count_);
  volumes_.assign(static_cast<std::size_t>(tet_count_) + 2 * lane_count, 0.0);
  vertex_count_ = tet_count_ > 0 ? tets.maxCoeff() + 1 : 0;
  Index pack = 0;
  for (const ElasticGroup& group : groups) {
    const Index packs = (group.tet_end - group.tet_begin + lane_count - 1) / lane_count;
    parallel_for(packs, [&](std::size_t p) {
      for (Index lane = 0; lane < lane_count; ++lane) {
        // Lanes past the end repeat the last tet, so that they hold harmless numbers.
        const Index wanted = group.tet_begin + static_cast<Index>(p) * lane_count + lane;
        const Index tet = std::min(wanted, group.tet_end - 1);
        std::array<Index, 4> v{tets(0, tet), tets(1, tet), tets(2, tet), tets(3, tet)};
        std::sort(v.begin(), v.end());
        Mat3 D;
        for (int a = 0; a < 3; ++a) D.col(a) = rest.col(v[a + 1]) - rest.col(v[0]);
        const double volume = std::abs(D.determinant()) / 6;
        const Mat3 B = D.inverse();
        if (!(volume > 0) || !B.allFinite()) fail_input("tet {} (in the order of the simulation) has no volume", tet);
        if (wanted == tet) volumes_[tet] = volume;
        const std::size_t at = static_cast<std::size_t>(pack + p) * lane_count;
        for (int a = 0; a < 4; ++a) vertices_[4 * at + a * lane_count + lane] = v[a];
        for (int k = 0; k < 9; ++k) shapes_[9 * at + k * lane_count + lane] = B(k / 3, k % 3);
      }
    });
    pack += packs;
  }
}

void ElasticLayout::number_edges() {
  std::vector<std::pair<Index, Index>> pairs(std::size_t{6} * lane_count * pack_count_);
  parallel_for(pack_count_, [&](std::size_t p) {
    const Index* v = vertices(static_cast<Index>(p));
    for (int e = 0; e < 6; ++e)
      for (int lane = 0; lane < lane_count; ++lane)
        pairs[(6 * p + e) * lane_count + lane] = {v[tet_edges[e][0] * lane_count + lane],
                                                  v[tet_edges[e][1] * lane_count + lane]};
  });
  edge_pattern_ = make_pattern(vertex_count_, pairs);
  edges_.resize(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t k) {
    edges_[k] = static_cast<Index>(edge_pattern_->find(pairs[k].first, pairs[k].second));
  });
}

void ElasticLayout::make_chunks(std::span<const ElasticGroup> groups) {
  const Index size = chunk_size(tet_count_);
  Index pack = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (Index t = groups[g].tet_begin; t < groups[g].tet_end; t += size) {
      const Index end = std::min(groups[g].tet_end, t + size);
      chunks_.push_back({static_cast<Index>(g), t, end, pack});
      pack += (end - t + lane_count - 1) / lane_count;
    }
  }
}

// Greedy, in the order of the chunks: of the colours not used at any of a chunk's vertices the one with the fewest
// chunks so far, a new one only if there is none.
void ElasticLayout::color_chunks() {
  std::vector<std::vector<Index>> by_color;
  std::vector<std::vector<std::uint64_t>> used;  // [64 colours][vertex], bit set
  for (Index c = 0; c < static_cast<Index>(chunks_.size()); ++c) {
    const Index packs = (chunks_[c].tet_end - chunks_[c].tet_begin + lane_count - 1) / lane_count;
    const std::span<const Index> touched(vertices(chunks_[c].pack_begin), std::size_t{4} * lane_count * packs);
    Index best = -1;
    for (std::size_t word = 0; word < used.size(); ++word) {
      std::uint64_t forbidden = 0;
      for (Index v : touched) forbidden |= used[word][v];
      for (std::size_t k = 64 * word; k < std::min(by_color.size(), 64 * (word + 1)); ++k) {
        if (forbidden >> (k % 64) & 1) continue;
        if (best < 0 || by_color[k].size() < by_color[best].size()) best = static_cast<Index>(k);
      }
    }
    if (best < 0) {
      best = static_cast<Index>(by_color.size());
      by_color.emplace_back();
      if (best % 64 == 0) used.emplace_back(vertex_count_, 0);
    }
    by_color[best].push_back(c);
    for (Index v : touched) used[best / 64][v] |= std::uint64_t{1} << (best % 64);
  }
  color_begin_.push_back(0);
  for (const std::vector<Index>& list : by_color) {
    colored_chunks_.insert(colored_chunks_.end(), list.begin(), list.end());
    color_begin_.push_back(static_cast<Index>(colored_chunks_.size()));
  }
}

Index ElasticLayout::chunk_of(Index tet) const {
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), tet,
                                      [](Index t, const Chunk& chunk) { return t < chunk.tet_begin; });
  return static_cast<Index>(after - chunks_.begin()) - 1;
}

void ElasticLayout::find_slots(const BlockPattern& pattern, std::vector<std::int64_t>& slots) const {
  const BlockPattern& edges = *edge_pattern_;
  slots.resize(edges.block_count());
  parallel_for(edges.rows, [&](std::size_t row) {
    const bool has_equations = static_cast<Index>(row) < dynamic_count_;
    std::int64_t at = has_equations ? pattern.row_begin[row] : 0;
    const std::int64_t end = has_equations ? pattern.row_begin[row + 1] : 0;
    for (std::int64_t e = edges.row_begin[row]; e < edges.row_begin[row + 1]; ++e) {
      slots[e] = -1;
      if (!has_equations || edges.columns[e] >= dynamic_count_) continue;
      while (at < end && pattern.columns[at] != edges.columns[e]) ++at;
      if (at == end) throw Error("elastic energy: the pattern of the matrix lacks an edge of a tet");
      slots[e] = at;
    }
  });
}

}  // namespace sinew

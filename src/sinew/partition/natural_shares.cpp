#include "sinew/partition/natural_shares.h"

#include <algorithm>
#include <limits>

#include "sinew/partition/component.h"
#include "sinew/partition/domain.h"

namespace sinew {
namespace {

constexpr int unlimited = std::numeric_limits<int>::max();

// The tets at each vertex, as compressed rows.
struct Corners {
  std::vector<std::int64_t> begin;
  std::vector<Index> tet;

  explicit Corners(const Domain& domain) : begin(static_cast<std::size_t>(domain.vertex_count()) + 1, 0) {
    for (const Index v : domain.tets.reshaped()) ++begin[v + 1];
    for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    tet.resize(begin.back());
    std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
    for (Index t = 0; t < domain.tet_count(); ++t)
      for (const Index v : domain.tets.col(t)) tet[next[v]++] = t;
  }
};

// A greedy packing: goes through the vertices of a component from one end to the other, in the order of a breadth-first
// search so that the numbering does not matter, and picks each one that is at least natural_spacing edges from all
// picked before.
class Packing {
 public:
  explicit Packing(const Domain& domain)
      : domain_(domain), corners_(domain), seen_(domain.vertex_count(), -1), covered_(domain.vertex_count(), 0) {}

  // The size of the packing of the component of this vertex, at most one for each least_cluster free vertices. The end
  // at which it starts is the last vertex that a search from any vertex reaches.
  Index count(Index start) {
    reach(start, unlimited);
    reach(queue_.back(), unlimited);
    const std::vector<Index> order = queue_;
    Index picked = 0, free = 0;
    for (const Index v : order) {
      if (domain_.fixed[v]) continue;
      ++free;
      if (covered_[v]) continue;
      ++picked;
      reach(v, natural_spacing - 1);
      for (const Index near : queue_) covered_[near] = 1;
    }
    for (const Index v : order) covered_[v] = 0;
    return std::min(picked, free / least_cluster);
  }

 private:
  // The vertices at most `hops` edges from `start`, the nearest first.
  void reach(Index start, int hops) {
    ++round_;
    queue_.assign(1, start);
    seen_[start] = round_;
    std::size_t begin = 0;
    for (int hop = 0; hop < hops && begin < queue_.size(); ++hop) {
      const std::size_t end = queue_.size();
      for (; begin < end; ++begin) spread(queue_[begin]);
    }
  }

  // Adds the vertices that share a tet with `vertex` and were not seen in this round.
  void spread(Index vertex) {
    for (auto k = corners_.begin[vertex]; k < corners_.begin[vertex + 1]; ++k) {
      for (const Index v : domain_.tets.col(corners_.tet[k])) {
        if (seen_[v] == round_) continue;
        seen_[v] = round_;
        queue_.push_back(v);
      }
    }
  }

  const Domain& domain_;
  Corners corners_;
  std::vector<Index> seen_;  // by vertex: the round it was last reached in
  std::vector<char> covered_;
  std::vector<Index> queue_;
  Index round_ = -1;
};

}  // namespace

std::vector<Index> natural_shares(const Domain& domain, const ComponentTets& components) {
  std::vector<Index> share(domain.component_count);
  Packing packing(domain);
  for (std::size_t c = 0; c < share.size(); ++c)
    share[c] = std::max<Index>(1, packing.count(domain.tets(0, components.items[components.offsets[c]])));
  return share;
}

}  // namespace sinew

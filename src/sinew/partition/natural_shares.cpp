#include "sinew/partition/natural_shares.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sinew/partition/component.h"
#include "sinew/partition/domain.h"

namespace sinew {
namespace {

constexpr double rod_vertices = 300, solid_vertices = 500;  // a handle
constexpr double rod_growth = 1.6, solid_growth = 2.1;     // nets of rods are between a rod and a shell
constexpr int near_hops = 3, far_hops = 6;
constexpr std::size_t samples = 24;  // of a component

// Tets at each vertex.
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

// Growth of the number of vertices within some edges of a vertex: about 1 in a rod, 2 in a shell, 3 in a solid.
class Growth {
 public:
  explicit Growth(const Domain& domain) : domain_(domain), corners_(domain), seen_(domain.vertex_count(), -1) {}

  double around(Index start) {
    ++round_;
    queue_.assign(1, start);
    seen_[start] = round_;
    std::size_t begin = 0, within = 0;
    for (int hop = 1; hop <= far_hops; ++hop) {
      const std::size_t end = queue_.size();
      for (; begin < end; ++begin) spread(queue_[begin]);
      if (hop == near_hops) within = queue_.size();
    }
    return std::log2(static_cast<double>(queue_.size()) / static_cast<double>(within)) /
           std::log2(static_cast<double>(far_hops) / near_hops);
  }

 private:
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
  std::vector<Index> seen_, queue_;
  Index round_ = -1;
};

}  // namespace

std::vector<Index> natural_shares(const Domain& domain, const ComponentTets& components,
                                  const std::vector<Index>& free_vertices) {
  std::vector<Index> share(free_vertices.size(), 1);
  Growth growth(domain);
  std::vector<double> found;
  for (std::size_t c = 0; c < share.size(); ++c) {
    if (free_vertices[c] < 2 * rod_vertices) continue;
    const auto tets = std::span(components.items)
                          .subspan(components.offsets[c], components.offsets[c + 1] - components.offsets[c]);
    found.clear();
    for (std::size_t s = 0; s < std::min(samples, tets.size()); ++s)
      found.push_back(growth.around(domain.tets(0, tets[(2 * s + 1) * tets.size() / (2 * samples)])));
    std::nth_element(found.begin(), found.begin() + found.size() / 2, found.end());
    const double median = found[found.size() / 2];
    const double beyond_rod = std::clamp((median - rod_growth) / (solid_growth - rod_growth), 0.0, 1.0);
    const double vertices = rod_vertices * std::pow(solid_vertices / rod_vertices, beyond_rod);
    share[c] = std::max<Index>(1, static_cast<Index>(std::lround(free_vertices[c] / vertices)));
  }
  return share;
}

}  // namespace sinew

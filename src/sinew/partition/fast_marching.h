// Geodesic distances through a tet mesh by fast marching (Kimmel and Sethian 1998, here on tets). Vertices are accepted
// in ascending order of distance. Other vertices take the shortest path through a tet, face or edge with accepted
// vertices.
//
// The metric of a tet of stiffness k is |dx| / sqrt(k): stiff tets are short. A pass over m tets costs about 6 m
// updates, of which a sixth solve for three known vertices. First-order accurate.
#pragma once

#include <array>

#include "sinew/mesh/surface.h"
#include "sinew/partition/source_distances.h"

namespace sinew {

class FastMarching final : public SourceDistances {
 public:
  // stiffness: by tet, > 0. The mesh must outlive this.
  FastMarching(const Points& vertices, const Tets& tets, std::span<const double> stiffness);

  void add_source(Index vertex, std::vector<Index>& changed) override;

  // Keeps distances to unchanged sources unless another source is nearer, so that late k-means iterations cost little.
  void set_sources(std::span<const Index> sources) override;

 private:
  struct TetMetric {
    std::array<double, 10> gram;  // Gram matrix of the hat gradients, lower triangle by rows
    double slowness = 0;          // 1 / sqrt(k)
  };
  using Front = std::vector<std::pair<double, Index>>;  // a heap

  void push(Index vertex);
  void march(std::vector<Index>* changed);
  void update(Index tet, int local, Index accepted);
  void lower(Index vertex, double distance, Index origin);

  const Points& vertices_;
  const Tets& tets_;
  Incidence incidence_;
  std::vector<TetMetric> metric_;
  Front front_;
  std::vector<char> mark_;  // n entries, zero between calls
};

}  // namespace sinew

// Distances from the vertices of a mesh to the nearest of some source vertices: what a k-means over vertices needs of a
// metric.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class SourceDistances {
 public:
  explicit SourceDistances(Index vertex_count)
      : distance_(vertex_count, std::numeric_limits<double>::infinity()), origin_(vertex_count, -1) {}
  virtual ~SourceDistances() = default;

  // Takes in one more source; adds the vertices that come nearer to `changed` (with repetitions).
  virtual void add_source(Index vertex, std::vector<Index>& changed) = 0;

  // The distances to these sources instead of those before.
  virtual void set_sources(std::span<const Index> sources) = 0;

  // n: infinite where no source is reached.
  const std::vector<double>& distance() const { return distance_; }

  // n: the nearest source, -1 where there is none.
  const std::vector<Index>& origin() const { return origin_; }

 protected:
  std::vector<double> distance_;
  std::vector<Index> origin_;
};

}  // namespace sinew

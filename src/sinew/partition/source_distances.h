// The interface of distances from a mesh's vertices to the nearest source vertex: the metric of a k-means over
// vertices.
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

  // Adds a source. Appends the vertices whose distance decreases to `changed`, possibly several times.
  virtual void add_source(Index vertex, std::vector<Index>& changed) = 0;

  // Replaces all sources.
  virtual void set_sources(std::span<const Index> sources) = 0;

  // n entries; infinite if no source is reached.
  const std::vector<double>& distance() const { return distance_; }

  // n entries: the nearest source, or -1.
  const std::vector<Index>& origin() const { return origin_; }

 protected:
  std::vector<double> distance_;
  std::vector<Index> origin_;
};

}  // namespace sinew

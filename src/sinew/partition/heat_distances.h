// Geodesic distances by heat diffusion (Crane et al. 2013) with a stiffness-weighted Laplacian (theory, section
// 5): the directions of steepest descent of heat that has spread for a short time from all sources, integrated.
//
// Two factorisations at the start, two solves for each set of sources. Distances are smoothed over about an edge; the
// nearest source is found by going down from vertex to vertex.
#pragma once

#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/partition/component.h"
#include "sinew/partition/fast_marching.h"

namespace sinew {

class HeatDistances final : public SourceDistances {
 public:
  // The component must outlive this.
  explicit HeatDistances(const Component& component);

  // Seeds need no smoothing: by fast marching in the same metric.
  void add_source(Index vertex, std::vector<Index>& changed) override;

  void set_sources(std::span<const Index> sources) override;

 private:
  VecX divergence(const VecX& heat) const;
  void trace_origins(const VecX& phi, std::span<const Index> sources);

  const Component& component_;
  SparseMatrix laplacian_;
  ScalarCholesky diffusion_;  // M + t L
  ScalarCholesky poisson_;    // L with its first unknown held
  FastMarching seeds_;
};

}  // namespace sinew

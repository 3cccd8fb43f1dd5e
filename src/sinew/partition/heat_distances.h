// Geodesic distances by heat diffusion (Crane et al. 2013) with a stiffness-weighted Laplacian (theory, section 5).
// Heat diffuses from all sources for a short time. Its normalised descent directions are then integrated.
//
// Makes two factorisations at the start, and two solves for each set of sources. Distances are smoothed over about an
// edge. The nearest source is found by descending from vertex to vertex.
#pragma once

#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/partition/component.h"
#include "sinew/partition/fast_marching.h"

namespace sinew {

class HeatDistances final : public SourceDistances {
 public:
  // The component must outlive this.
  explicit HeatDistances(const Component& component);

  // Uses fast marching in the same metric, because seeding needs no smoothing.
  void add_source(Index vertex, std::vector<Index>& changed) override;

  void set_sources(std::span<const Index> sources) override;

 private:
  VecX divergence(const VecX& heat) const;
  void trace_origins(const VecX& phi, std::span<const Index> sources);

  const Component& component_;
  SparseMatrix laplacian_;
  ScalarCholesky diffusion_;  // M + t L
  ScalarCholesky poisson_;    // L with its first unknown fixed
  FastMarching seeds_;
};

}  // namespace sinew

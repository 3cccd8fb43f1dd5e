// Checks of the elastic energy that several tests make.
#pragma once

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/potential/elastic_energy.h"

namespace sinew::test {

// Twice the weights of all tets give twice the derivatives without weights.
inline void expect_weighted_derivatives(const ElasticEnergy& energy, Index tet_count, const Points& x) {
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  const auto n = static_cast<Index>(x.cols());
  SymBlockMatrix all(make_pattern(n, pairs)), weighted(all.shared_pattern());
  Points g = Points::Zero(3, n), g_weighted = g;
  energy.add_derivatives(x, 1, Projection::psd, g, all);
  std::vector<Index> tets;
  for (Index t = 0; t < tet_count; ++t) tets.push_back(t);
  energy.add_derivatives(x, tets, std::vector<double>(tets.size(), 2.0), 1, Projection::psd, g_weighted, weighted);
  double difference = 0, largest = 0;
  for (std::size_t k = 0; k < all.values().size(); ++k) {
    difference = std::max(difference, std::abs(2 * all.values()[k] - weighted.values()[k]));
    largest = std::max(largest, std::abs(all.values()[k]));
  }
  EXPECT_LE(difference, 1e-13 * largest);
}

}  // namespace sinew::test

#include "sinew/model/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// An equal share of the triangle's rest area.
void measure_areas(const Points& rest, CollisionMesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.is_sample(mesh.vertices[i])) continue;
    mesh.vertex_area[i] =
        triangle_area(rest, mesh.sample_corners, mesh.vertices[i] - mesh.sample_begin) / mesh.samples_of_triangle;
  }
}

// s = 1/2 + log2(h_b / h_a) between 0 and 1, where the mean area of a triangle is about h^2 / 2.
void measure_shares(const Points& rest, CollisionMesh& mesh) {
  std::vector<double> mean_area(mesh.owner_count, 0), count(mesh.owner_count, 0);
  for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
    const Index owner = mesh.vertex_owner[mesh.triangles(0, t)];
    mean_area[owner] += triangle_area(rest, mesh.triangles, t);
    ++count[owner];
  }
  for (Index owner = 0; owner < mesh.owner_count; ++owner) mean_area[owner] /= count[owner];
  std::vector<char> sampled(mesh.owner_count, 0);
  for (Eigen::Index s = 0; s < mesh.sample_corners.cols(); ++s)
    sampled[mesh.vertex_owner[mesh.sample_begin + static_cast<Index>(s)]] = 1;
  mesh.sample_share.assign(static_cast<std::size_t>(mesh.owner_count) * mesh.owner_count, 0);
  for (Index a = 0; a < mesh.owner_count; ++a) {
    for (Index b = 0; b < mesh.owner_count; ++b) {
      double& share = mesh.sample_share[static_cast<std::size_t>(a) * mesh.owner_count + b];
      if (!sampled[a]) continue;
      share = sampled[b] ? std::clamp(0.5 + 0.5 * std::log2(mean_area[b] / mean_area[a]), 0.0, 1.0) : 1;
    }
  }
}

// Each edge and each corner belongs to the first triangle that has it. With t(e) and t(v) the numbers of triangles
// around an edge and a vertex, an edge counts 1 - t(e) times and a vertex 1 - t(v) + sum_e (t(e) - 1).
void count_features(CollisionMesh& mesh) {
  struct Feature {
    Index triangle = 0;
    int side = 0, triangles = 0;
  };
  std::map<std::pair<Index, Index>, Feature> edges;
  std::map<Index, Feature> corners;
  for (Index t = 0; t < static_cast<Index>(mesh.triangles.cols()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(k, t), b = mesh.triangles((k + 1) % 3, t);
      ++edges.try_emplace(std::minmax(a, b), Feature{t, k}).first->second.triangles;
      ++corners.try_emplace(a, Feature{t, k}).first->second.triangles;
    }
  }
  mesh.feature.assign(static_cast<std::size_t>(mesh.triangles.cols()), {});
  std::map<Index, int> around;  // by vertex: sum_e (t(e) - 1)
  for (const auto& [ends, edge] : edges) {
    mesh.feature[edge.triangle].edge[edge.side] = static_cast<std::int8_t>(1 - edge.triangles);
    around[ends.first] += edge.triangles - 1;
    around[ends.second] += edge.triangles - 1;
  }
  for (const auto& [vertex, corner] : corners)
    mesh.feature[corner.triangle].corner[corner.side] = static_cast<std::int8_t>(1 - corner.triangles + around[vertex]);
}

}  // namespace

// Upright triangles, then those between them.
std::vector<std::array<double, 3>> sample_weights(int cuts) {
  std::vector<std::array<double, 3>> weights;
  for (const int third : {1, 2}) {
    for (int i = 0; i < cuts; ++i) {
      for (int j = 0; i + j + third <= cuts; ++j) {
        const double a = (i + third / 3.0) / cuts, b = (j + third / 3.0) / cuts;
        weights.push_back({a, b, 1 - a - b});
      }
    }
  }
  return weights;
}

Embedding::Row follow(const std::array<Index, 3>& corners, const std::array<double, 3>& weights, Index first,
                      std::span<const Embedding::Row> rows) {
  Embedding::Row row;
  const auto add = [&](Index vertex, double weight) {
    const auto found = std::ranges::find(row, vertex, &Embedding::Entry::vertex);
    if (found != row.end()) {
      found->weight += weight;
    } else {
      row.push_back({vertex, weight});
    }
  };
  for (std::size_t k = 0; k < 3; ++k) {
    if (corners[k] < first) {
      add(corners[k], weights[k]);
      continue;
    }
    for (const Embedding::Entry& entry : rows[corners[k] - first]) add(entry.vertex, weights[k] * entry.weight);
  }
  return row;
}

void measure_samples(const Points& rest, CollisionMesh& mesh) {
  measure_areas(rest, mesh);
  measure_shares(rest, mesh);
  count_features(mesh);
}

}  // namespace sinew

#include "sinew/partition/kmeans.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// A binary tree of sums of weights: sets a weight and draws an index with probability proportional to its weight, both
// in O(log n).
class WeightTree {
 public:
  explicit WeightTree(Index count) {
    while (leaves_ < static_cast<std::size_t>(count)) leaves_ *= 2;
    sums_.assign(2 * leaves_, 0.0);
  }

  void set(Index i, double weight) {
    std::size_t k = leaves_ + i;
    for (sums_[k] = weight; k > 1; k /= 2) sums_[k / 2] = sums_[k & ~std::size_t{1}] + sums_[k | 1];
  }

  double total() const { return sums_[1]; }

  // x in [0, 1).
  Index draw(double x) const {
    std::size_t k = 1;
    for (double rest = x * total(); k < leaves_;) {
      k *= 2;
      if (sums_[k] > 0 && (rest < sums_[k] || !(sums_[k + 1] > 0))) continue;
      rest -= sums_[k];
      ++k;
    }
    return static_cast<Index>(k - leaves_);
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> sums_;
};

double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

// k-means++ (Arthur and Vassilvitskii 2007): each next centre is drawn with probability proportional to its size and
// to its squared distance from those before.
std::vector<Index> seed_centers(const VecX& size, SourceDistances& distances, Index count, std::mt19937_64& random) {
  const auto n = static_cast<Index>(size.size());
  WeightTree tree(n);
  for (Index v = 0; v < n; ++v) tree.set(v, size[v]);
  std::vector<Index> centers, changed;
  for (Index k = 0; k < count && tree.total() > 0; ++k) {
    centers.push_back(tree.draw(uniform(random)));
    changed.clear();
    distances.add_source(centers.back(), changed);
    activity::advance();
    if (k == 0)
      for (Index v = 0; v < n; ++v) tree.set(v, 0);
    for (const Index v : changed) tree.set(v, size[v] * distances.distance()[v] * distances.distance()[v]);
  }
  return centers;
}

// One step of Lloyd's relaxation, and pruning (SMS, section 3.6), over the clusters of some centres.
class Relaxation {
 public:
  Relaxation(const Component& component, const VecX& size, SourceDistances& distances)
      : component_(component), size_(size), distances_(distances), cluster_of_(component.vertex_count(), -1) {}

  // Moves each centre to its cluster's vertex nearest to the centroid; returns how many moved.
  Index move(std::vector<Index>& centers) {
    number(centers);
    const auto k = static_cast<Index>(centers.size());
    // Volume centroids of the clusters.
    Points centroid = Points::Zero(3, k);
    VecX volume = VecX::Zero(k);
    for_each_vertex([&](Index v, Index c) {
      volume[c] += component_.vertex_volume[v];
      centroid.col(c) += component_.vertex_volume[v] * component_.mesh.vertices.col(v);
    });
    for (Index c = 0; c < k; ++c) centroid.col(c) /= volume[c];
    // The nearest vertex with a size; a centre moves only to a nearer one.
    std::vector<Index> moved = centers;
    std::vector<double> best(k);
    const auto offset = [&](Index v, Index c) {
      return (component_.mesh.vertices.col(v) - centroid.col(c)).squaredNorm();
    };
    for (Index c = 0; c < k; ++c) best[c] = offset(centers[c], c);
    for_each_vertex([&](Index v, Index c) {
      if (!(size_[v] > 0)) return;
      const double d = offset(v, c);
      if (d < best[c]) {
        best[c] = d;
        moved[c] = v;
      }
    });
    Index moves = 0;
    for (Index c = 0; c < k; ++c) moves += moved[c] != centers[c];
    centers = std::move(moved);
    return moves;
  }

  // sum_v size_v d_v^2, which the relaxation makes small.
  double spread() const {
    const std::vector<double>& d = distances_.distance();
    return parallel_sum(d.size(), [&](std::size_t v) {
      const double size = size_[static_cast<Index>(v)];
      return size > 0 && std::isfinite(d[v]) ? size * d[v] * d[v] : 0.0;
    });
  }

  // Deletes the centres of up to `count` of the smallest clusters, of those only whose size is below median / ratio.
  void prune(std::vector<Index>& centers, Index count, double ratio) {
    number(centers);
    std::vector<double> size(centers.size(), 0.0);
    for_each_vertex([&](Index v, Index c) { size[c] += size_[v]; });
    std::vector<Index> order(centers.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return std::pair(size[a], a) < std::pair(size[b], b); });
    // The smallest clusters go, as far as they are smaller than the median by the ratio.
    const double median = size[order[order.size() / 2]];
    std::vector<Index> kept;
    std::vector<char> goes(centers.size(), 0);
    for (Index i = 0; i < count && median >= ratio * size[order[i]]; ++i) goes[order[i]] = 1;
    for (std::size_t c = 0; c < centers.size(); ++c)
      if (!goes[c]) kept.push_back(centers[c]);
    centers = std::move(kept);
  }

 private:
  void number(const std::vector<Index>& centers) {
    for (std::size_t c = 0; c < centers.size(); ++c) cluster_of_[centers[c]] = static_cast<Index>(c);
  }

  template <class F>
  void for_each_vertex(F&& f) const {
    const std::vector<Index>& origin = distances_.origin();
    for (Index v = 0; v < component_.vertex_count(); ++v)
      if (origin[v] >= 0) f(v, cluster_of_[origin[v]]);
  }

  const Component& component_;
  const VecX& size_;
  SourceDistances& distances_;
  std::vector<Index> cluster_of_;  // n, of those that are centres now
};

}  // namespace

KMeansOptions kmeans_options(Index clusters, const PartitionOptions& options) {
  return {.clusters = clusters,
          .oversampling = options.oversampling,
          .prune_ratio = options.prune_ratio,
          .max_iterations = options.max_iterations,
          .seed = options.seed};
}

// Seeds more centres than asked for, relaxes, and prunes some of the smallest clusters every prune_interval iterations
// until `clusters` are left (SMS, section 3.6); then relaxes. Both end early where an iteration gains less than
// least_gain.
std::vector<Index> kmeans_centers(const Component& component, const VecX& size, SourceDistances& distances,
                                  const KMeansOptions& options) {
  std::mt19937_64 random(options.seed);
  const Index clusters = std::max<Index>(1, options.clusters);
  const bool prunes = clusters > 1 && options.prune_ratio > 0;
  const auto start = prunes ? static_cast<Index>(std::ceil(options.oversampling * clusters)) : clusters;
  std::vector<Index> centers = seed_centers(size, distances, start, random);
  Relaxation relaxation(component, size, distances);
  const Index batch = std::max<Index>(1, (static_cast<Index>(centers.size()) - clusters + 3) / 4);
  double before_move = relaxation.spread();
  for (int iteration = 1, first = 1;; ++iteration) {
    const Index moves = relaxation.move(centers);
    if (moves > 0) distances.set_sources(centers);
    activity::advance();
    const double spread = relaxation.spread();
    const bool settled = moves == 0 || before_move - spread <= options.least_gain * before_move;
    before_move = spread;
    const Index excess = static_cast<Index>(centers.size()) - clusters;
    const int limit = excess > 0 ? options.prune_interval : options.max_iterations;
    if (!settled && iteration - first + 1 < limit) continue;
    if (excess <= 0) return centers;
    const std::size_t before = centers.size();
    relaxation.prune(centers, std::min(batch, excess), options.prune_ratio);
    // Where all clusters are of similar size, the smallest ones are pruned regardless of the median.
    if (centers.size() == before) relaxation.prune(centers, std::min(batch, excess), 0);
    distances.set_sources(centers);
    before_move = relaxation.spread();
    first = iteration + 1;
  }
}

}  // namespace sinew

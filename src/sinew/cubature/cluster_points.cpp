#include "sinew/cubature/cluster_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/core/random_stream.h"
#include "sinew/cubature/point_shares.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {
namespace {

constexpr std::size_t chunk = 4096;     // tets
constexpr std::size_t block = 256;      // tets whose distances to all centres are held at a time
constexpr double constant_mode = 1e-9;  // modes below this share of the largest eigenvalue are constant
constexpr double settled = 1e-3;        // share of the volume that changes cluster, below which k-means ends

using Features = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;  // by column

// The features of the tets of a component (SMFEM, section 5.2): tet averages of phi_i (lambda_1 / lambda_i)^power over
// the handles i with support there, without constant modes.
Features weight_features(const Domain& domain, const HandleBasis& basis, std::span<const double> eigenvalues,
                         double power, std::span<const Index> tets) {
  // Handles with support on the component.
  std::vector<char> there(basis.handle_count(), 0);
  for (const Index t : tets)
    for (int i = 0; i < 4; ++i)
      for (auto e = basis.begin[domain.tets(i, t)]; e < basis.begin[domain.tets(i, t) + 1]; ++e)
        there[basis.handle[e]] = 1;
  // Rows of the features: those handles but constant modes, scaled by (lambda_1 / lambda_i)^power.
  const double largest = eigenvalues.empty() ? 0 : *std::ranges::max_element(eigenvalues);
  std::vector<Index> row(basis.handle_count(), -1);
  std::vector<double> scale;
  double lowest = 0;
  for (Index h = 0; h < basis.handle_count(); ++h) {
    if (!there[h] || (!eigenvalues.empty() && eigenvalues[h] <= constant_mode * largest)) continue;
    if (lowest == 0) lowest = eigenvalues.empty() ? 1 : eigenvalues[h];
    row[h] = static_cast<Index>(scale.size());
    scale.push_back(eigenvalues.empty() ? 1 : std::pow(lowest / eigenvalues[h], power));
  }
  Features features = Features::Zero(static_cast<Index>(scale.size()), static_cast<Index>(tets.size()));
  parallel_for(
      tets.size(),
      [&](std::size_t k) {
        for (int i = 0; i < 4; ++i) {
          const Index v = domain.tets(i, tets[k]);
          for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
            const Index r = row[basis.handle[e]];
            if (r >= 0) features(r, k) += static_cast<float>(0.25 * scale[r] * basis.weight[e]);
          }
        }
      },
      chunk);
  return features;
}

// Barycentres as features, where weights do not tell tets apart.
Features place_features(const Domain& domain, std::span<const Index> tets) {
  Features features(3, static_cast<Index>(tets.size()));
  for (std::size_t k = 0; k < tets.size(); ++k) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i) sum += domain.vertices.col(domain.tets(i, tets[k]));
    features.col(k) = (sum / 4).cast<float>();
  }
  return features;
}

// Whether all columns are equal to rounding in single precision.
bool all_alike(const Features& features) {
  if (features.rows() == 0) return true;
  const float size = features.cwiseAbs().maxCoeff();
  return (features.colwise() - features.col(0)).cwiseAbs().maxCoeff() <= 1e-5f * size;
}

// Weighted k-means of columns: minimises sum_k size_k |x_k - center(cluster_k)|^2. No cluster is empty at the end.
class KMeans {
 public:
  KMeans(const Features& features, std::span<const double> size, Index clusters)
      : x_(features), size_(size), centers_(features.rows(), clusters), cluster_(features.cols(), 0) {}

  // k-means++ (Arthur & Vassilvitskii 2007): each next centre is drawn with likelihood size x squared distance.
  void seed(RandomStream& random) {
    const auto n = static_cast<Index>(x_.cols());
    std::vector<double> left(size_.begin(), size_.end());
    std::vector<float> nearest(n, std::numeric_limits<float>::infinity());
    for (Index c = 0; c < centers_.cols(); ++c) {
      const double total = std::accumulate(left.begin(), left.end(), 0.0);
      Index pick = 0;
      if (total > 0) {
        double target = random.uniform() * total;
        while (pick + 1 < n && (target -= left[pick]) > 0) ++pick;
      } else {  // as many different columns as there are have been drawn
        pick = static_cast<Index>(random.next() % static_cast<std::uint64_t>(n));
      }
      centers_.col(c) = x_.col(pick);
      parallel_for(
          n,
          [&](std::size_t k) {
            nearest[k] = std::min(nearest[k], (x_.col(k) - centers_.col(c)).squaredNorm());
            left[k] = size_[k] * nearest[k];
          },
          chunk);
    }
  }

  // Lloyd's iteration.
  void run(int max_iterations) {
    const double whole = std::accumulate(size_.begin(), size_.end(), 0.0);
    for (int i = 0; i < max_iterations; ++i) {
      const double moved = assign();
      fill_empty();
      if (i > 0 && moved <= settled * whole) return;
      center();
    }
    assign();
    fill_empty();
  }

  const std::vector<Index>& cluster() const { return cluster_; }
  float distance(Index k) const { return (x_.col(k) - centers_.col(cluster_[k])).squaredNorm(); }

 private:
  // Assigns each column to the nearest centre by |x - c|^2 = |x|^2 - 2 x . c + |c|^2, a matrix product for each block.
  // Returns the size that has changed cluster.
  double assign() {
    const VecXf half = 0.5f * centers_.colwise().squaredNorm().transpose();
    return parallel_sum_chunks<double>(x_.cols(), block, [&](std::size_t begin, std::size_t end) {
      // -x . c for all pairs, a column for each centre, so that the search for the nearest vectorises over the tets.
      const auto count = static_cast<Index>(end - begin);
      const Features scores = -x_.middleCols(static_cast<Index>(begin), count).transpose() * centers_;
      std::array<float, block> least;
      std::array<Index, block> best;
      least.fill(std::numeric_limits<float>::infinity());
      best.fill(0);
      for (Index c = 0; c < centers_.cols(); ++c) {
        const float* score = scores.col(c).data();
        const float add = half[c];
        for (Index k = 0; k < count; ++k) {
          const float value = score[k] + add;
          best[k] = value < least[k] ? c : best[k];
          least[k] = std::min(value, least[k]);
        }
      }
      double moved = 0;
      for (Index k = 0; k < count; ++k) {
        Index& now = cluster_[begin + k];
        if (best[k] != now) moved += size_[begin + k];
        now = best[k];
      }
      return moved;
    });
  }

  // Moves each centre to the mean of its members.
  void center() {
    MatX sums = MatX::Zero(x_.rows(), centers_.cols());
    VecX total = VecX::Zero(centers_.cols());
    for (Eigen::Index k = 0; k < x_.cols(); ++k) {
      sums.col(cluster_[k]) += size_[k] * x_.col(k).cast<double>();
      total[cluster_[k]] += size_[k];
    }
    for (Index c = 0; c < centers_.cols(); ++c)
      if (total[c] > 0) centers_.col(c) = (sums.col(c) / total[c]).cast<float>();
  }

  // An empty cluster takes the member farthest from its centre of a cluster of several.
  void fill_empty() {
    std::vector<Index> count(centers_.cols(), 0);
    for (const Index c : cluster_) ++count[c];
    std::vector<Index> far;
    for (Index c = 0; c < centers_.cols(); ++c) {
      if (count[c] > 0) continue;
      if (far.empty()) {
        far.resize(cluster_.size());
        std::iota(far.begin(), far.end(), 0);
        std::vector<float> away(far.size());
        for (const Index k : far) away[k] = distance(k);
        std::ranges::stable_sort(far, [&](Index a, Index b) { return away[a] < away[b]; });
      }
      while (count[cluster_[far.back()]] < 2) far.pop_back();
      const Index k = far.back();
      far.pop_back();
      --count[cluster_[k]];
      cluster_[k] = c;
      count[c] = 1;
      centers_.col(c) = x_.col(k);
    }
  }

  using VecXf = Eigen::VectorXf;
  const Features& x_;
  std::span<const double> size_;
  Features centers_;
  std::vector<Index> cluster_;
};

}  // namespace

// For each component: features, k-means, and for each cluster the tet nearest to its centre with the cluster's volume.
Cubature cluster_points(const Domain& domain, const HandleBasis& basis, std::span<const double> eigenvalues,
                        const ClusterPointsOptions& options) {
  const IndexLists tets = grouped(domain.component, domain.component_count);
  const std::vector<Index> share = share_points(domain, basis, tets, options.points);
  std::vector<std::pair<Index, double>> points;  // tet, weight
  for (Index c = 0; c < domain.component_count; ++c) {
    const std::vector<Index> of(tets[c].begin(), tets[c].end());
    // k-means in the space of features, weighted by volume.
    Features features = weight_features(domain, basis, eigenvalues, options.power, of);
    if (all_alike(features)) features = place_features(domain, of);
    std::vector<double> volume;
    for (const Index t : of) volume.push_back(domain.volume[t]);
    KMeans kmeans(features, volume, share[c]);
    RandomStream random(options.seed, static_cast<std::uint64_t>(c));
    kmeans.seed(random);
    kmeans.run(options.max_iterations);
    // The tet nearest to each centre stands for its cluster: weight times its volume is the volume of the cluster.
    std::vector<Index> nearest(share[c], -1);
    std::vector<double> total(share[c], 0);
    for (Index k = 0; k < static_cast<Index>(of.size()); ++k) {
      const Index j = kmeans.cluster()[k];
      total[j] += volume[k];
      if (nearest[j] < 0 || kmeans.distance(k) < kmeans.distance(nearest[j])) nearest[j] = k;
    }
    for (Index j = 0; j < share[c]; ++j) points.emplace_back(of[nearest[j]], total[j] / volume[nearest[j]]);
  }
  std::ranges::sort(points);
  Cubature cubature;
  for (const auto& [tet, weight] : points) {
    cubature.tets.push_back(tet);
    cubature.weights.push_back(weight);
  }
  return cubature;
}

}  // namespace sinew

#include "sinew/partition/fast_marching.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr int packed(int i, int j) {
  return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

// The value u at a vertex of a simplex of which the values w at the N others are known, such that the linear
// interpolant has slope s: 1'Q1 u^2 - 2 1'Qw u + w'Qw = s^2, Q the inverse Gram matrix of the edges from the vertex.
// Accepted when the way of steepest descent from it leaves through the face of the others; `nearest` is then the one
// closest to that way.
template <int N>
bool solve_simplex(const Eigen::Matrix<double, N, N>& Q, const Eigen::Matrix<double, N, 1>& w, double s, double& u,
                   int& nearest) {
  const Eigen::Matrix<double, N, 1> sums = Q.rowwise().sum(), Qw = Q * w;
  const double a = sums.sum(), b = sums.dot(w), c = w.dot(Qw) - s * s;
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0) || !(a > 0)) return false;
  u = (b + std::sqrt(discriminant)) / a;
  const Eigen::Matrix<double, N, 1> share = u * sums - Qw;
  if (!(share.minCoeff() >= 0) || !(u >= w.maxCoeff())) return false;
  share.maxCoeff(&nearest);
  return true;
}

}  // namespace

FastMarching::FastMarching(const Points& vertices, const Tets& tets, std::span<const double> stiffness)
    : SourceDistances(static_cast<Index>(vertices.cols())),
      vertices_(vertices),
      tets_(tets),
      incidence_(vertex_tets(tets, static_cast<Index>(vertices.cols()))),
      metric_(tets.cols()),
      mark_(vertices.cols(), 0) {
  for (Index t = 0; t < tets.cols(); ++t) {
    const auto gradients = hat_gradients(vertices, tets, t);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j) metric_[t].gram[packed(i, j)] = gradients.col(i).dot(gradients.col(j));
    metric_[t].slowness = 1 / std::sqrt(stiffness[t]);
  }
}

void FastMarching::push(Index vertex) {
  front_.emplace_back(distance_[vertex], vertex);
  std::push_heap(front_.begin(), front_.end(), std::greater<>());
}

void FastMarching::lower(Index vertex, double distance, Index origin) {
  distance_[vertex] = distance;
  origin_[vertex] = origin;
  push(vertex);
}

// The ways to vertex `local` of the tet that use the newly accepted vertex; others count when they are no farther.
void FastMarching::update(Index tet, int local, Index accepted) {
  const Index target = tets_(local, tet);
  const double reached = distance_[accepted], s = metric_[tet].slowness;
  std::array<Index, 3> known{accepted};
  std::array<int, 3> known_local{};
  int count = 1;
  for (int i = 0; i < 4; ++i) {
    const Index v = tets_(i, tet);
    if (v == accepted) known_local[0] = i;
    if (i == local || v == accepted || !(distance_[v] <= reached)) continue;
    known_local[count] = i;
    known[count++] = v;
  }
  double u = 0, best = infinity;
  int nearest = 0;
  Index origin = -1;
  const auto take = [&](double value, Index from) {
    if (value >= best) return;
    best = value;
    origin = origin_[from];
  };
  // Values are taken relative to the largest, the accepted vertex's.
  bool through_face = false;
  if (count == 3) {
    Mat3 Q;
    Vec3 w;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) Q(i, j) = metric_[tet].gram[packed(known_local[i], known_local[j])];
      w[i] = distance_[known[i]] - reached;
    }
    through_face = solve_simplex<3>(Q, w, s, u, nearest);
    if (through_face) take(reached + u, known[nearest]);
  }
  if (!through_face) {
    const Vec3 a = vertices_.col(accepted) - vertices_.col(target);
    const double aa = a.squaredNorm();
    for (int k = 1; k < count; ++k) {
      const Vec3 b = vertices_.col(known[k]) - vertices_.col(target);
      const double ab = a.dot(b), bb = b.squaredNorm();
      Eigen::Matrix2d Q;
      Q << bb, -ab, -ab, aa;
      Q /= aa * bb - ab * ab;
      if (solve_simplex<2>(Q, {0, distance_[known[k]] - reached}, s, u, nearest))
        take(reached + u, nearest == 0 ? accepted : known[k]);
    }
    take(reached + s * std::sqrt(aa), accepted);
  }
  if (best < distance_[target]) lower(target, best, origin);
}

void FastMarching::march(std::vector<Index>* changed) {
  while (!front_.empty()) {
    const auto [distance, vertex] = front_.front();
    std::pop_heap(front_.begin(), front_.end(), std::greater<>());
    front_.pop_back();
    if (distance != distance_[vertex]) continue;
    if (changed) changed->push_back(vertex);
    for (Index k = incidence_.offsets[vertex]; k < incidence_.offsets[vertex + 1]; ++k) {
      const Index tet = incidence_.items[k];
      for (int i = 0; i < 4; ++i)
        if (distance_[tets_(i, tet)] > distance) update(tet, i, vertex);
    }
  }
}

void FastMarching::add_source(Index vertex, std::vector<Index>& changed) {
  lower(vertex, 0, vertex);
  march(&changed);
}

void FastMarching::set_sources(std::span<const Index> sources) {
  for (const Index v : sources) mark_[v] = 1;
  std::vector<Index> forgotten;
  for (Index v = 0; v < static_cast<Index>(origin_.size()); ++v) {
    if (origin_[v] >= 0 && mark_[origin_[v]]) continue;
    distance_[v] = infinity;
    origin_[v] = -1;
    forgotten.push_back(v);
  }
  for (const Index v : sources) mark_[v] = 0;
  // What is kept beside what is not starts anew from its distance.
  std::vector<Index> rim;
  for (const Index v : forgotten) {
    for (Index k = incidence_.offsets[v]; k < incidence_.offsets[v + 1]; ++k) {
      for (int i = 0; i < 4; ++i) {
        const Index w = tets_(i, incidence_.items[k]);
        if (origin_[w] >= 0 && !mark_[w]) {
          mark_[w] = 1;
          rim.push_back(w);
        }
      }
    }
  }
  for (const Index v : rim) {
    mark_[v] = 0;
    push(v);
  }
  for (const Index v : sources)
    if (origin_[v] != v) lower(v, 0, v);
  march(nullptr);
}

}  // namespace sinew

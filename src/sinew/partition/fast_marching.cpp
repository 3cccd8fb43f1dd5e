#include "sinew/partition/fast_marching.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/core/parallel.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Place of entry (i, j) in a lower triangle by rows.
constexpr int packed(int i, int j) {
  return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

// The value u at a vertex of a simplex of which the values w at the N others are known, such that the linear
// interpolant has slope s: 1'Q1 u^2 - 2 1'Qw u + w'Qw = s^2, Q the inverse Gram matrix of the edges from the vertex.
// Of the two roots the larger one is taken. The result is infinite unless the line of steepest descent from the vertex
// leaves the simplex through the face of the N known vertices (causality), that is, unless all entries of Q (u 1 - w)
// are non-negative.
template <int N>
double through_face(const Eigen::Matrix<double, N, N>& Q, const Eigen::Matrix<double, N, 1>& w, double s) {
  const Eigen::Matrix<double, N, 1> sums = Q.rowwise().sum(), Qw = Q * w;
  const double a = sums.sum(), b = sums.dot(w), c = w.dot(Qw) - s * s;
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0) || !(a > 0)) return infinity;
  const double u = (b + std::sqrt(discriminant)) / a;
  return (u * sums - Qw).minCoeff() >= 0 && u >= w.maxCoeff() ? u : infinity;
}

}  // namespace

FastMarching::FastMarching(const Points& vertices, const Tets& tets, std::span<const double> stiffness)
    : SourceDistances(static_cast<Index>(vertices.cols())),
      vertices_(vertices),
      tets_(tets),
      incidence_(vertex_tets(tets, static_cast<Index>(vertices.cols()))),
      metric_(tets.cols()),
      mark_(vertices.cols(), 0) {
  parallel_for(tets.cols(), [&](std::size_t k) {
    const auto t = static_cast<Index>(k);
    const auto gradients = hat_gradients(vertices, tets, t);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j) metric_[t].gram[packed(i, j)] = gradients.col(i).dot(gradients.col(j));
    metric_[t].slowness = 1 / std::sqrt(stiffness[t]);
  });
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

// Updates vertex `local` of a tet from the newly accepted vertex and the other accepted ones of the tet: through the
// face of three known vertices, otherwise through the edges with two, or along the edge from the accepted one. Only
// vertices with the same nearest source take part: the distances to a source then do not depend on the others, so that
// a source can be removed exactly.
void FastMarching::update(Index tet, int local, Index accepted) {
  const double reached = distance_[accepted], s = metric_[tet].slowness;
  std::array<int, 3> known{};  // the accepted vertex first
  int count = 1;
  for (int i = 0; i < 4; ++i) {
    const Index v = tets_(i, tet);
    if (v == accepted) known[0] = i;
    if (i != local && v != accepted && origin_[v] == origin_[accepted] && distance_[v] <= reached) known[count++] = i;
  }
  // Values are relative to the largest known one, the accepted vertex's.
  const auto value = [&](int k) { return distance_[tets_(known[k], tet)] - reached; };
  double u = infinity;
  if (count == 3) {
    Mat3 Q;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) Q(i, j) = metric_[tet].gram[packed(known[i], known[j])];
    u = through_face<3>(Q, {value(0), value(1), value(2)}, s);
  }
  const Index target = tets_(local, tet);
  if (u == infinity) {
    const Vec3 a = vertices_.col(accepted) - vertices_.col(target);
    const double aa = a.squaredNorm();
    u = s * std::sqrt(aa);
    for (int k = 1; k < count; ++k) {
      const Vec3 b = vertices_.col(tets_(known[k], tet)) - vertices_.col(target);
      const double ab = a.dot(b), bb = b.squaredNorm();
      Eigen::Matrix2d Q;
      Q << bb, -ab, -ab, aa;
      u = std::min(u, through_face<2>(Q / (aa * bb - ab * ab), {value(0), value(k)}, s));
    }
  }
  if (reached + u < distance_[target]) lower(target, reached + u, origin_[accepted]);
}

// Dijkstra's loop: accept the nearest vertex of the front, update its neighbours. Entries that were lowered since they
// were pushed are skipped. O(n log n).
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

// Keeps the distances to sources that stay, forgets those to sources that go, and marches again from the new sources
// and from the kept vertices next to forgotten ones.
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
  // The rim: kept vertices next to a forgotten one, which enter the front with their distances.
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

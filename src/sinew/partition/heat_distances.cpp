#include "sinew/partition/heat_distances.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// The time t of diffusion: the square of the mean edge length (Crane et al. 2013).
double mean_squared_edge(const Submesh& mesh) {
  const Edges edges = unique_edges(mesh.tets);
  double sum = 0;
  for (Eigen::Index e = 0; e < edges.cols(); ++e)
    sum += (mesh.vertices.col(edges(0, e)) - mesh.vertices.col(edges(1, e))).norm();
  return std::pow(sum / static_cast<double>(edges.cols()), 2);
}

// Row and column of the first unknown become those of the identity, times its diagonal entry.
SparseMatrix held_at_first(SparseMatrix A) {
  A.prune([](Eigen::Index i, Eigen::Index j, double) { return i == j || (i > 0 && j > 0); });
  return A;
}

void factor(ScalarCholesky& solver, const SparseMatrix& A) {
  if (!solver.compute(A))
    throw SimulationError(
        code::factorization,
        "partition method 'heat': its diffusion matrix is not positive definite to working precision (very different "
        "stiffnesses or very flat tets); use the method 'geodesic'");
}

}  // namespace

// Factors M + t L for step 1 and L for step 3 of the heat method (Crane et al. 2013, algorithm 1).
HeatDistances::HeatDistances(const Component& component)
    : SourceDistances(component.vertex_count()),
      component_(component),
      laplacian_(
          stiffness_laplacian(component.mesh.vertices, component.mesh.tets, component.volume, component.stiffness)),
      seeds_(component.mesh.vertices, component.mesh.tets, component.stiffness) {
  SparseMatrix heat = mean_squared_edge(component.mesh) * laplacian_;
  heat.diagonal() += component.vertex_volume;
  factor(diffusion_, heat);
  factor(poisson_, held_at_first(laplacian_));
}

void HeatDistances::add_source(Index vertex, std::vector<Index>& changed) {
  seeds_.add_source(vertex, changed);
  distance_ = seeds_.distance();
  origin_ = seeds_.origin();
}

// The right-hand side of L phi = sum_e V_e sqrt(k_e) grad^T Y_e, Y = -grad u / |grad u|: |grad phi| is then 1 /
// sqrt(k).
VecX HeatDistances::divergence(const VecX& heat) const {
  const Submesh& mesh = component_.mesh;
  VecX b = VecX::Zero(mesh.vertex_count());
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const auto gradients = hat_gradients(mesh.vertices, mesh.tets, t);
    Vec3 slope = Vec3::Zero();
    for (int i = 0; i < 4; ++i) slope -= heat[mesh.tets(i, t)] * gradients.col(i);
    const double length = slope.stableNorm();
    if (!(length > 0)) continue;
    const Vec3 flux = component_.volume[t] * std::sqrt(component_.stiffness[t]) / length * slope;
    for (int i = 0; i < 4; ++i) b[mesh.tets(i, t)] += gradients.col(i).dot(flux);
  }
  return b;
}

// Assigns sources by ascending distance: each vertex takes the source of the neighbour in the direction of steepest
// descent of phi.
void HeatDistances::trace_origins(const VecX& phi, std::span<const Index> sources) {
  const Points& x = component_.mesh.vertices;
  std::vector<Index> order(phi.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return std::pair(phi[a], a) < std::pair(phi[b], b); });
  std::fill(origin_.begin(), origin_.end(), -1);
  for (const Index s : sources) origin_[s] = s;
  // A local minimum that is no source has no lower neighbour; it waits until a neighbour has a source.
  for (bool waiting = true, progress = true; waiting && progress;) {
    waiting = progress = false;
    for (const Index v : order) {
      if (origin_[v] >= 0) continue;
      double steepest = -std::numeric_limits<double>::infinity();
      for (SparseMatrix::InnerIterator entry(laplacian_, v); entry; ++entry) {
        const auto w = static_cast<Index>(entry.row());
        if (w == v || origin_[w] < 0) continue;
        const double slope = (phi[v] - phi[w]) / (x.col(v) - x.col(w)).norm();
        if (slope <= steepest) continue;
        steepest = slope;
        origin_[v] = origin_[w];
      }
      (origin_[v] < 0 ? waiting : progress) = true;
    }
  }
}

// The three steps of the heat method: (M + t L) u = delta at the sources, Y = -grad u / |grad u|, L phi = div Y;
// distances are phi less its value at the source.
void HeatDistances::set_sources(std::span<const Index> sources) {
  VecX heat = VecX::Zero(component_.vertex_count());
  for (const Index s : sources) heat[s] = component_.vertex_volume[s];
  VecX b = divergence(diffusion_.solve(heat));
  b[0] = 0;
  const VecX phi = poisson_.solve(b);
  trace_origins(phi, sources);
  for (std::size_t v = 0; v < distance_.size(); ++v)
    if (origin_[v] >= 0) distance_[v] = std::max(0.0, phi[v] - phi[origin_[v]]);
}

}  // namespace sinew

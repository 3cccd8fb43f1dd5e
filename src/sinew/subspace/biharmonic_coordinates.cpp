#include "sinew/subspace/biharmonic_coordinates.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"
#include "sinew/partition/laplacian.h"
#include "sinew/partition/submesh.h"
#include "sinew/subspace/cluster_graph.h"

namespace sinew {
namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;

// The weak Laplacian D = L + N of functions with free values and slopes at the boundary (Wang et al. 2015, "Linear
// subspace design for real-time shape deformation"), with hat functions h_i:
//   (D u)_i = int grad h_i . grad u dV - int h_i du/dn dA,
// the second integral over the boundary. D u vanishes for linear u at boundary vertices, too.
SparseMatrix free_laplacian(const Submesh& mesh, std::span<const double> volume) {
  const std::vector<double> one(mesh.tet_count(), 1.0);
  const SparseMatrix L = stiffness_laplacian(mesh.vertices, mesh.tets, volume, one);
  const Tets across = tet_neighbours(mesh.tets);
  Triplets flux;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    for (int face = 0; face < 4; ++face) {
      if (across(face, t) >= 0) continue;
      // Outward area vector of the face opposite to a corner: -3 V times the gradient of its hat function.
      const auto gradients = hat_gradients(mesh.vertices, mesh.tets, t);
      const Vec3 area = -3 * volume[t] * gradients.col(face);
      for (int corner : tet_faces[face]) {
        for (int j = 0; j < 4; ++j) {
          flux.emplace_back(mesh.tets(corner, t), mesh.tets(j, t), -area.dot(gradients.col(j)) / 3);
        }
      }
    }
  }
  SparseMatrix N(L.rows(), L.cols());
  N.setFromTriplets(flux.begin(), flux.end());
  return L + N;
}

// K = D^T M^-1 D: u^T K u is the integral of the squared Laplacian of u.
SparseMatrix squared(const SparseMatrix& D, const VecX& mass) {
  const SparseMatrix scaled = mass.cwiseInverse().asDiagonal() * D;
  return D.transpose() * scaled;
}

// The n x k weights that minimise u^T K u with u = 1 at one centre, 0 at the others and at fixed vertices: with F the
// free and C the prescribed vertices, K_FF u_F = -K_FC u_C. One factorisation, k right-hand sides. Returns false where
// K_FF is not positive definite.
bool solve(const SparseMatrix& K, const std::vector<Index>& centers, const std::vector<char>& fixed, MatX& weights) {
  const auto n = static_cast<Index>(K.cols()), k = static_cast<Index>(centers.size());
  constexpr Index prescribed = -1;
  std::vector<Index> number(n, 0);
  for (Index v = 0; v < n; ++v) number[v] = fixed[v] ? prescribed : 0;
  weights = MatX::Zero(n, k);
  for (Index i = 0; i < k; ++i) {
    weights(centers[i], i) = 1;
    number[centers[i]] = prescribed;
  }
  std::vector<Index> free;
  for (Index v = 0; v < n; ++v) {
    if (number[v] == prescribed) continue;
    number[v] = static_cast<Index>(free.size());
    free.push_back(v);
  }
  if (free.empty()) return true;
  Triplets entries;
  for (Index j = 0; j < n; ++j) {
    if (number[j] == prescribed) continue;
    for (SparseMatrix::InnerIterator e(K, j); e; ++e) {
      if (number[e.row()] != prescribed) entries.emplace_back(number[e.row()], number[j], e.value());
    }
  }
  SparseMatrix FF(static_cast<Index>(free.size()), static_cast<Index>(free.size()));
  FF.setFromTriplets(entries.begin(), entries.end());
  ScalarCholesky cholesky;
  if (!cholesky.compute(FF)) return false;
  const MatX b = -(K * weights);
  const MatX u = cholesky.solve(b(free, Eigen::all));
  if (!u.allFinite()) return false;
  weights(free, Eigen::all) = u;
  return true;
}

constexpr Index linear_functions = 4;  // centres that determine one, when not in a plane

MatX component_weights(const Submesh& mesh, std::span<const double> volume, const std::vector<Index>& centers,
                       const std::vector<char>& fixed) {
  const VecX mass = lumped_volume(mesh.vertex_count(), mesh.tets, volume);
  MatX weights;
  if (static_cast<Index>(centers.size()) >= linear_functions &&
      solve(squared(free_laplacian(mesh, volume), mass), centers, fixed, weights)) {
    return weights;
  }
  // Fewer than four centres, or centres in a plane, do not determine a linear function; L M^-1 L has only constants in
  // its null space.
  const std::vector<double> one(mesh.tet_count(), 1.0);
  const SparseMatrix L = stiffness_laplacian(mesh.vertices, mesh.tets, volume, one);
  if (solve(biharmonic(L, mass), centers, fixed, weights)) return weights;
  throw SimulationError(
      code::factorization,
      fmt::format("no biharmonic coordinates: the operator of a component of {} vertices is not positive definite; use "
                  "the basis \"sms\"",
                  mesh.vertex_count()));
}

}  // namespace

// Component by component: the functions of all handles of a component share one factorisation.
HandleBasis biharmonic_coordinates(const Domain& domain, const Partition& partition) {
  const std::vector<Index> component = cluster_components(domain, partition);
  const std::vector<Index> clusters = free_clusters(partition, domain.fixed);
  HandleBasis basis;
  set_cluster_frames(domain, partition, clusters, basis);

  std::vector<Index> handle_component;
  for (Index c : clusters) handle_component.push_back(component[c]);
  const IndexLists handles = grouped(handle_component, domain.component_count);
  const IndexLists tets = grouped(domain.component, domain.component_count);
  std::vector<std::vector<std::pair<Index, double>>> rows(domain.vertex_count());
  for (Index k = 0; k < domain.component_count; ++k) {
    if (handles[k].empty()) continue;
    const Submesh mesh = extract(domain, tets[k]);
    std::vector<double> volume;
    for (Index t : mesh.tet) volume.push_back(domain.volume[t]);
    std::vector<char> fixed;
    for (Index v : mesh.vertex) fixed.push_back(domain.fixed[v]);
    std::vector<Index> centers;
    for (Index i : handles[k]) {
      const Index v = partition.center[clusters[i]];
      centers.push_back(
          static_cast<Index>(std::lower_bound(mesh.vertex.begin(), mesh.vertex.end(), v) - mesh.vertex.begin()));
    }
    const MatX weights = component_weights(mesh, volume, centers, fixed);
    for (Index v = 0; v < mesh.vertex_count(); ++v) {
      for (Index i = 0; i < weights.cols(); ++i) {
        if (weights(v, i) != 0) rows[mesh.vertex[v]].emplace_back(handles[k][i], weights(v, i));
      }
    }
  }
  set_rows(rows, basis);
  return basis;
}

}  // namespace sinew

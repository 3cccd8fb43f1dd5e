#include "sinew/partition/laplacian.h"

#include <algorithm>

#include "sinew/core/sort_unique.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// The compressed structure of the vertices' graph with its diagonal.
SparseMatrix vertex_pattern(Index n, const Tets& tets, const Incidence& incidence) {
  SparseMatrix A(n, n);
  A.reserve(20 * static_cast<Eigen::Index>(n));
  std::vector<Index> neighbours;
  for (Index v = 0; v < n; ++v) {
    neighbours.assign(1, v);
    for (Index k = incidence.offsets[v]; k < incidence.offsets[v + 1]; ++k) {
      const auto tet = tets.col(incidence.items[k]);
      neighbours.insert(neighbours.end(), tet.data(), tet.data() + 4);
    }
    sort_unique(neighbours);
    A.startVec(v);
    for (const Index w : neighbours) A.insertBackByOuterInner(v, w) = 0;
  }
  A.finalize();
  return A;
}

}  // namespace

// With edges a, b, c from vertex 0: grad h_1 = b x c / det, cyclically, det = a . (b x c), and grad h_0 = -(sum).
Eigen::Matrix<double, 3, 4> hat_gradients(const Points& vertices, const Tets& tets, Index t) {
  Mat3 edges;
  for (int i = 0; i < 3; ++i) edges.col(i) = vertices.col(tets(i + 1, t)) - vertices.col(tets(0, t));
  const Vec3 a = edges.col(0), b = edges.col(1), c = edges.col(2);
  Eigen::Matrix<double, 3, 4> gradients;
  gradients.col(1) = b.cross(c);
  gradients.col(2) = c.cross(a);
  gradients.col(3) = a.cross(b);
  gradients.rightCols<3>() /= a.dot(gradients.col(1));
  gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
  return gradients;
}

// L_ij = sum over the tets of i and j of k_e V_e grad h_i . grad h_j.
SparseMatrix stiffness_laplacian(const Points& vertices, const Tets& tets, std::span<const double> volume,
                                 std::span<const double> stiffness) {
  const auto n = static_cast<Index>(vertices.cols());
  SparseMatrix L = vertex_pattern(n, tets, vertex_tets(tets, n));
  // Each entry of a tet's 4 x 4 matrix finds its slot by binary search in its column.
  const auto* begin = L.outerIndexPtr();
  const auto* rows = L.innerIndexPtr();
  for (Index t = 0; t < tets.cols(); ++t) {
    const auto gradients = hat_gradients(vertices, tets, t);
    const Eigen::Matrix4d local = (volume[t] * stiffness[t]) * (gradients.transpose() * gradients);
    for (int j = 0; j < 4; ++j) {
      const Index column = tets(j, t);
      for (int i = 0; i < 4; ++i) {
        const auto* slot = std::lower_bound(rows + begin[column], rows + begin[column + 1], tets(i, t));
        L.valuePtr()[slot - rows] += local(std::max(i, j), std::min(i, j));  // symmetric to the last bit
      }
    }
  }
  return L;
}

// m_v = sum of V_e / 4 over the tets of v.
VecX lumped_volume(Index vertex_count, const Tets& tets, std::span<const double> volume) {
  VecX mass = VecX::Zero(vertex_count);
  for (Index t = 0; t < tets.cols(); ++t)
    for (int i = 0; i < 4; ++i) mass[tets(i, t)] += volume[t] / 4;
  return mass;
}

// K = L M^-1 L with the lumped mass M.
SparseMatrix biharmonic(const SparseMatrix& L, const VecX& mass) {
  const SparseMatrix scaled = mass.cwiseInverse().asDiagonal() * L;
  return L * scaled;
}

}  // namespace sinew

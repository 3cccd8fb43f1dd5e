#include "sinew/reduced/vertex_gradients.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/kinematics/vertex_hessian.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// Where entry k of the matrix of a slot lies (ElasticPoints), for matrices of `size` entries.
std::size_t entry(int size, Index slot, int k) {
  return (static_cast<std::size_t>(size) * (slot / lane_count) + k) * lane_count + slot % lane_count;
}

}  // namespace

// Gathers the gradients b_i of the hat functions of each tet's corners, and the list of (slot, corner) at each vertex,
// of the slots that do not only fill a pack.
VertexGradients::VertexGradients(const System& system, const ElasticPoints& points) : system_(system) {
  const Index n = system.dynamic_count, slots = points.slot_count();
  std::vector<Index> corner_count(n + 1, 0);
  shape_.resize(12 * static_cast<std::size_t>(slots));
  for (Index c = 0; c < slots; ++c) {
    const Index t = points.tet(c);
    slot_tet_.push_back(t);
    const auto hats = hat_gradients(system.rest, system.tets, t);
    std::copy_n(hats.data(), 12, shape_.begin() + 12 * static_cast<std::ptrdiff_t>(c));
    if (!(points.volume(c) > 0)) continue;
    for (int i = 0; i < 4; ++i) ++corner_count[system.tets(i, t) + 1];
  }
  corner_begin_.assign(n + 1, 0);
  // Counting sort: the corners (4 slot + i) of each vertex, ascending.
  for (Index v = 0; v < n; ++v) corner_begin_[v + 1] = corner_begin_[v] + corner_count[v + 1];
  corners_.resize(corner_begin_[n]);
  std::vector<std::int64_t> next(corner_begin_.begin(), corner_begin_.end() - 1);
  for (Index c = 0; c < slots; ++c)
    for (int i = 0; i < 4 && points.volume(c) > 0; ++i) corners_[next[system.tets(i, slot_tet_[c])]++] = 4 * c + i;
}

// F = I + sum_i y_i b_i^T over the corners i of the tet.
void VertexGradients::add_up(const MatX& y, bool direction, std::span<double> F) const {
  parallel_for(
      slot_tet_.size(),
      [&](std::size_t c) {
        const Eigen::Map<const Eigen::Matrix<double, 3, 4>> hats(shape_.data() + 12 * c);
        Mat3 sum = Mat3::Zero();
        if (!direction) sum.setIdentity();
        for (int i = 0; i < 4; ++i) sum += Vec3(y.row(system_.tets(i, slot_tet_[c]))) * hats.col(i).transpose();
        for (int k = 0; k < 9; ++k) F[entry(9, static_cast<Index>(c), k)] = sum(k / 3, k % 3);
      },
      1024);
}

// g_v += sum over the tets of vertex v of P b_v, summed by vertex in a fixed order.
void VertexGradients::add_forces(std::span<const double> P, MatX& g) {
  parallel_for(
      g.rows(),
      [&](std::size_t v) {
        for (auto e = corner_begin_[v]; e < corner_begin_[v + 1]; ++e) {
          const Index c = corners_[e] / 4;
          const double* hat = shape_.data() + 12 * static_cast<std::size_t>(c) + 3 * (corners_[e] % 4);
          for (int a = 0; a < 3; ++a)
            for (int j = 0; j < 3; ++j) g(v, a) += P[entry(9, c, 3 * a + j)] * hat[j];
        }
      },
      1024);
}

// Block (v, w) += sum over the tets of v and w of (b_v (x) I)^T K (b_w (x) I). Each block row is summed by one task,
// over the tets of its vertex in their order: no two tasks write one block, and bits do not depend on the threads.
void VertexGradients::add_stiffness(std::span<const double> K, CoordinateHessian& sum) {
  SymBlockMatrix& H = in_layout<VertexHessian>(sum).matrix();
  const BlockPattern& pattern = H.pattern();
  parallel_for(
      pattern.rows,
      [&](std::size_t v) {
        for (auto e = corner_begin_[v]; e < corner_begin_[v + 1]; ++e) {
          const Index c = corners_[e] / 4;
          const Eigen::Map<const Eigen::Matrix<double, 3, 4>> hats(shape_.data() + 12 * static_cast<std::size_t>(c));
          const Vec3 own = hats.col(corners_[e] % 4);
          // (b_v (x) I)^T K, 3 x 9
          Eigen::Matrix<double, 3, 9> left;
          for (int a = 0; a < 3; ++a)
            for (int q = 0; q < 9; ++q) {
              double sum = 0;
              for (int j = 0; j < 3; ++j) {
                const int row = std::max(3 * a + j, q), column = std::min(3 * a + j, q);
                sum += own[j] * K[entry(45, c, row * (row + 1) / 2 + column)];
              }
              left(a, q) = sum;
            }
          for (int i = 0; i < 4; ++i) {
            const Index w = system_.tets(i, slot_tet_[c]);
            if (w < static_cast<Index>(v)) continue;
            double* block = H.block(pattern.find(static_cast<Index>(v), w));
            for (int b = 0; b < 3; ++b)
              for (int a = 0; a < 3; ++a) block[3 * b + a] += left.row(a).segment<3>(3 * b).dot(hats.col(i));
          }
        }
      },
      256);
}

}  // namespace sinew

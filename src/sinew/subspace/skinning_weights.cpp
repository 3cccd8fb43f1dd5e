#include "sinew/subspace/skinning_weights.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/mesh/quality.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr double least_distance = 1e-3;  // of the diagonal
constexpr double equally_near = 1e-6;    // relative difference of distances

double distance(const BoneSegment& bone, const Vec3& x) {
  const Vec3 along = bone.to - bone.from;
  const double length2 = along.squaredNorm();
  const double s = length2 > 0 ? std::clamp((x - bone.from).dot(along) / length2, 0.0, 1.0) : 0;
  return (x - bone.from - s * along).norm();
}

// p of each bone, and the distance from the nearest.
MatX nearest_bones(const Points& x, const std::vector<BoneSegment>& bones, VecX& nearest) {
  const auto count = static_cast<Eigen::Index>(bones.size());
  MatX p = MatX::Zero(x.cols(), count);
  nearest.resize(x.cols());
  VecX d(count);
  for (Eigen::Index v = 0; v < x.cols(); ++v) {
    for (Eigen::Index b = 0; b < count; ++b) d[b] = distance(bones[static_cast<std::size_t>(b)], x.col(v));
    nearest[v] = d.minCoeff();
    double sharing = 0;
    for (Eigen::Index b = 0; b < count; ++b) sharing += p(v, b) = d[b] <= (1 + equally_near) * nearest[v] ? 1 : 0;
    p.row(v) /= sharing;
  }
  return p;
}

}  // namespace

MatX heat_weights(const TetMesh& mesh, const std::vector<BoneSegment>& bones) {
  const Points& x = mesh.vertices;
  VecX d;
  MatX p = nearest_bones(x, bones, d);
  std::vector<double> volume(static_cast<std::size_t>(mesh.tets.cols()));
  for (std::size_t t = 0; t < volume.size(); ++t) volume[t] = tet_volume(x, mesh.tets, static_cast<Eigen::Index>(t));
  const std::vector<double> one(volume.size(), 1.0);
  SparseMatrix A = stiffness_laplacian(x, mesh.tets, volume, one);
  const VecX mass = lumped_volume(static_cast<Index>(x.cols()), mesh.tets, volume);
  const double least = least_distance * (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
  VecX D(x.cols());
  for (Eigen::Index v = 0; v < x.cols(); ++v) {
    D[v] = mass[v] > 0 ? mass[v] / std::pow(std::max(d[v], least), 2) : 1;
    A.coeffRef(v, v) += D[v];
  }
  ScalarCholesky factor;
  if (!factor.compute(A))
    fail_input(code::scene_value,
               "the weights of the bones cannot be computed: the mesh has tets that are nearly flat; check it with "
               "`sinew check`, or give the weights in a file");
  MatX w = factor.solve(D.asDiagonal() * p).cwiseMax(0);
  for (Eigen::Index v = 0; v < w.rows(); ++v) w.row(v) /= w.row(v).sum();
  return w;
}

}  // namespace sinew

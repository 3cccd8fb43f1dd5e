// The scalar operators against what they must do to linear and quadratic fields.
#include "sinew/partition/laplacian.h"

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

std::vector<double> volumes(const TetMesh& mesh) {
  std::vector<double> volume(mesh.tet_count());
  for (Index t = 0; t < mesh.tet_count(); ++t) volume[t] = tet_volume(mesh.vertices, mesh.tets, t);
  return volume;
}

TEST(Laplacian, EnergyOfALinearFieldIsItsSquaredGradientTimesVolumeTimesStiffness) {
  const TetMesh mesh = make_sphere(0.5, 0.1);
  const std::vector<double> volume = volumes(mesh);
  std::vector<double> stiffness(volume.size());
  double expected = 0;
  const Vec3 slope(1, -2, 3);
  for (std::size_t t = 0; t < volume.size(); ++t) {
    stiffness[t] = 1 + static_cast<double>(t % 7);
    expected += volume[t] * stiffness[t] * slope.squaredNorm();
  }
  const SparseMatrix L = stiffness_laplacian(mesh.vertices, mesh.tets, volume, stiffness);
  const VecX u = mesh.vertices.transpose() * slope;
  EXPECT_NEAR(u.dot(L * u), expected, 1e-12 * expected);
  EXPECT_LT((L * VecX::Ones(L.cols())).cwiseAbs().maxCoeff(), 1e-12 * L.coeffs().cwiseAbs().maxCoeff());
  EXPECT_EQ((SparseMatrix(L.transpose()) - L).norm(), 0);
}

TEST(Laplacian, HatGradientsAreThoseOfTheBarycentricCoordinates) {
  const TetMesh mesh = make_sphere(0.5, 0.3);
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const auto gradients = hat_gradients(mesh.vertices, mesh.tets, t);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const Vec3 edge = mesh.vertices.col(mesh.tets(j, t)) - mesh.vertices.col(mesh.tets((i + 1) % 4, t));
        EXPECT_NEAR(gradients.col(i).dot(edge), i == j ? 1 : 0, 1e-12);
      }
    }
  }
}

TEST(Laplacian, MassSumsToTheVolume) {
  const TetMesh mesh = make_box(Vec3(1, 2, 3), {2, 4, 6});
  const VecX mass = lumped_volume(mesh.vertex_count(), mesh.tets, volumes(mesh));
  EXPECT_NEAR(mass.sum(), 6, 1e-12);
  EXPECT_GT(mass.minCoeff(), 0);
}

TEST(Laplacian, BiharmonicIsItsSquareInTheMassMetric) {
  const TetMesh mesh = make_box(Vec3(1, 1, 1), {3, 3, 3});
  const std::vector<double> volume = volumes(mesh), stiffness(volume.size(), 2.0);
  const SparseMatrix L = stiffness_laplacian(mesh.vertices, mesh.tets, volume, stiffness);
  const VecX mass = lumped_volume(mesh.vertex_count(), mesh.tets, volume);
  const SparseMatrix K = biharmonic(L, mass);
  const VecX u = mesh.vertices.row(0).array().square() + mesh.vertices.row(1).array().cube();
  const VecX Lu = L * u;
  EXPECT_NEAR(u.dot(K * u), Lu.dot(mass.cwiseInverse().cwiseProduct(Lu)), 1e-11 * u.dot(K * u));
}

}  // namespace
}  // namespace sinew

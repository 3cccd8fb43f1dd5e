#include "sinew/model/affine_body.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>

#include "sinew/core/error.h"
#include "sinew/material/registry.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

// A prescribed selection spans the body where its smallest extent is more than this share of the body's own.
constexpr double least_extent = 1e-4;

// Corners of a regular tet with sum 0 and mean square 1 along each axis.
const Eigen::Matrix<double, 3, 4> corners{{1, 1, -1, -1}, {1, -1, 1, -1}, {1, -1, -1, 1}};

// Sums of rho, rho x and rho x x^T over tets about an origin. For a tet of volume V with corners x_i
//   int x x^T = V/20 (sum_i x_i sum_j x_j^T + sum_i x_i x_i^T).
class Moments {
 public:
  explicit Moments(const Vec3& origin) : origin_(origin) {}

  void add(const Vec3 (&corner)[4], double volume, double density, double young) {
    const double m = density * volume;
    Vec3 sum = Vec3::Zero();
    Mat3 squares = Mat3::Zero();
    for (const Vec3& x : corner) {
      const Vec3 r = x - origin_;
      sum += r;
      squares += r * r.transpose();
    }
    mass_ += m;
    volume_ += volume;
    young_ += young * volume;
    first_ += m / 4 * sum;
    second_ += m / 20 * (sum * sum.transpose() + squares);
  }

  MassMoments result() const {
    const Vec3 mean = first_ / mass_;
    return {mass_, volume_, origin_ + mean, second_ / mass_ - mean * mean.transpose(), young_ / volume_};
  }

 private:
  Vec3 origin_, first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
  double mass_ = 0, volume_ = 0, young_ = 0;
};

void check_closed(const BodySetup& body) {
  std::map<std::pair<Index, Index>, int> balance;
  const Triangles& faces = body.mesh.triangles;
  for (Index f = 0; f < faces.cols(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = faces(k, f), b = faces((k + 1) % 3, f);
      balance[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  const auto open = std::ranges::find_if(balance, [](const auto& edge) { return edge.second != 0; });
  if (open == balance.end()) return;
  const Vec3 x = body.mesh.vertices.col(open->first.first);
  fail_input(code::affine_body,
             "body '{}': its surface is open or inconsistently oriented at the edge of vertices {} and {}, near "
             "({:.6g}, {:.6g}, {:.6g}); give an affine body a closed surface or a volume mesh",
             body.name, open->first.first, open->first.second, x[0], x[1], x[2]);
}

// Whether points of the body leave an affine motion no freedom: they do not lie in a plane.
bool spans(const BodySetup& body, const std::vector<Index>& vertices, const MassMoments& moments) {
  Mat3 spread = Mat3::Zero();
  Vec3 mean = Vec3::Zero();
  for (const Index v : vertices) mean += body.mesh.vertices.col(v);
  mean /= static_cast<double>(std::max<std::size_t>(vertices.size(), 1));
  for (const Index v : vertices) {
    const Vec3 r = body.mesh.vertices.col(v) - mean;
    spread += r * r.transpose();
  }
  const double least = Eigen::SelfAdjointEigenSolver<Mat3>(spread, Eigen::EigenvaluesOnly).eigenvalues()[0];
  return least > least_extent * least_extent * moments.spread.trace();
}

}  // namespace

MassMoments mass_moments(const BodySetup& body) {
  const TetMesh& mesh = body.mesh;
  const std::vector<Index> used = used_vertices(mesh);
  Moments sum(mesh.vertices.col(used.front()));
  for (const MaterialAssignment& material : body.materials) {
    const bool all = material.tets.empty();
    const std::size_t size = all ? mesh.element_count() : material.tets.size();
    for (std::size_t k = 0; k < size; ++k) {
      const Index e = all ? static_cast<Index>(k) : material.tets[k];
      const double young = material.model->equivalent_young(element_parameters(material, k).kernel);
      if (!mesh.is_cloth()) {
        const Vec3 corner[4] = {mesh.vertices.col(mesh.tets(0, e)), mesh.vertices.col(mesh.tets(1, e)),
                                mesh.vertices.col(mesh.tets(2, e)), mesh.vertices.col(mesh.tets(3, e))};
        sum.add(corner, tet_volume(mesh.vertices, mesh.tets, e), value_of(material.density, k), young);
        continue;
      }
      // The tet of a triangle and one vertex: signed volumes add up to what the surface encloses.
      const Vec3 corner[4] = {mesh.vertices.col(used.front()), mesh.vertices.col(mesh.triangles(0, e)),
                              mesh.vertices.col(mesh.triangles(1, e)), mesh.vertices.col(mesh.triangles(2, e))};
      const double volume = (corner[1] - corner[0]).dot((corner[2] - corner[0]).cross(corner[3] - corner[0])) / 6;
      sum.add(corner, volume, value_of(material.density, k), young);
    }
  }
  return sum.result();
}

// With the spread R diag(s^2) R^T the four points c + R diag(s) t_a, t_a the corners of a regular tet, of mass m/4 each
// have the mass, centre and second moments of the body. Motions x = A X + t have no other inertia: W^T M W of the body,
// which is dense for other control points, is m/4 I. The material is that of St. Venant and Kirchhoff without Poisson's
// ratio, whose energy is the orthogonality energy V E/8 |A^T A - I|^2.
void make_affine(BodySetup& body) {
  for (const MaterialAssignment& material : body.materials)
    if (material.mass_spring || !material.model)
      fail_input(code::affine_body,
                 "body '{}': material '{}' is made of springs; give an affine body the material of a solid", body.name,
                 material.name);
  if (body.mesh.is_cloth()) check_closed(body);
  const MassMoments moments = mass_moments(body);
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(moments.spread);
  const Vec3 s = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  if (!(moments.volume > 0) || !(s[0] > 1e-6 * s[2]))
    fail_input(code::affine_body,
               "body '{}': it encloses a volume of {:.3g} m^3, expected a positive one; turn its triangles outward",
               body.name, moments.volume);
  TetMesh control;
  control.vertices = (eigen.eigenvectors() * s.asDiagonal() * corners).colwise() + moments.center;
  control.tets.resize(4, 1);
  control.tets.col(0) << 0, 1, 2, 3;
  if (tet_volume(control.vertices, control.tets, 0) < 0) std::swap(control.tets(2, 0), control.tets(3, 0));
  const double volume = tet_volume(control.vertices, control.tets, 0);

  // Barycentric coordinates: w_a = 1/4 + t_a . diag(1/s) R^T (X - c) / 4.
  const Mat3 inverse = s.cwiseInverse().asDiagonal() * eigen.eigenvectors().transpose();
  body.follower_rows.assign(body.mesh.vertex_count(), {});
  for (const Index v : used_vertices(body.mesh)) {
    const Vec3 local = inverse * (body.mesh.vertices.col(v) - moments.center);
    for (Index a = 0; a < 4; ++a) body.follower_rows[v].push_back({a, 0.25 + 0.25 * corners.col(a).dot(local)});
  }

  for (std::size_t f = 0; f < body.fixes.size(); ++f) {
    FixSetup& fix = body.fixes[f];
    if (!spans(body, fix.vertices, moments))
      fail_input(code::affine_body,
                 "body '{}': fix[{}] holds {} vertices in one point, line or plane, so the affine body can still move; "
                 "fix \"all\" of it, or hold these vertices by springs",
                 body.name, f, fix.vertices.size());
    fix.vertices = {0, 1, 2, 3};
  }

  MaterialAssignment stiff;
  stiff.name = body.materials[0].name;
  stiff.look = body.materials[0].look;
  stiff.model = shared_material_model("stvk");
  stiff.parameters = {{0.0}, {0.5 * moments.young * moments.volume / volume}};  // lambda, mu
  stiff.density = {moments.mass / volume};
  body.follower_materials = std::move(body.materials);
  body.materials = {std::move(stiff)};
  body.follower = std::move(body.mesh);
  body.mesh = std::move(control);
  body.volume = moments.volume;
}

}  // namespace sinew

#include "sinew/potential/follower_stiffness.h"

#include <algorithm>
#include <vector>

#include "sinew/core/sort_unique.h"
#include "sinew/mesh/quadratic_face.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// The force of a unit pressure on the nodes of a face, minus that of the potential V of the face with the origin, as
// PressureEnergy::lag() has them.
template <int nodes>
MatX border_force(const MatX& y) {
  MatX force = MatX::Zero(3, nodes);
  const auto at = [&](int k) -> Vec3 { return y.col(k); };
  if constexpr (nodes == 3) {
    const Vec3 follower = -(at(1) - at(0)).cross(at(2) - at(0)) / 6;
    for (int k = 0; k < 3; ++k) force.col(k) = follower + at((k + 1) % 3).cross(at((k + 2) % 3)) / 6;
  } else {
    FaceNodes corners;
    for (int a = 0; a < 6; ++a) corners[a] = at(a);
    const std::array<Vec3, 6> areas = node_area_vectors(corners);
    for (int a = 0; a < 6; ++a) force.col(a) -= areas[a];
    for (const FaceTriple& t : face_triples()) {
      const int v[3] = {t.a, t.b, t.c};
      for (int k = 0; k < 3; ++k) force.col(v[k]) += t.volume * at(v[(k + 1) % 3]).cross(at(v[(k + 2) % 3]));
    }
  }
  return force;
}

// H -= p times the symmetric part of the derivative. Forces are quadratic in the nodes, so that central differences are
// exact but for rounding.
template <int nodes>
void add_face(const std::array<Index, nodes>& v, const Points& x, const Vec3& center, double pressure,
              SymBlockMatrix& H) {
  MatX y(3, nodes);
  for (int a = 0; a < nodes; ++a)
    for (int k = 0; k < 3; ++k) y(k, a) = x(k, v[a]) - center[k];
  const double step = (y.colwise() - y.rowwise().mean()).cwiseAbs().maxCoeff();
  MatX J(3 * nodes, 3 * nodes);
  for (int c = 0; c < 3 * nodes; ++c) {
    MatX up = y, down = y;
    up.data()[c] += step;
    down.data()[c] -= step;
    const MatX change = (border_force<nodes>(up) - border_force<nodes>(down)) / (2 * step);
    J.col(c) = Eigen::Map<const VecX>(change.data(), change.size());
  }
  const MatX S = -pressure / 2 * (J + J.transpose());
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b) {
      if (v[a] > v[b]) continue;
      const std::int64_t slot = H.pattern().find(v[a], v[b]);
      if (slot >= 0) Eigen::Map<Mat3>(H.block(slot)) += S.block<3, 3>(3 * a, 3 * b);
    }
}

}  // namespace

void add_border_stiffness(const System& system, const StepContext& context, const Points& x, SymBlockMatrix& H) {
  for (const FaceLoad& load : system.loads) {
    if (load.kind != LoadKind::pressure || encloses_volume(load.faces)) continue;
    std::vector<Index> vertices(load.faces.data(), load.faces.data() + load.faces.size());
    sort_unique(vertices);
    if (vertices.back() >= system.dynamic_count) continue;
    const double factor = load.factor.empty() ? context.load_factor : load.factor.at(context.time_end)[0];
    Vec3 center = Vec3::Zero();
    for (const Index i : vertices) center += x.col(i);
    center /= static_cast<double>(vertices.size());
    for (Index q = 0; q < load.quadratic_faces; ++q)
      add_face<6>(quadratic_face_nodes(load.faces, q), x, center, factor * load.pressure, H);
    for (Index f = parts_of_quadratic_face * load.quadratic_faces; f < load.faces.cols(); ++f)
      add_face<3>({load.faces(0, f), load.faces(1, f), load.faces(2, f)}, x, center, factor * load.pressure, H);
  }
}

}  // namespace sinew

#include "sinew/sensors/place_values.h"

#include <cmath>

#include <Eigen/Dense>

#include "sinew/core/symmetric_tensor.h"

namespace sinew {
namespace {

VecX entries_of(const Mat3& m) {
  VecX six(6);
  put_symmetric(m, six.data());
  return six;
}

Mat3 edges_of(const Points& x, const Tets& tets, Index t) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = x.col(tets(k + 1, t)) - x.col(tets(0, t));
  return edges;
}

VecX of_stress(Quantity quantity, const VecX& stress) {
  switch (quantity) {
    case Quantity::principal_stress:
      return principal_values(symmetric_matrix(stress.data()));
    case Quantity::von_mises:
      return VecX::Constant(1, von_mises(symmetric_matrix(stress.data())));
    case Quantity::pressure:
      return VecX::Constant(1, -(stress[0] + stress[1] + stress[2]) / 3);
    default:
      return stress;
  }
}

VecX of_gradient(Quantity quantity, const Mat3& F) {
  switch (quantity) {
    case Quantity::strain:
      return entries_of(logarithmic_strain(F));
    case Quantity::principal_strain:
      return principal_values(logarithmic_strain(F));
    case Quantity::green_strain:
      return entries_of(green_strain(F));
    default:
      return VecX::Constant(1, F.determinant());
  }
}

// The analytic plane of a place, or -1.
Index plane_of(const System& system, const SensorPlace& place) {
  const Index owner = static_cast<Index>(system.bodies.size()) + place.obstacle;
  for (std::size_t p = 0; place.obstacle >= 0 && p < system.collision.planes.size(); ++p)
    if (system.collision.planes[p].owner == owner) return static_cast<Index>(p);
  return -1;
}

}  // namespace

MatX vertex_values(const System& system, const SensorPlace& place, Quantity quantity, const State& state) {
  if (const Index plane = plane_of(system, place); plane >= 0) {
    const Vec3 now = state.planes[plane].point;
    return quantity == Quantity::position ? now : Vec3(now - system.planes[plane].point);
  }
  MatX values(3, static_cast<Index>(place.vertices.size()));
  for (Index i = 0; i < values.cols(); ++i) {
    const Index v = place.vertices[i];
    values.col(i) = quantity == Quantity::position   ? Vec3(state.x.col(v))
                    : quantity == Quantity::velocity ? Vec3(state.v.col(v))
                                                     : Vec3(state.x.col(v) - system.rest.col(v));
  }
  return values;
}

MatX tet_values(const SensorPlace& place, Quantity quantity, SensorSource& source) {
  const auto count = static_cast<Index>(place.tets.size());
  if (quantity == Quantity::plastic_strain) {
    const std::vector<double> all = source.plastic_strain();
    MatX values = MatX::Zero(1, count);
    for (Index i = 0; i < count && !all.empty(); ++i) values(0, i) = all[place.tets[i]];
    return values;
  }
  MatX values;
  for (Index i = 0; i < count; ++i) {
    const Index t = place.tets[i];
    const VecX one =
        quantity <= Quantity::pressure
            ? of_stress(quantity, source.stress().col(t))
            : of_gradient(
                  quantity,
                  Eigen::Map<const Mat3>(source.deformation_gradients().data() + std::size_t{9} * t).transpose());
    if (i == 0) values.resize(one.size(), count);
    values.col(i) = one;
  }
  return values;
}

VecX tet_volumes(const System& system, const SensorPlace& place) {
  VecX volumes(static_cast<Index>(place.tets.size()));
  for (Index i = 0; i < volumes.size(); ++i)
    volumes[i] = edges_of(system.rest, system.tets, place.tets[i]).determinant() / 6;
  return volumes;
}

// A sixth of the determinants of the corners, from the first vertex on.
double enclosed_volume(const SensorPlace& place, const Points& x) {
  double sum = 0;
  const Vec3 origin = x.col(place.faces(0, 0));
  for (Index f = 0; f < place.faces.cols(); ++f) {
    const Vec3 a = x.col(place.faces(0, f)) - origin, b = x.col(place.faces(1, f)) - origin,
               c = x.col(place.faces(2, f)) - origin;
    sum += a.dot(b.cross(c)) / 6;
  }
  return std::abs(sum);
}

}  // namespace sinew

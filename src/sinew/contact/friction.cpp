#include "sinew/contact/friction.h"

#include <cmath>

#include <Eigen/Geometry>

namespace sinew {
namespace {

// Symbols as in friction.h: u the slip (2 entries), y = |u|, f0 the mollified |u| of Li et al. 2020, f1 = f0',
// eps the distance under which contacts stick, T the tangents (3 x 2), c the weights of the closest points. The slopes
// f1/y (secant) and f1' (tangent) are the Hessian's factors across the slip and along it.

// A vertex of the stencil's second primitive.
Index second_primitive(const ContactStencil& stencil) {
  return stencil.v[stencil.first_count()];
}

// Orthonormal axes fixed to the plane: normal, tangent and their product.
Mat3 frame(const PlaneState& plane) {
  Mat3 axes;
  axes.col(0) = plane.normal;
  axes.col(1) = (plane.tangent - plane.normal.dot(plane.tangent) * plane.normal).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

}  // namespace

// Two orthonormal vectors across the unit vector n.
Eigen::Matrix<double, 3, 2> tangent_basis(const Vec3& n) {
  // The axis least aligned with n gives the best-conditioned cross product.
  int axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  Eigen::Matrix<double, 3, 2> T;
  T.col(0) = Vec3::Unit(axis).cross(n).normalized();
  T.col(1) = n.cross(T.col(0)).normalized();
  return T;
}

double friction_coefficient(const CollisionMesh& mesh, const ContactStencil& stencil) {
  const Index a = mesh.vertex_material[stencil.v[0]];
  const Index b = stencil.kind == StencilKind::point_plane ? mesh.planes[stencil.plane].material
                                                           : mesh.vertex_material[second_primitive(stencil)];
  return mesh.friction[static_cast<std::size_t>(a) * mesh.material_count + b];
}

// Displacement of the material point of a rigidly moving plane that is at `point` at the end: with arm r = point - p_to
// and the rotation Q from the first frame to the second, the point was at p_from + Q^T r.
Vec3 plane_displacement(const PlaneState& from, const PlaneState& to, const Vec3& point) {
  const Vec3 arm = point - to.point;
  Vec3 back = arm;  // the arm before the turn
  if (!from.tangent.isZero() && !to.tangent.isZero()) {
    if (from.normal != to.normal || from.tangent != to.tangent) back = frame(from) * (frame(to).transpose() * arm);
  } else if (const double cosine = to.normal.dot(from.normal); cosine > -1) {
    // Q^T as the smallest rotation that takes to.normal back to from.normal (Rodrigues' formula with a = n_to x
    // n_from):
    //   Q^T r = r + a x r + a x (a x r) / (1 + n_to . n_from).
    const Vec3 axis = to.normal.cross(from.normal), turned = axis.cross(arm);
    back += turned + axis.cross(turned) / (1 + cosine);
  }
  return (to.point - from.point) + (arm - back);
}

FrictionStencil lag_friction(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                             const BarrierParameters& barrier, double coefficient) {
  FrictionStencil result;
  result.v = stencil.v;
  result.first = stencil.first_count();
  result.plane = stencil.kind == StencilKind::point_plane ? stencil.plane : -1;
  result.coefficient = coefficient;
  result.normal_force = stencil_normal_force(stencil, x, planes, barrier);
  if (stencil.kind == StencilKind::point_plane) {
    result.c[0] = 1;
    result.T = tangent_basis(planes[stencil.plane].normal);
    return result;
  }
  const ClosestPair pair = closest_pair(stencil.kind, gather(stencil, x));
  result.c = pair.c;
  result.T = tangent_basis(pair_frame(pair).normal);
  return result;
}

// f0 in t = y / eps: eps (t^2 - t^3 / 3 + 1 / 3) for t < 1.
double friction_potential(double y, double eps) {
  if (y >= eps) return y;
  const double t = y / eps;
  return eps * (t * t * (1 - t / 3) + 1.0 / 3);
}

// f1 / y = (2 - t) / eps and f1' = 2 (1 - t) / eps for t = y / eps < 1; 1 / y and 0 for a contact that slips.
FrictionSlopes friction_slopes(double y, double eps) {
  if (y >= eps) return {1 / y, 0};
  const double t = y / eps;
  return {(2 - t) / eps, 2 * (1 - t) / eps};
}

// u = T^T (sum_i c_i (x_i - x^_i) - m).
Eigen::Vector2d friction_slip(const FrictionStencil& stencil, const Points& x, const Points& reference) {
  Vec3 displacement = -stencil.plane_displacement;
  for (int i = 0; i < 4; ++i) {
    const Index v = stencil.v[i];
    if (v >= 0) displacement += stencil.c[i] * (x.col(v) - reference.col(v));
  }
  return stencil.T.transpose() * displacement;
}

double friction_energy(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps) {
  const double y = friction_slip(stencil, x, reference).norm();
  return stencil.coefficient * stencil.normal_force * friction_potential(y, eps);
}

Vec3 friction_gradient(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps) {
  const Eigen::Vector2d u = friction_slip(stencil, x, reference);
  const double scale = stencil.coefficient * stencil.normal_force * friction_slopes(u.norm(), eps).secant;
  return scale * (stencil.T * u);
}

namespace {

// sum_i c_i d_i [m].
Vec3 relative_displacement(const FrictionStencil& stencil, const Points& d) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i)
    if (stencil.v[i] >= 0) sum += stencil.c[i] * d.col(stencil.v[i]);
  return sum;
}

// (f1/y - f1') / f1 [1/m]: the factor of sym(w u^T) / |u| in the primal-dual Hessian, relative to the secant's T T^T.
double dual_weight(const FrictionSlopes& slopes, double y) {
  return y > 0 ? (slopes.secant - slopes.tangent) / (slopes.secant * y) : 0;
}

// mu lambda T M T^T with M = s I + (t - s) u u^T / |u|^2: eigenvalue s (secant) across the slip and t (tangent) along
// it.
Mat3 hessian_of(const FrictionStencil& stencil, const Eigen::Vector2d& u, FrictionSlopes slopes) {
  const double y = u.norm();
  Eigen::Matrix2d M = slopes.secant * Eigen::Matrix2d::Identity();
  if (y > 0 && slopes.tangent != slopes.secant) {
    const Eigen::Vector2d along = u / y;
    M += (slopes.tangent - slopes.secant) * along * along.transpose();
  }
  return stencil.coefficient * stencil.normal_force * stencil.T * M * stencil.T.transpose();
}

// Both slopes fall with y, so their minima over the ball of `radius` around u lie at y + radius. A ball that holds zero
// holds slips of all directions, for which the smaller slope, the tangent one, is the bound in both directions.
FrictionSlopes least_slopes(double y, double eps, double radius) {
  FrictionSlopes slopes = friction_slopes(y + radius, eps);
  if (y <= radius) slopes.secant = slopes.tangent;
  return slopes;
}

}  // namespace

Mat3 friction_hessian(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps) {
  const Eigen::Vector2d u = friction_slip(stencil, x, reference);
  return hessian_of(stencil, u, friction_slopes(u.norm(), eps));
}

// The primal-dual Hessian of friction.h (Chan, Golub and Mulet 1999), with M = (f1/y) I - weight sym(w u^T) / y.
Mat3 friction_hessian(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps,
                      const Eigen::Vector2d& w) {
  const Eigen::Vector2d u = friction_slip(stencil, x, reference);
  const double y = u.norm();
  const FrictionSlopes slopes = friction_slopes(y, eps);
  Eigen::Matrix2d M = slopes.secant * Eigen::Matrix2d::Identity();
  if (y > 0) {
    const Eigen::Matrix2d dyad = w * u.transpose() / y;
    M -= 0.5 * dual_weight(slopes, y) * (dyad + dyad.transpose());
  }
  return stencil.coefficient * stencil.normal_force * stencil.T * M * stencil.T.transpose();
}

// The dual step of the primal-dual method: linearisation of phi(|u|) w = u at (u, w) gives, for the slip's change du,
//   w_full = (f1/y) (u + du) - weight (u . du / y) w,
// of which the share alpha is taken and the result is cut to the unit disc.
Eigen::Vector2d friction_dual(const FrictionStencil& stencil, const Points& x, const Points& d, double alpha,
                              const Points& reference, double eps, const Eigen::Vector2d& w) {
  const Eigen::Vector2d u = friction_slip(stencil, x, reference);
  const Eigen::Vector2d du = stencil.T.transpose() * relative_displacement(stencil, d);
  const double y = u.norm();
  const FrictionSlopes slopes = friction_slopes(y, eps);
  Eigen::Vector2d full = slopes.secant * (u + du);
  if (y > 0) full -= dual_weight(slopes, y) * (u.dot(du) / y) * w;
  const Eigen::Vector2d next = w + alpha * (full - w);
  return next / std::max(1.0, next.norm());
}

Mat3 least_friction_hessian(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps,
                            double radius) {
  const Eigen::Vector2d u = friction_slip(stencil, x, reference);
  return hessian_of(stencil, u, least_slopes(u.norm(), eps, radius));
}

double friction_softening(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps,
                          double radius) {
  const double y = friction_slip(stencil, x, reference).norm();
  const FrictionSlopes slopes = friction_slopes(y, eps), least = least_slopes(y, eps, radius);
  return std::min(slopes.tangent > 0 ? least.tangent / slopes.tangent : 1.0, least.secant / slopes.secant);
}

}  // namespace sinew

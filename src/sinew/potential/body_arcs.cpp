#include "sinew/potential/body_arcs.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

Vec3 sum_over(const std::vector<Index>& vertices, const auto& term) {
  Vec3 sum;
  for (int k = 0; k < 3; ++k)
    sum[k] = parallel_sum(vertices.size(), [&](std::size_t i) { return term(vertices[i])[k]; });
  return sum;
}

}  // namespace

// Vertices by body, and the least moment of inertia of each at rest, for the bound in split().
BodyArcs::BodyArcs(const System& system)
    : system_(system), vertices_(system.bodies.size()), tied_(system.bodies.size(), 0) {
  for (const Tie& tie : system.ties) tied_[tie.body] = tied_[tie.to] = 1;
  for (Index i = 0; i < system.dynamic_count; ++i) vertices_[system.vertex_body[i]].push_back(i);
  for (std::size_t b = 0; b < vertices_.size(); ++b) {
    const Rigid rest = rigid_motion(system.rest, system.rest, static_cast<Index>(b));
    least_inertia_.push_back(
        Eigen::SelfAdjointEigenSolver<Mat3>(rest.inertia, Eigen::EigenvaluesOnly).eigenvalues()[0]);
  }
}

// The rigid part of d on a body: v and omega that minimise sum m_i |d_i - v - omega x r_i|^2,
//
//   v = sum m_i d_i / sum m_i,   I omega = sum m_i r_i x d_i,   I the inertia tensor about the centre of mass.
BodyArcs::Rigid BodyArcs::rigid_motion(const Points& x, const Points& d, Index body) const {
  const std::vector<Index>& vertices = vertices_[body];
  const std::vector<double>& m = system_.mass;
  const double mass = parallel_sum(vertices.size(), [&](std::size_t i) { return m[vertices[i]]; });
  Rigid rigid;
  rigid.body = body;
  rigid.center = sum_over(vertices, [&](Index v) { return Vec3(m[v] * x.col(v)); }) / mass;
  rigid.velocity = sum_over(vertices, [&](Index v) { return Vec3(m[v] * d.col(v)); }) / mass;
  const auto arm = [&](Index v) { return Vec3(x.col(v) - rigid.center); };
  const Vec3 momentum = sum_over(vertices, [&](Index v) { return Vec3(m[v] * arm(v).cross(d.col(v))); });
  const Vec3 squares = sum_over(vertices, [&](Index v) { return Vec3(m[v] * arm(v).array().square()); });
  const Vec3 products = sum_over(vertices, [&](Index v) {
    const Vec3 r = arm(v);
    return Vec3(m[v] * r.y() * r.z(), m[v] * r.z() * r.x(), m[v] * r.x() * r.y());
  });
  rigid.inertia << squares.y() + squares.z(), -products.z(), -products.y(),  //
      -products.z(), squares.z() + squares.x(), -products.x(),               //
      -products.y(), -products.x(), squares.x() + squares.y();
  rigid.omega = rigid.inertia.ldlt().solve(momentum);
  return rigid;
}

// Which bodies turn so far that a straight motion would cost elastic energy. Going straight stretches a body that
// turns by theta by theta^2 / 2, which costs about
//
//   E V (theta^2 / 2)^2   against the decrease -slope that d promises.
//
// A bound of theta by the kinetic energy of d, theta^2 <= sum m |d|^2 / least inertia, rules out most bodies.
void BodyArcs::split(const Points& x, const Points& d, const StepContext& context, double slope, double share) {
  turning_.clear();
  for (std::size_t b = 0; b < vertices_.size(); ++b) {
    const std::vector<Index>& vertices = vertices_[b];
    // Whether the elastic energy, as it enters E, of a stretch by theta^2 / 2 exceeds the share of the decrease.
    const auto matters = [&](double turn2) {
      return context.scale * system_.bodies[b].stiffness * 0.25 * turn2 * turn2 > share * -slope;
    };
    // The turn is bounded by inertia omega . omega <= sum m |d|^2.
    const double motion2 = parallel_sum(
        vertices.size(), [&](std::size_t i) { return system_.mass[vertices[i]] * d.col(vertices[i]).squaredNorm(); });
    if (!matters(4 * motion2 / least_inertia_[b])) continue;  // 4: bodies may be half as wide as at rest
    if (context.ties && tied_[b]) continue;                   // one of two bodies that are tied cannot turn by itself
    const auto free = [&](Index v) {
      return !context.prescribed[3 * v] && !context.prescribed[3 * v + 1] && !context.prescribed[3 * v + 2];
    };
    if (!std::all_of(vertices.begin(), vertices.end(), free)) continue;
    const Rigid rigid = rigid_motion(x, d, static_cast<Index>(b));
    if (rigid.omega.allFinite() && matters(rigid.omega.squaredNorm())) turning_.push_back(rigid);
  }
}

// Motion along an arc. The rigid part turns by the rotation R with tan(angle) = alpha |omega|, and e is what d has
// beside it:
//
//   x_i(alpha) - x_i = alpha v + (R - I)(r_i + alpha e_i) + alpha e_i,
//   (R - I) r = sin a x r + (1 - cos) a x (a x r),   a the unit axis   (Rodrigues).
void BodyArcs::bend(const Points& x, const Points& d, double alpha, Points& motion) const {
  for (const Rigid& rigid : turning_) {
    const std::vector<Index>& vertices = vertices_[rigid.body];
    const double angle = alpha * rigid.omega.norm();
    // I + alpha [omega] turns by atan(angle); R - I from the angle alone, without cancellation.
    const Vec3 axis = rigid.omega.normalized();
    const double cosine = 1 / std::sqrt(1 + angle * angle), sine = angle * cosine;
    const double versine = angle * angle * cosine * cosine / (1 + cosine);  // 1 - cosine
    const auto turned = [&](const Vec3& r) {                                // R r - r
      return Vec3(sine * axis.cross(r) + versine * axis.cross(axis.cross(r)));
    };
    parallel_for(
        vertices.size(),
        [&](std::size_t i) {
          const Index v = vertices[i];
          const Vec3 r = x.col(v) - rigid.center;
          const Vec3 e = alpha * (d.col(v) - rigid.velocity - rigid.omega.cross(r));
          motion.col(v) = alpha * rigid.velocity + turned(r + e) + e;
        },
        4096);
  }
}

}  // namespace sinew

#include "sinew/dynamics/body_motion.h"

namespace sinew {
namespace {

Vec3 center_of_mass(const System& system, const BodyMasses& masses, const Points& x) {
  Vec3 sum = Vec3::Zero();
  for (const Index v : masses.vertices) sum += system.mass[v] * x.col(v);
  return sum / masses.total;
}

}  // namespace

const BodyMasses& BodyMassTable::of(const System& system, Index body) {
  std::call_once(once_, [&] {
    bodies_.resize(system.bodies.size());
    for (Index v = 0; v < system.dynamic_count; ++v) {
      BodyMasses& own = bodies_[system.vertex_body[v]];
      own.vertices.push_back(v);
      own.total += system.mass[v];
    }
    for (BodyMasses& own : bodies_) own.rest_center = center_of_mass(system, own, system.rest);
  });
  return bodies_[body];
}

BodyPlace place_of(const System& system, const BodyMasses& masses, const Points& x) {
  BodyPlace place;
  place.center = center_of_mass(system, masses, x);
  place.rest_center = masses.rest_center;
  for (const Index v : masses.vertices)
    place.moments += system.mass[v] * (x.col(v) - place.center) * (system.rest.col(v) - masses.rest_center).transpose();
  return place;
}

BodyMomenta momenta_of(const System& system, const BodyMasses& masses, const Points& x, const Points& v) {
  const Vec3 center = center_of_mass(system, masses, x);
  BodyMomenta sum;
  for (const Index i : masses.vertices) {
    const double m = system.mass[i];
    const Vec3 u = v.col(i);
    sum.linear += m * u;
    sum.angular += m * Vec3(x.col(i) - center).cross(u);
    sum.kinetic += m * u.squaredNorm() / 2;
  }
  return sum;
}

}  // namespace sinew

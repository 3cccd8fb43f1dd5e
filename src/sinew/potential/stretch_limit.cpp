#include "sinew/potential/stretch_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/model/naming.h"

namespace sinew {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double length_of(const EdgeSpring& spring, const Points& x) {
  return (x.col(spring.a) - x.col(spring.b)).norm();
}

bool is_slack(const EdgeSpring& spring, double length) {
  return spring.longest == 0 || length <= spring.length;
}

// ln(1 - e/w) without loss of digits at either end of [0, w].
double log_of_room(const EdgeSpring& spring, double length) {
  const double w = spring.longest - spring.length, share = (length - spring.length) / w;
  return share < 0.5 ? std::log1p(-share) : std::log((spring.longest - length) / w);
}

}  // namespace

double stretch_barrier(const EdgeSpring& spring, double length) {
  if (is_slack(spring, length)) return 0;
  if (!(length < spring.longest)) return unbounded;
  const double e = length - spring.length;
  return -spring.stiffness * e * e * log_of_room(spring, length);
}

double stretch_barrier_force(const EdgeSpring& spring, double length) {
  if (is_slack(spring, length)) return 0;
  if (!(length < spring.longest)) return unbounded;
  const double e = length - spring.length;
  return spring.stiffness * e * (e / (spring.longest - length) - 2 * log_of_room(spring, length));
}

double stretch_barrier_stiffness(const EdgeSpring& spring, double length) {
  if (is_slack(spring, length)) return 0;
  if (!(length < spring.longest)) return unbounded;
  const double ratio = (length - spring.length) / (spring.longest - length);
  return spring.stiffness * (ratio * (ratio + 4) - 2 * log_of_room(spring, length));
}

// |u + t d|^2 = L^2:  a t^2 + 2 b t - c = 0 with a = |d|^2, b = u . d and c = L^2 - |u|^2 > 0. Its positive root is
// written without differences of like numbers: c has factors, and the sign of b chooses the form.
double first_overstretch(const Vec3& u, const Vec3& d, double longest) {
  const double a = d.squaredNorm(), b = u.dot(d), length = u.norm();
  const double c = (longest - length) * (longest + length);
  if (!(c > 0)) return 0;
  if (a + 2 * b < c) return unbounded;
  const double root = std::sqrt(b * b + a * c);
  return b > 0 ? c / (b + root) : (root - b) / a;
}

double stretch_step(const System& system, const Points& x, const Points& d) {
  const double first = parallel_min(system.edge_springs.size(), unbounded, [&](std::size_t s) {
    const EdgeSpring& spring = system.edge_springs[s];
    if (spring.longest == 0) return unbounded;
    return first_overstretch(x.col(spring.a) - x.col(spring.b), d.col(spring.a) - d.col(spring.b), spring.longest);
  });
  return first < unbounded ? std::min(1.0, 0.9 * first) : 1;
}

bool is_overstretched(const EdgeSpring& spring, const Points& x) {
  return spring.longest > 0 && !(length_of(spring, x) < spring.longest);
}

std::vector<Index> overstretched(const System& system, const Points& x) {
  std::vector<Index> found;
  for (std::size_t s = 0; s < system.edge_springs.size(); ++s)
    if (is_overstretched(system.edge_springs[s], x)) found.push_back(static_cast<Index>(s));
  return found;
}

Index tautest_spring(const System& system, const Points& x) {
  Index tautest = -1;
  double most = -unbounded;
  for (std::size_t s = 0; s < system.edge_springs.size(); ++s) {
    const EdgeSpring& spring = system.edge_springs[s];
    if (spring.longest == 0) continue;
    const double share = (length_of(spring, x) - spring.length) / (spring.longest - spring.length);
    if (!(share > most)) continue;
    most = share;
    tautest = static_cast<Index>(s);
  }
  return tautest;
}

std::string stretch_text(const System& system, const EdgeSpring& s, const Points& x) {
  return fmt::format(
      "the edge between vertices {} and {} of body '{}' is at {:.6g} of its rest length, with the limit {:.6g}",
      own_number(system, s.a), own_number(system, s.b), system.bodies[system.vertex_body[s.a]].name,
      length_of(s, x) / s.length, s.longest / s.length);
}

}  // namespace sinew

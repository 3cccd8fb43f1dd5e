#include "sinew/dynamics/look_ahead.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/contact/kinematics.h"
#include "sinew/dynamics/integrator.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double as_large = 1 + 1e-9;  // ratio of two sizes that count as equal
// Lines beside a body's way that are looked along: circles of so many about it.
constexpr int circles = 3, around = 8;

// Whether the box [low, high], which moves by `displacement`, meets the box [low2, high2] on its way.
bool sweep_meets(const Vec3& low, const Vec3& high, const Vec3& displacement, const Vec3& low2, const Vec3& high2) {
  double begin = 0, end = 1;
  for (int k = 0; k < 3; ++k) {
    const double from = low2[k] - high[k], to = high2[k] - low[k];  // of the shift along k at which they overlap
    if (displacement[k] == 0) {
      if (from > 0 || to < 0) return false;
      continue;
    }
    const double first = from / displacement[k], second = to / displacement[k];
    begin = std::max(begin, std::min(first, second));
    end = std::min(end, std::max(first, second));
  }
  return begin <= end;
}

// Whether the segment from p along d meets the triangle a, b, c (Moeller and Trumbore 1997).
bool crosses(const Vec3& p, const Vec3& d, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a, n = d.cross(v), s = p - a;
  const double det = u.dot(n);
  if (det == 0) return false;
  const double first = s.dot(n) / det;
  const Vec3 q = s.cross(u);
  const double second = d.dot(q) / det, along = v.dot(q) / det;
  return first >= 0 && second >= 0 && first + second <= 1 && along >= 0 && along <= 1;
}

}  // namespace

// Sizes and masses of the bodies at rest; the triangles of each obstacle and their box, with the motion they follow.
LookAhead::LookAhead(const System& system)
    : system_(system),
      size_(system.bodies.size(), 0.0),
      mass_(system.bodies.size(), 0.0),
      movers_(system.bodies.size()) {
  std::vector<Vec3> low(size_.size(), Vec3::Constant(infinity)), high(size_.size(), Vec3::Constant(-infinity));
  for (Index i = 0; i < system.body_vertex_count(); ++i) {
    const Index b = system.vertex_body[i];
    low[b] = low[b].cwiseMin(system.rest.col(i));
    high[b] = high[b].cwiseMax(system.rest.col(i));
    if (i < system.dynamic_count) mass_[b] += system.mass[i];
  }
  for (std::size_t b = 0; b < size_.size(); ++b) size_[b] = (high[b] - low[b]).norm();
  const CollisionMesh& mesh = system.collision;
  for (Index f = 0; f < mesh.triangles.cols(); ++f) {
    const Index first = mesh.triangles(0, f);
    if (!mesh.kinematic(first)) continue;
    if (obstacles_.empty() || obstacles_.back().owner != mesh.vertex_owner[first]) {
      obstacles_.push_back({.owner = mesh.vertex_owner[first],
                            .low = Vec3::Constant(infinity),
                            .high = Vec3::Constant(-infinity),
                            .motion = system.obstacle_vertex_motion[first - system.body_vertex_count()],
                            .triangles = {}});
    }
    Obstacle& obstacle = obstacles_.back();
    obstacle.triangles.push_back(f);
    for (int k = 0; k < 3; ++k) {
      obstacle.low = obstacle.low.cwiseMin(system.rest.col(mesh.triangles(k, f)));
      obstacle.high = obstacle.high.cwiseMax(system.rest.col(mesh.triangles(k, f)));
    }
  }
}

// The farthest that one of its vertices goes. Affine motions move a corner of its box farther than all.
double LookAhead::travel(const Obstacle& obstacle, double from, double to) const {
  const Motion& motion = system_.motions[obstacle.motion];
  if (motion.empty()) return 0;
  double farthest = 0;
  if (motion.course && motion.course->by_vertex()) {
    for (const Index f : obstacle.triangles)
      for (const Index v : system_.collision.triangles.col(f)) {
        const Index own = system_.obstacle_vertex_to_own[v - system_.body_vertex_count()];
        const Vec3 moved = motion.apply(Vec3::Zero(), to, own) - motion.apply(Vec3::Zero(), from, own);
        farthest = std::max(farthest, moved.norm());
      }
    return farthest;
  }
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 at;
    for (int k = 0; k < 3; ++k) at[k] = (corner >> k & 1) != 0 ? obstacle.high[k] : obstacle.low[k];
    farthest = std::max(farthest, (motion.apply(at, to) - motion.apply(at, from)).norm());
  }
  return farthest;
}

// A body of mass m goes at most sqrt(2 E / m), E the kinetic energy of all. Two bodies near each other by the two
// fastest such speeds at most, a body and an obstacle by the fastest one and the obstacle's own way.
bool LookAhead::too_slow(const Clock& clock, double kinetic, double least) const {
  const double h = system_.setup.time.step;
  double fastest = 0, second = 0, smallest = infinity;
  for (std::size_t b = 0; b < size_.size(); ++b) {
    const double speed = std::sqrt(2 * std::max(0.0, kinetic) / mass_[b]);
    second = std::max(second, std::min(fastest, speed));
    fastest = std::max(fastest, speed);
    smallest = std::min(smallest, size_[b]);
  }
  if (h * (fastest + second) > least * smallest) return false;
  return std::ranges::all_of(obstacles_, [&](const Obstacle& obstacle) {
    return h * fastest + travel(obstacle, clock.time, clock.time + h) <= least * std::min(smallest, obstacle.size());
  });
}

// Boxes of the bodies and the velocities of their centres of mass at the start of the step, then all pairs.
void LookAhead::find(const State& state, double least, std::vector<Meeting>& found) {
  std::ranges::fill(movers_, Mover{Vec3::Constant(infinity), Vec3::Constant(-infinity), Vec3::Zero()});
  for (Index i = 0; i < system_.body_vertex_count(); ++i) {
    const Index b = system_.vertex_body[i];
    Mover& mover = movers_[b];
    mover.low = mover.low.cwiseMin(state.x.col(i));
    mover.high = mover.high.cwiseMax(state.x.col(i));
    if (i < system_.dynamic_count) mover.velocity += system_.mass[i] / mass_[b] * state.v.col(i);
  }
  const std::vector<double>& offset = system_.collision.owner_offset;
  for (std::size_t b = 0; b < movers_.size() && !offset.empty(); ++b) {
    movers_[b].low.array() -= offset[b];
    movers_[b].high.array() += offset[b];
  }
  find_bodies(least, found);
  if (!obstacles_.empty()) find_obstacles(state, least, found);
}

// Pairs of bodies whose boxes meet if both go on as they do, by more than `least` times the size of the smaller one.
void LookAhead::find_bodies(double least, std::vector<Meeting>& found) const {
  const double h = system_.setup.time.step;
  const auto count = static_cast<Index>(movers_.size());
  for (Index i = 0; i < count; ++i) {
    for (Index j = i + 1; j < count; ++j) {
      if (!system_.collision.owners_may_touch(i, j)) continue;
      const Index a = size_[i] <= as_large * size_[j] ? i : j, b = i + j - a;
      const Vec3 displacement = h * (movers_[a].velocity - movers_[b].velocity);
      const double sizes = displacement.norm() / size_[a];
      if (!(sizes > least)) continue;
      if (sweep_meets(movers_[a].low, movers_[a].high, displacement, movers_[b].low, movers_[b].high))
        found.push_back({a, b, displacement.norm(), sizes});
    }
  }
}

// Of each body and obstacle the fastest triangle that the body meets.
void LookAhead::find_obstacles(const State& state, double least, std::vector<Meeting>& found) {
  const double h = system_.setup.time.step, end = end_of_step(system_, state);
  const Index n = system_.body_vertex_count();
  const CollisionMesh& mesh = system_.collision;
  place_obstacle_vertices(system_, end, places_);
  for (const Obstacle& obstacle : obstacles_) {
    for (std::size_t b = 0; b < movers_.size(); ++b) {
      if (!mesh.owners_may_touch(static_cast<Index>(b), obstacle.owner)) continue;
      const Mover& mover = movers_[b];
      const double size = std::min(size_[b], obstacle.size());
      Meeting worst{static_cast<Index>(b), obstacle.owner, least * size, 0, size_[b] <= as_large * obstacle.size()};
      Vec3 worst_displacement;
      for (const Index f : obstacle.triangles) {
        Vec3 low = Vec3::Constant(infinity), high = -low, displacement = h * mover.velocity;
        for (int k = 0; k < 3; ++k) {
          const Index v = mesh.triangles(k, f);
          low = low.cwiseMin(state.x.col(v));
          high = high.cwiseMax(state.x.col(v));
          displacement -= (places_.col(v - n) - state.x.col(v)) / 3;
        }
        if (!mesh.owner_offset.empty()) {
          low.array() -= mesh.owner_offset[obstacle.owner];
          high.array() += mesh.owner_offset[obstacle.owner];
        }
        if (!(displacement.norm() > worst.distance) || !sweep_meets(mover.low, mover.high, displacement, low, high))
          continue;
        worst.distance = displacement.norm();
        worst.sizes = worst.distance / size;
        worst_displacement = displacement;
      }
      if (worst.sizes > 0 && can_be_passed(obstacle, state.x, 0.5 * (mover.low + mover.high), worst_displacement))
        found.push_back(worst);
    }
  }
}

// A step can end on the far side of an obstacle if a path round it leads from the body to where it would be without
// the obstacle, `displacement` ahead, and nowhere farther from there than the body is: such a path lowers the inertia
// term all along. So something of the ball about that place must be free of the obstacle: a line along the way in it.
bool LookAhead::can_be_passed(const Obstacle& obstacle, const Points& x, const Vec3& center,
                              const Vec3& displacement) const {
  const CollisionMesh& mesh = system_.collision;
  const double radius = displacement.norm();
  const Vec3 along = displacement / radius, side = along.unitOrthogonal(), other = along.cross(side);
  const Vec3 middle = center + 0.5 * displacement;
  std::vector<Index> near;  // triangles that the lines may meet
  for (const Index f : obstacle.triangles) {
    bool far = false;
    for (const Vec3& axis : {along, side, other}) {
      double low = infinity, high = -infinity;
      for (int k = 0; k < 3; ++k) {
        const double at = axis.dot(x.col(mesh.triangles(k, f)) - middle);
        low = std::min(low, at);
        high = std::max(high, at);
      }
      far = far || low > 1.5 * radius || high < -1.5 * radius;
    }
    if (!far) near.push_back(f);
  }
  for (int circle = 1; circle <= circles; ++circle) {
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.5 * circle) / around, r = radius * circle / circles;
      const Vec3 start = center + r * (std::cos(angle) * side + std::sin(angle) * other) - displacement;
      const bool blocked = std::ranges::any_of(near, [&](Index f) {
        return crosses(start, 3 * displacement, x.col(mesh.triangles(0, f)), x.col(mesh.triangles(1, f)),
                       x.col(mesh.triangles(2, f)));
      });
      if (!blocked) return true;
    }
  }
  return false;
}

}  // namespace sinew

// Time step and contact distance against the sizes and motions of a scene.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/lint/check_parts.h"
#include "sinew/model/body_edges.h"
#include "sinew/model/naming.h"

namespace sinew {
namespace {

constexpr double long_distance = 0.05;   // contact distance over the diagonal of the smallest body
constexpr double long_displacement = 1;  // displacement in a step over the diagonal of the body
constexpr double half_turn = 180;        // [degrees]

void check_speed(const BodyFacts& facts, const BodySetup& body, const Setup& setup, Findings& findings) {
  const double h = setup.time.step, size = facts.diagonal();
  const double speed = body.velocity.norm() + 0.5 * size * body.angular_velocity.norm();
  if (speed * h > long_displacement * size) {
    findings.add(
        {"time step",
         Severity::warning,
         fmt::format(
             "body '{}' starts at {:.4g} m/s and moves {:.3g} times its own size of {:.4g} m in a step of {:g} s",
             facts.name, speed, speed * h / size, size, h),
         fmt::format("check the velocity [m/s], or take a time.step of {:.1g} s", 0.1 * size / speed),
         {facts.name},
         speed * h});
  }
  const double fall = 0.5 * setup.gravity.norm() * h * h;
  if (fall > long_displacement * size) {
    findings.add(
        {"time step",
         Severity::warning,
         fmt::format("body '{}' of {:.4g} m falls {:.4g} m in its first step of {:g} s", facts.name, size, fall, h),
         fmt::format("take a time.step of {:.1g} s", std::sqrt(0.2 * size / setup.gravity.norm())),
         {facts.name},
         fall});
  }
}

// What moves as prescribed, by motion: a box around it, and its name.
struct Moved {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  std::string name;

  void add(const Vec3& p) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  // The longest displacement of a corner, or of a vertex with positions of its own, from time a to time b.
  double displacement(const Motion& motion, double a, double b) const {
    double longest = 0;
    if (motion.course && motion.course->by_vertex()) {
      const Index count = static_cast<Index>(motion.course->places[0].cols());
      for (Index v = 0; v < count; ++v)
        longest = std::max(longest, (motion.course->apply({}, b, v) - motion.course->apply({}, a, v)).norm());
      return longest;
    }
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p(corner & 1 ? upper.x() : lower.x(), corner & 2 ? upper.y() : lower.y(),
                   corner & 4 ? upper.z() : lower.z());
      longest = std::max(longest, (motion.apply(p, b) - motion.apply(p, a)).norm());
    }
    return longest;
  }
};

std::vector<double> key_times(const Motion& motion, double start) {
  std::vector<double> times{start};
  if (motion.course && motion.course->by_vertex())
    times.insert(times.end(), motion.course->times.begin(), motion.course->times.end());
  const auto add = [&](const Keyframes& keys) { times.insert(times.end(), keys.times.begin(), keys.times.end()); };
  if (motion.translation) add(*motion.translation);
  if (motion.rotation) add(motion.rotation->degrees);
  if (motion.scaling) add(motion.scaling->factors);
  return times;
}

// The largest turn within a step that starts or ends at a key [degrees], and when it starts.
std::pair<double, double> largest_turn(const Motion& motion, double step, double begin, double end) {
  double largest = 0, when = 0;
  if (!motion.rotation) return {largest, when};
  const Keyframes& keys = motion.rotation->degrees;
  for (const double key : keys.times) {
    for (const double start : {key, key - step}) {
      if (start < begin || start >= end) continue;
      const double turn = std::abs(keys.at(start + step)[0] - keys.at(start)[0]);
      if (turn <= largest) continue;
      largest = turn;
      when = start;
    }
  }
  return {largest, when};
}

std::vector<Moved> moved_by_motion(const System& system) {
  std::vector<Moved> moved(system.motions.size());
  const auto add = [&](Index motion, const Vec3& p, const std::string& name) {
    if (motion < 0) return;
    moved[motion].add(p);
    moved[motion].name = name;
  };
  for (const PrescribedVertex& p : system.prescribed)
    add(p.motion, system.rest.col(p.vertex), owner_text(system, system.vertex_body[p.vertex]));
  for (std::size_t i = 0; i < system.obstacle_vertex_motion.size(); ++i) {
    const auto vertex = static_cast<Index>(system.body_vertex_count() + i);
    add(system.obstacle_vertex_motion[i], system.rest.col(vertex),
        owner_text(system, system.collision.vertex_owner[vertex]));
  }
  for (std::size_t p = 0; p < system.planes.size(); ++p)
    add(system.plane_motion[p], system.planes[p].point, owner_text(system, system.collision.planes[p].owner));
  return moved;
}

void check_motions(const SceneFacts& facts, const System& system, double start, Findings& findings) {
  const TimeSetup& time = system.setup.time;
  const bool statics = time.integrator == Integrator::statics;
  const double h = statics ? std::max(0.0, 1 - start) / time.steps : time.step;
  const double end = statics ? std::max(1.0, start) : start + time.steps * time.step;
  const double size = facts.smallest_diagonal();
  const std::vector<Moved> moved = moved_by_motion(system);
  for (std::size_t m = 0; m < moved.size(); ++m) {
    if (moved[m].name.empty() || system.motions[m].empty()) continue;
    const auto [turn, when] = largest_turn(system.motions[m], h, start, end);
    if (turn > half_turn) {
      findings.add({"time step",
                    Severity::warning,
                    fmt::format("the prescribed rotation of {} turns by {:.4g} degrees in one step at time {:g}: more "
                                "than half a turn is ambiguous",
                                moved[m].name, turn, when),
                    statics ? "take more load steps (time.steps), or a slower rotation"
                            : "take a smaller time.step, or a slower rotation",
                    {},
                    turn});
      continue;
    }
    double longest = 0, at = start;
    for (const double key : key_times(system.motions[m], start)) {
      if (key < start || key >= end) continue;
      const double displacement = moved[m].displacement(system.motions[m], key, key + h);
      if (displacement <= longest) continue;
      longest = displacement;
      at = key;
    }
    if (longest <= long_displacement * size) continue;
    findings.add({"time step",
                  Severity::warning,
                  fmt::format("the prescribed motion of {} covers {:.4g} m in one step at time {:g}, more than the "
                              "size of the smallest body, {:.4g} m",
                              moved[m].name, longest, at, size),
                  statics ? "take more load steps (time.steps), or a slower motion"
                          : "take a smaller time.step, or a slower motion",
                  {},
                  longest});
  }
}

void check_contact_distance(const SceneFacts& facts, const System& system, Findings& findings) {
  const double distance = system.contact_distance, size = facts.smallest_diagonal(),
               edge = mean_body_edge(system.collision);
  if (distance > edge) {
    findings.add(
        {"contact distance",
         Severity::warning,
         fmt::format("contact.distance is {:.3g} m, more than the mean surface edge of {:.3g} m", distance, edge),
         "neighbouring faces of a body push each other apart: choose a smaller one, or \"auto\"",
         {},
         distance});
  } else if (distance > long_distance * size) {
    findings.add({"contact distance",
                  Severity::warning,
                  fmt::format("contact.distance is {:.3g} m, {:.2g} of the diagonal of the smallest body: touching "
                              "bodies keep a visible gap",
                              distance, distance / size),
                  "choose a smaller one, or \"auto\"",
                  {},
                  distance});
  }
}

void check_permissions(const System& system, Findings& findings) {
  const CollisionMesh& mesh = system.collision;
  if (!system.setup.contact.enabled) {
    if (mesh.owner_count > 1) {
      findings.add({"contact off",
                    Severity::warning,
                    "contact.enabled is false: bodies and obstacles pass through each other",
                    "set it to true if they should touch",
                    {}});
    }
    return;
  }
  const auto bodies = static_cast<Index>(system.bodies.size());
  for (Index o = bodies; o < mesh.owner_count; ++o) {
    bool touches = false;
    for (Index b = 0; b < bodies; ++b) touches |= mesh.owners_may_touch(b, o);
    if (touches) continue;
    findings.add({"contact off",
                  Severity::remark,
                  fmt::format("obstacle '{}' can touch no body", mesh.owner_names[o]),
                  "contact.ignore lists it with every body",
                  {mesh.owner_names[o]}});
  }
}

}  // namespace

void check_scales(const SceneFacts& facts, const System& system, double start, Findings& findings) {
  if (system.setup.time.integrator != Integrator::statics) {
    for (std::size_t b = 0; b < facts.bodies.size(); ++b)
      check_speed(facts.bodies[b], system.setup.bodies[b], system.setup, findings);
  }
  check_motions(facts, system, start, findings);
  if (system.setup.contact.enabled) check_contact_distance(facts, system, findings);
  check_permissions(system, findings);
}

}  // namespace sinew

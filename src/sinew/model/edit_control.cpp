// Edits of targets, added forces, friction of pairs and ties.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/model/edit_parts.h"
#include "sinew/model/scene_course.h"

namespace sinew {
namespace {

// The number of vertices of the fix or obstacle that follows a motion; none: nothing that a target can move.
std::optional<std::size_t> followers_of(const System& system, std::size_t motion) {
  const auto own = static_cast<Index>(motion);
  for (const SystemBody& body : system.bodies)
    for (const FixEntry& fix : body.fixes)
      if (fix.motion == own) return fix.vertices.size();
  for (std::size_t o = 0; o < system.obstacle_motion.size(); ++o)
    if (system.obstacle_motion[o] == own) return static_cast<std::size_t>(system.obstacle_size[o]);
  return {};
}

template <class Matrix>
bool is_bounded(const Matrix& m) {
  return m.size() == 0 || (m.allFinite() && m.cwiseAbs().maxCoeff() <= largest_edit);
}

void require_course(const Course& course, std::size_t vertices) {
  const std::size_t keys = course.times.size();
  if (keys < 2 || (course.by_vertex() ? course.places.size() : course.maps.size()) != keys)
    fail_input(code::edit, "target: found {} times of {} positions", keys, course.maps.size() + course.places.size());
  for (std::size_t k = 0; k < keys; ++k)
    if (!std::isfinite(course.times[k]) || (k > 0 && !(course.times[k] > course.times[k - 1])))
      fail_input(code::edit, "target: found times that do not ascend");
  for (const Course::Map& map : course.maps)
    if (!is_bounded(map))
      fail_input(code::edit, "target: found a number that is not finite or beyond {:g}", largest_edit);
  for (const Points& places : course.places) {
    if (static_cast<std::size_t>(places.cols()) != vertices)
      fail_input(code::edit, "target: found {} positions, expected {}", places.cols(), vertices);
    if (!is_bounded(places))
      fail_input(code::edit, "target: found a position that is not finite or beyond {:g} m", largest_edit);
  }
}

}  // namespace

Change edit_target(System& system, const TargetEdit& edit) {
  const auto vertices = followers_of(system, edit.motion);
  if (!vertices) fail_input(code::edit, "target: motion {} moves no fix or obstacle", edit.motion);
  if (edit.course) require_course(*edit.course, *vertices);
  system.motions[edit.motion].course = edit.course ? edit.course : scene_course(system, edit.motion);
  return Change::values;
}

Change edit_forces(System& system, const ForceEdit& edit) {
  const AddedForces& added = edit.added;
  if (static_cast<std::size_t>(added.forces.cols()) != added.vertices.size())
    fail_input(code::edit, "forces: found {} of {} vertices", added.forces.cols(), added.vertices.size());
  for (std::size_t i = 0; i < added.vertices.size(); ++i)
    if (added.vertices[i] < 0 || added.vertices[i] >= system.body_vertex_count() ||
        (i > 0 && added.vertices[i] <= added.vertices[i - 1]))
      fail_input(code::edit, "forces: found vertex {}, expected ascending vertices of bodies", added.vertices[i]);
  if (!is_bounded(added.forces))
    fail_input(code::edit, "forces: found a force that is not finite or beyond {:g} N", largest_edit);
  system.added_forces = added;
  return Change::forces;
}

Change edit_pair_friction(System& system, const PairFrictionEdit& edit) {
  CollisionMesh& mesh = system.collision;
  const std::size_t count = system.friction_names.size();
  if (!system.setup.contact.enabled) fail_input(code::edit, "friction: contact is off (contact.enabled)");
  if (edit.a >= count || edit.b >= count)
    fail_input(code::edit, "friction: found materials {} and {}, the scene has {}", edit.a, edit.b, count);
  require_between("friction", edit.coefficient, 0, largest_edit);
  for (const std::size_t k : {edit.a * count + edit.b, edit.b * count + edit.a}) {
    mesh.friction[k] = edit.coefficient;
    mesh.own_friction[k] = 1;
  }
  return Change::friction;
}

Change edit_tie(System& system, const TieEdit& edit) {
  if (edit.tie >= system.ties.size())
    fail_input(code::edit, "tie: found {}, the scene has {}", edit.tie, system.ties.size());
  if (std::isnan(edit.until)) fail_input(code::edit, "tie: found a time that is not a number");
  Tie& tie = system.ties[edit.tie];
  tie.until = std::min(tie.until, edit.until);
  return Change::values;
}

}  // namespace sinew

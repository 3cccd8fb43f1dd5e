#include "sinew/dynamics/control_in_time.h"

#include <memory>
#include <utility>

#include "sinew/model/scene_course.h"

namespace sinew {
namespace {

bool are_equal(const Course& a, const Course& b) {
  return a.times == b.times && a.maps == b.maps && a.places == b.places && a.turns == b.turns && a.goes_on == b.goes_on;
}

bool are_equal(const AddedForces& a, const AddedForces& b) {
  return a.vertices == b.vertices && a.forces == b.forces && a.begin == b.begin && a.until == b.until;
}

bool wait(const System& system, bool forces_wait) {
  return forces_wait && !system.added_forces.vertices.empty();
}

// Whether a target is to be reached in the step from `begin` on.
bool is_ahead(const Course& course, double begin) {
  return !course.goes_on && course.times[course.times.size() - 2] == begin;
}

// With its keys at the same places in time beside the step.
Course moved(Course course, const StepSpan& before, const StepSpan& after) {
  const bool ahead = is_ahead(course, before.begin);
  for (double& time : course.times) time = time == before.begin ? after.begin : time + (after.begin - before.begin);
  if (ahead) course.times.back() = after.end;
  return course;
}

}  // namespace

Edits control_of(const System& system, bool forces_wait) {
  Edits edits;
  for (std::size_t m = 0; m < system.motions.size(); ++m)
    if (const auto& course = system.motions[m].course; course && course != scene_course(system, m))
      edits.add(TargetEdit{m, course});
  if (wait(system, forces_wait)) edits.add(ForceEdit{system.added_forces});
  return edits;
}

std::vector<Edit> edits_to_control(const System& system, bool forces_wait, const Edits& wanted) {
  std::vector<Edit> edits;
  for (std::size_t m = 0; m < system.motions.size(); ++m) {
    const auto& now = system.motions[m].course;
    const TargetEdit* edit = wanted.find(TargetEdit{m, nullptr});
    const std::shared_ptr<const Course> next = edit ? edit->course : scene_course(system, m);
    if (now == next || (now && next && are_equal(*now, *next))) continue;
    edits.emplace_back(TargetEdit{m, edit ? next : nullptr});
  }
  const ForceEdit* force = wanted.find(ForceEdit());
  const bool waits = wait(system, forces_wait);
  if (force ? !waits || !are_equal(force->added, system.added_forces) : waits)
    edits.emplace_back(force ? *force : ForceEdit());
  return edits;
}

std::vector<Edit> control_moved(const System& system, bool forces_wait, const StepSpan& before, const StepSpan& after) {
  std::vector<Edit> edits;
  for (std::size_t m = 0; m < system.motions.size(); ++m) {
    const auto& now = system.motions[m].course;
    if (!now || now == scene_course(system, m)) continue;
    auto next = std::make_shared<const Course>(moved(*now, before, after));
    if (!are_equal(*now, *next)) edits.emplace_back(TargetEdit{m, std::move(next)});
  }
  if (!wait(system, forces_wait)) return edits;
  ForceEdit edit{system.added_forces};
  edit.added.begin = after.begin;
  edit.added.until = forces_until(after);
  if (!are_equal(edit.added, system.added_forces)) edits.emplace_back(std::move(edit));
  return edits;
}

}  // namespace sinew

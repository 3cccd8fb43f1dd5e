#include "sinew/model/change_record.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double farthest_hold = 1e12;  // as for a scene's numbers [m]

// Runs one change; its refusal names the entry.
template <class F>
void make(const std::string& place, const char* entry, F&& change) {
  try {
    change();
  } catch (const InputError& error) {
    fail_input("{}{}': {}; the file is damaged or of another scene", place, entry, error.what());
  }
}

// Vertices that were held come last in System::prescribed, their motions last in System::motions.
std::size_t scene_pins(const System& system) {
  const auto first = std::ranges::find(system.prescribed, true, &PrescribedVertex::own_place);
  return static_cast<std::size_t>(first - system.prescribed.begin());
}

void change_pins(System& system, const PinRecord& pins) {
  const std::size_t count = scene_pins(system), held = pins.held.size();
  if (pins.until.size() != count)
    fail_input("found {} prescribed vertices, the scene has {}", pins.until.size(), count);
  if (static_cast<std::size_t>(pins.offset.cols()) != held || pins.held_until.size() != held)
    fail_input("found {} places and {} times of {} held vertices", pins.offset.cols(), pins.held_until.size(), held);
  for (const auto* times : {&pins.until, &pins.held_until})
    if (std::ranges::any_of(*times, [](double time) { return std::isnan(time); }))
      fail_input("found a time that is no number");
  for (std::size_t i = 0; i < held; ++i) {
    if (pins.held[i] < 0 || pins.held[i] >= system.dynamic_count)
      fail_input("found vertex {}, the bodies have {}", pins.held[i], system.dynamic_count);
    if (!(pins.offset.col(static_cast<Index>(i)).cwiseAbs().maxCoeff() <= farthest_hold))
      fail_input("found a place that is not finite or beyond {:g} m", farthest_hold);
  }
  system.motions.resize(system.motions.size() - (system.prescribed.size() - count));
  system.prescribed.resize(count);
  // A release only brings the end forward.
  for (std::size_t i = 0; i < count; ++i)
    system.prescribed[i].until = std::min(system.prescribed[i].until, pins.until[i]);
  for (std::size_t i = 0; i < held; ++i)
    add_held_vertex(system, pins.held[i], pins.offset.col(static_cast<Index>(i)), pins.held_until[i]);
}

// Files of earlier versions may hold values of the other kind, which had no effect.
void change_recorded_load(System& system, std::size_t load, const LoadRecord& record) {
  const bool is_pressure = load < system.loads.size() && system.loads[load].kind == LoadKind::pressure;
  change_load(system, load, is_pressure ? Vec3(Vec3::Zero()) : record.vector, is_pressure ? record.pressure : 0);
}

}  // namespace

bool ChangeRecord::empty() const {
  return !method && kinds().empty();
}

// Of cloth, thickness and bending that are not given stay what they are.
void ChangeRecord::add_material(const std::string& name, UserParameters parameters) {
  UserParameters& known = materials[name];
  for (const char* kept : {"thickness", "bending"})
    if (const auto before = known.find(kept); before != known.end()) parameters.insert(*before);
  known = std::move(parameters);
}

std::vector<Change> ChangeRecord::kinds() const {
  std::vector<Change> found;
  if (gravity) found.push_back(Change::gravity);
  if (time_step) found.push_back(Change::time_step);
  if (iterations) found.push_back(Change::budget);
  if (friction) found.push_back(Change::friction);
  if (!materials.empty() || !curves.empty() || !fibers.empty()) found.push_back(Change::materials);
  if (!springs.empty()) found.push_back(Change::springs);
  if (pulls) found.push_back(Change::pulls);
  if (!loads.empty()) found.push_back(Change::loads);
  if (pins) found.push_back(Change::pins);
  return found;
}

PinRecord pins_of(const System& system) {
  PinRecord pins;
  const std::size_t count = scene_pins(system);
  pins.offset.resize(3, static_cast<Index>(system.prescribed.size() - count));
  for (std::size_t i = 0; i < system.prescribed.size(); ++i) {
    const PrescribedVertex& prescribed = system.prescribed[i];
    if (i < count) {
      pins.until.push_back(prescribed.until);
      continue;
    }
    pins.offset.col(static_cast<Index>(pins.held.size())) =
        system.motions[prescribed.motion].translation->values.col(0);
    pins.held.push_back(prescribed.vertex);
    pins.held_until.push_back(prescribed.until);
  }
  return pins;
}

// No structured bindings: Clang 14 lets no lambda see them.
void make_changes(System& system, const ChangeRecord& record, const std::string& place) {
  if (record.gravity) make(place, "gravity", [&] { change_gravity(system, *record.gravity); });
  if (record.time_step) make(place, "time_step", [&] { change_time_step(system, *record.time_step); });
  if (record.iterations) make(place, "iterations", [&] { change_budget(system, *record.iterations); });
  if (record.friction) make(place, "friction", [&] { change_friction(system, *record.friction); });
  for (const auto& named : record.curves)
    make(place, "curves", [&] { change_material_curves(system, named.first, named.second); });
  for (const auto& named : record.materials)
    make(place, "materials", [&] { change_material(system, named.first, named.second); });
  for (const auto& named : record.fibers)
    make(place, "fibers", [&] { change_fibers(system, named.first, named.second); });
  for (const auto& load : record.loads)
    make(place, "loads", [&] { change_recorded_load(system, load.first, load.second); });
  for (const auto& spring : record.springs)
    make(place, "springs", [&] { change_spring(system, spring.first, spring.second.point, spring.second.stiffness); });
  if (record.pulls) make(place, "pulls", [&] { change_pulls(system, *record.pulls); });
  if (record.pins) make(place, "pins", [&] { change_pins(system, *record.pins); });
}

}  // namespace sinew

#include "sinew/live/replay.h"

#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/checkpoint.h"

namespace sinew {

LiveReplay::LiveReplay(const std::string& path, const Json& completed, Simulation& simulation)
    : path_(path), script_(read_live_script(path)), simulation_(simulation) {
  const std::string& scene = simulation.system().setup.name;
  if (!script_.scene.empty() && script_.scene != scene)
    fail_input("{}: it is of the scene \"{}\", not of \"{}\"", path, script_.scene, scene);
  // Files of versions that did not keep changes have the state alone, which then needs the settings before it.
  const bool whole = !script_.start.empty() && holds_changes(script_.start);
  if (whole) {
    load_state(script_.start, simulation);
    simulation.set_pulls({});  // those that were there are events
  }
  controls_.emplace(completed, simulation);
  for (; next_ < static_cast<std::size_t>(script_.before_start); ++next_)
    if (!whole || !holds(script_.events[next_])) apply(next_);
  if (!whole && !script_.start.empty()) load_state(script_.start, simulation);
}

// Whether a setting has the event's value already: to set it again would drop the history, or set the method up anew.
bool LiveReplay::holds(const LiveEvent& event) const {
  if (event.action == LiveAction::set) return controls_->holds(event.key, event.value);
  if (event.action == LiveAction::method) return resolved_method(simulation_.system().setup.solver) == event.key;
  return event.action == LiveAction::curves && controls_->curves(event.key) == event.value;
}

void LiveReplay::before_step() {
  const int step = simulation_.clock().step;
  for (; next_ < script_.events.size() && script_.events[next_].step <= step; ++next_) apply(next_);
}

void LiveReplay::apply(std::size_t event) {
  try {
    controls_->apply(script_.events[event]);
  } catch (const InputError& error) {
    fail_input("{}: events[{}]: {}", path_, event, error.what());
  }
}

}  // namespace sinew

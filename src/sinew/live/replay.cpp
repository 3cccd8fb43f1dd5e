#include "sinew/live/replay.h"

#include "sinew/core/error.h"
#include "sinew/io/checkpoint.h"

namespace sinew {

LiveReplay::LiveReplay(const std::string& path, const Json& completed, Simulation& simulation)
    : path_(path), script_(read_live_script(path)), simulation_(simulation) {
  const std::string& scene = simulation.system().setup.name;
  if (!script_.scene.empty() && script_.scene != scene)
    fail_input(code::script, "{}: it was recorded with the scene \"{}\", not \"{}\"", path, script_.scene, scene);
  if (!script_.start.empty()) {
    if (script_.before_start > 0 && !holds_changes(script_.start))
      fail_input(
          code::script,
          "{}: it was recorded by an earlier version of sinew, which did not store all settings; record it again",
          path);
    load_state(script_.start, simulation);
    const std::vector<PullKey> pulls = simulation.system().pulls;  // are events
    for (const PullKey& who : pulls) simulation.edit(PullEdit{who, {}});
    next_ = static_cast<std::size_t>(script_.before_start);  // what came before is in the state
  }
  controls_.emplace(completed, simulation);
}

void LiveReplay::before_step() {
  const int step = simulation_.clock().step;
  for (; next_ < script_.events.size() && script_.events[next_].step <= step; ++next_) apply(next_);
}

void LiveReplay::apply(std::size_t event) {
  try {
    controls_->apply(script_.events[event]);
  } catch (const InputError& error) {
    fail_input(error.code(), "{}: events[{}]: {}", path_, event, error.what());
  }
}

}  // namespace sinew

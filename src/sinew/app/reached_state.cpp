#include "sinew/app/reached_state.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/log.h"
#include "sinew/core/version.h"
#include "sinew/dynamics/engine_sources.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

// Names the states of one scene, its files, its start and its method, as these sources compute them.
std::string cache_key(const Simulation& simulation, SceneText scene) {
  ContentHash hash;
  hash.add(deciding_part(scene.completed).dump());
  hash.add(scene.completed["solver"]["max_iterations"].dump());
  const double tolerance = simulation.system().setup.solver.tolerance;  // the scene's may be "auto"
  hash.add_values(std::span(&tolerance, 1));
  hash.add(system_hash(simulation.system()));
  const State& start = simulation.state();
  hash.add_values(std::span(start.x.data(), static_cast<std::size_t>(start.x.size())));
  hash.add_values(std::span(start.v.data(), static_cast<std::size_t>(start.v.size())));
  hash.add_values(std::span(&start.start_time, 1));
  hash.add(std::string(engine_sources()));
  hash.add(std::string(instructions()));
  return hash.hex();
}

std::string cache_path(const std::string& key, int step) {
  return fmt::format("{}/reached-{}-{}.h5", cache_folder(), key, step);
}

// The latest cached step up to `step`, or -1.
int nearest_cached_step(const std::string& key, int step) {
  const std::string prefix = "reached-" + key + "-";
  int nearest = -1;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache_folder(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".h5")) continue;
    const int found = std::atoi(name.c_str() + prefix.size());
    if (found <= step) nearest = std::max(nearest, found);
  }
  return nearest;
}

void store(const std::string& key, const Simulation& simulation, const SceneText& scene) {
  try {
    fs::create_directories(cache_folder());
    const std::string path = cache_path(key, simulation.clock().step);
    remove_unless_regular(path);
    write_checkpoint(path, scene, simulation);
  } catch (const std::exception& error) {
    log::warning("the reached state is not cached: {}", error.what());
  }
}

}  // namespace

void reach_step(Simulation& simulation, const SceneText& scene, int step, bool quiet) {
  const bool cached = !cache_folder().empty();
  const std::string key = cached ? cache_key(simulation, scene) : "";
  const int start = cached ? nearest_cached_step(key, step) : -1;
  if (start > 0) {
    try {
      load_checkpoint(cache_path(key, start), scene, simulation);
    } catch (const InputError& error) {
      log::warning("{}; the state is computed again", error.what());
    }
  }
  if (simulation.clock().step == step) return;
  Progress progress(simulation.clock().step, step, Progress::style_of_stderr(quiet));
  TimeSplit seconds;
  while (simulation.clock().step < step) {
    if (InterruptGuard::requested()) throw SimulationError(code::interrupted, "interrupted");
    const StepReport report = simulation.step();
    if (report.failed()) log::warning("step {} did not converge: {}", report.step, report.reason);
    seconds += report.seconds;
    progress.update(report.step, seconds);
  }
  if (cached) store(key, simulation, scene);
}

}  // namespace sinew::app

#include "sinew/dynamics/state_archive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/dynamics/plane_numbers.h"

namespace sinew {
namespace {

constexpr std::pair<const char*, Points State::*> saved_points[] = {{"x", &State::x},
                                                                    {"v", &State::v},
                                                                    {"x_previous", &State::x_previous},
                                                                    {"v_previous", &State::v_previous},
                                                                    {"a", &State::a}};

// All sizes are those of x and planes, or none for the history, and all numbers are finite.
void require_whole(const State& state) {
  const auto n = state.x.cols(), previous = state.x_previous.cols();
  const bool history = previous != 0;
  if (state.v.cols() != n || (history && previous != n) || state.v_previous.cols() != previous) refuse_damaged();
  if (state.a.cols() != 0 && state.a.cols() != n) refuse_damaged();
  for (const auto& [name, points] : saved_points)
    if (!(state.*points).allFinite()) refuse_damaged();
  if (history && state.planes_previous.size() != state.planes.size()) refuse_damaged();
  if (!std::ranges::all_of(state.material_history, [](double value) { return std::isfinite(value); })) refuse_damaged();
  if (!std::ranges::all_of(state.shortening, [](double value) { return std::isfinite(value); })) refuse_damaged();
  if (!std::isfinite(state.previous_step) || state.previous_step < 0) refuse_damaged();
  if (!std::isfinite(state.contact_stiffness) || state.contact_stiffness < 0) refuse_damaged();
  for (const auto* planes : {&state.planes, &state.planes_previous}) {
    for (const double value : plane_numbers(*planes)) {
      if (!std::isfinite(value)) refuse_damaged();
    }
  }
}

}  // namespace

void refuse_damaged() {
  fail_input(code::file_damaged, "the checkpoint's state is damaged; start the run again");
}

void save_state(ArchiveWriter& archive, const std::string& folder, const State& state) {
  for (const auto& [name, points] : saved_points) archive.write(folder + name, state.*points);
  archive.write(folder + "planes", std::span<const double>(plane_numbers(state.planes)));
  archive.write(folder + "planes_previous", std::span<const double>(plane_numbers(state.planes_previous)));
  archive.write("state/time", state.time);
  archive.write("state/start_time", state.start_time);
  archive.write("state/step", static_cast<std::int64_t>(state.step));
  archive.write("state/previous_step", state.previous_step);
  archive.write("contact_stiffness", state.contact_stiffness);
  if (!state.material_history.empty())
    archive.write(folder + "material_history", std::span<const double>(state.material_history));
  if (!state.shortening.empty()) archive.write(folder + "shortening", std::span<const double>(state.shortening));
  if (state.held.empty()) return;
  const std::vector<std::int32_t> held(state.held.begin(), state.held.end());
  archive.write(folder + "ties", std::span<const std::int32_t>(held));
}

State load_clock(const ArchiveReader& archive) {
  State state;
  state.time = archive.scalar("state/time");
  // Runs of versions that did not write it all started at 0.
  if (archive.has("state/start_time")) state.start_time = archive.scalar("state/start_time");
  const std::int64_t step = archive.integer("state/step");
  if (step < 0 || step > std::numeric_limits<int>::max() || !std::isfinite(state.time) ||
      !std::isfinite(state.start_time))
    refuse_damaged();
  state.step = static_cast<int>(step);
  return state;
}

State load_state(const ArchiveReader& archive, const std::string& folder, Index columns, std::size_t planes,
                 const std::string& what) {
  State state = load_clock(archive);
  for (const auto& [name, points] : saved_points)
    if (archive.has(folder + name) || points != &State::a) state.*points = archive.points(folder + name);
  state.planes = planes_of_numbers(archive.doubles(folder + "planes"));
  state.planes_previous = planes_of_numbers(archive.doubles(folder + "planes_previous"));
  if (archive.has("state/previous_step")) state.previous_step = archive.scalar("state/previous_step");
  state.contact_stiffness = archive.scalar("contact_stiffness");
  if (archive.has(folder + "material_history")) state.material_history = archive.doubles(folder + "material_history");
  if (archive.has(folder + "shortening")) state.shortening = archive.doubles(folder + "shortening");
  if (archive.has(folder + "ties"))
    for (const std::int32_t flag : archive.integers32(folder + "ties")) state.held.push_back(flag != 0);
  if (state.x.cols() != columns || state.planes.size() != planes)
    fail_input(code::checkpoint_scene,
               "the checkpoint has {} {} and {} planes, but the scene has {} and {}: the checkpoint belongs to another "
               "scene or method",
               state.x.cols(), what, state.planes.size(), columns, planes);
  require_whole(state);
  return state;
}

}  // namespace sinew

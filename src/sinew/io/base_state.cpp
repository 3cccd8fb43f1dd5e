#include "sinew/io/base_state.h"

#include <cmath>
#include <filesystem>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/io/initial_state.h"

namespace sinew {
namespace {

// What the motion of a checkpoint lacks: the contact stiffness that has grown, and broken ties.
void add_contacts(const std::string& path, const System& system, const std::string& source, State& state) {
  const ArchiveReader archive(path, "checkpoint");
  if (archive.has("contact_stiffness")) state.contact_stiffness = archive.scalar("contact_stiffness");
  if (!std::isfinite(state.contact_stiffness) || state.contact_stiffness < 0)
    fail_input(code::file_damaged, "{}: {}: found the contact stiffness {}, expected a number of at least 0", source,
               path, state.contact_stiffness);
  if (!archive.has("state/ties")) return;
  const std::vector<std::int32_t> held = archive.integers32("state/ties");
  if (held.size() != system.ties.size())
    fail_input(code::checkpoint_scene, "{}: {}: holds {} ties, the scene has {}; expected a state of the same scene",
               source, path, held.size(), system.ties.size());
  for (std::size_t t = 0; t < held.size(); ++t) state.held[t] = state.held[t] && held[t] != 0;
}

}  // namespace

State read_base_state(InitialSetup initial, const System& system, const std::string& source) {
  if (initial.path.empty()) {
    if (!system.interferences.empty())
      fail_input(code::modes,
                 "{}: bodies overlap at rest, so the rest state is no state of the scene; expected the state of a run "
                 "with --state",
                 source);
    return initial_state(system, 0);
  }
  std::error_code error;
  if (std::filesystem::is_directory(initial.path, error)) initial.path += "/checkpoint.h5";
  State state = start_state(system, read_start(initial, system, source));
  if (std::filesystem::path(initial.path).extension() == ".h5") add_contacts(initial.path, system, source, state);
  return state;
}

}  // namespace sinew

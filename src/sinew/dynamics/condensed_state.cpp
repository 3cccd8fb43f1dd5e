#include "sinew/dynamics/condensed_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr std::pair<const char*, MatX CondensedState::*> saved_matrices[] = {
    {"condensed/x", &CondensedState::x},
    {"condensed/v", &CondensedState::v},
    {"condensed/x_previous", &CondensedState::x_previous},
    {"condensed/v_previous", &CondensedState::v_previous},
    {"condensed/a", &CondensedState::a},
};

}  // namespace

void save_condensed(ArchiveWriter& archive, const CondensedState& state) {
  for (const auto& [name, matrix] : saved_matrices) {
    const MatX& values = state.*matrix;
    archive.write(name, std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
  }
  archive.write("condensed/s", std::span<const double>(state.s));
  archive.write("condensed/contact_stiffness", state.contact_stiffness);
  archive.write("state/time", state.time);
  archive.write("state/start_time", state.start_time);
  archive.write("state/step", static_cast<std::int64_t>(state.step));
}

CondensedState load_condensed_clock(const ArchiveReader& archive) {
  CondensedState state;
  state.time = archive.scalar("state/time");
  state.start_time = archive.scalar("state/start_time");
  const std::int64_t step = archive.integer("state/step");
  if (step < 0 || step > std::numeric_limits<int>::max() || !std::isfinite(state.time) ||
      !std::isfinite(state.start_time))
    fail_input("the checkpoint is damaged: its time or step is no number");
  state.step = static_cast<int>(step);
  return state;
}

void load_condensed(const ArchiveReader& archive, Index rows, Index columns, std::size_t stretches,
                    CondensedState& state) {
  for (const auto& [name, matrix] : saved_matrices) {
    const std::vector<double> values = archive.doubles(name);
    const bool whole = static_cast<Index>(values.size()) == columns * rows;
    if (!whole && (!values.empty() || matrix == &CondensedState::x || matrix == &CondensedState::v))
      fail_input("the checkpoint holds {} reduced coordinates, the scene has {}: it is of another scene or method",
                 values.size(), columns * rows);
    if (std::ranges::any_of(values, [](double value) { return !std::isfinite(value); }))
      fail_input("the checkpoint is damaged: {} holds what is no number", name);
    if (whole) state.*matrix = Eigen::Map<const MatX>(values.data(), rows, columns);
  }
  state.s = archive.doubles("condensed/s");
  if (archive.has("condensed/contact_stiffness"))
    state.contact_stiffness = archive.scalar("condensed/contact_stiffness");
  if (state.s.size() != stretches || (state.x_previous.size() > 0) != (state.v_previous.size() > 0))
    fail_input("the checkpoint holds {} stretches, the scene has {}: it is of another scene or method",
               state.s.size() / 6, stretches / 6);
}

}  // namespace sinew

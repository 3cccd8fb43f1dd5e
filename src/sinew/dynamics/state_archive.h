// Saves and loads the state of a run in checkpoints.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

// Saves positions, velocities, history and planes under `folder`, which ends with '/'. Saves the clock under names that
// all methods share.
void save_state(ArchiveWriter& archive, const std::string& folder, const State& state);

// Loads only step, time and start time.
State load_clock(const ArchiveReader& archive);
// Loads a state of 3 x `columns` with `planes` planes. Throws InputError if the checkpoint is damaged or its state has
// another size. what: what the columns are, for the message.
State load_state(const ArchiveReader& archive, const std::string& folder, Index columns, std::size_t planes,
                 const std::string& what);

// Throws InputError for a damaged checkpoint.
[[noreturn]] void refuse_damaged();

}  // namespace sinew

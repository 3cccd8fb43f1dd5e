// The state of a run in checkpoints.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

// Positions, velocities, history and planes go to entries of `folder`, which ends with '/'; the clock to those that all
// methods share.
void save_state(ArchiveWriter& archive, const std::string& folder, const State& state);

// Step, time and start time alone.
State load_clock(const ArchiveReader& archive);
// All of it: 3 x `columns`, with all planes of the system or, where `planes` is 0, none. Throws InputError where the
// checkpoint is damaged, or of a state of another size; `what`: the columns in words.
State load_state(const ArchiveReader& archive, const std::string& folder, Index columns, std::size_t planes,
                 const std::string& what);

// Refuses a checkpoint.
[[noreturn]] void refuse_damaged();

}  // namespace sinew

// Changes by a script, which are no actions of a viewer, as events of a recording.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/live/events.h"
#include "sinew/model/edit.h"

namespace sinew {

// Returns an event with these edits: a pull, a release or a setting if it is one of those, otherwise their entries of a
// checkpoint. Without `step`.
LiveEvent event_of_edits(std::span<const Edit> edits, const System& system);

// Returns the edits of an event with entries. Throws InputError naming the entry that does not fit the system.
std::vector<Edit> edits_of_event(const LiveEvent& event, const System& system);

}  // namespace sinew

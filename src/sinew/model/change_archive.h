// The place of changes between steps in checkpoints.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/model/change_record.h"

namespace sinew {

// Writes what was changed, and nothing for the rest; folder: "changes/" for instance.
void save_changes(ArchiveWriter& archive, const std::string& folder, const ChangeRecord& record, const System& system);

// What the checkpoint holds there; all is as it was built where it holds nothing. Throws InputError naming the file and
// the entry where one is damaged. What the values mean for the system make_changes() checks.
ChangeRecord load_changes(const ArchiveReader& archive, const std::string& folder, const System& system);

}  // namespace sinew

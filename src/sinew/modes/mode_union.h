// Joins modes of several kinds and files in one basis.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// Reads the first `count` modes of a file, by default all. Throws InputError if the file has fewer, belongs to other
// bodies, or moves prescribed coordinates (fixed: 3 dynamic_count flags). Warns of linearly dependent modes.
ModeSet modes_of_file(const std::string& path, const System& system, const std::vector<char>& fixed,
                      const ModeCount& count);

// Returns the modes of a kind, without motions that cause no strain; cached (mode_cache.h).
ModeSet straining_modes(const std::string& kind, const System& system, const std::vector<char>& fixed,
                        const ModeCount& count);

// Returns a basis, orthonormal in the mass, of the span of all sets, in their order, with Rayleigh quotients as values.
// A single set is returned unchanged.
ModeSet joined_modes(const System& system, std::vector<ModeSet> sets);

// Returns joined_modes() with `count` modes of each name, which is a kind of modes or the path of a file (.npz).
ModeSet modes_of_kinds(const System& system, const std::vector<char>& fixed, const std::vector<std::string>& names,
                       const ModeCount& count);

// Adds to the hash the inputs of these modes other than the system: names of kinds and contents of files.
void add_kinds(const System& system, const std::vector<std::string>& names, ContentHash& hash);

}  // namespace sinew

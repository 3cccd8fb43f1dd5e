// The modes of a list of kinds and files in one basis.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// The modes of a file: all of them where nobody asked for a number, else the first ones. Throws InputError where it has
// fewer, is of other bodies or moves prescribed coordinates (fixed: 3 dynamic_count flags); warns of modes that depend
// on others.
ModeSet modes_of_file(const std::string& path, const System& system, const std::vector<char>& fixed,
                      const ModeCount& count);

// The modes of a kind without motions that strain nothing; kept in the cache folder (mode_cache.h).
ModeSet straining_modes(const std::string& kind, const System& system, const std::vector<char>& fixed,
                        const ModeCount& count);

// Of more than one set what they span together, orthonormal in the mass, in their order; values are Rayleigh quotients
// then.
ModeSet joined_modes(const System& system, std::vector<ModeSet> sets);

// joined_modes() of each name, a kind of modes or the path of a file of them (.npz): `count` modes of each.
ModeSet modes_of_kinds(const System& system, const std::vector<char>& fixed, const std::vector<std::string>& names,
                       const ModeCount& count);

// Adds what these modes follow from beside the system: the kinds' names, the contents of files.
void add_kinds(const System& system, const std::vector<std::string>& names, ContentHash& hash);

}  // namespace sinew

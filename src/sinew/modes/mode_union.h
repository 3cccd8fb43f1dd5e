// The modes of a list of kinds and files in one basis.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// Of each name, a kind of modes or the path of a file of them (.npz): `count` modes, motions without strain left out;
// of a file all of its modes where nobody asked for a number, else its first ones. Of more than one name what they span
// together, orthonormal in the mass, in their order; values are Rayleigh quotients then. Modes of kinds are kept in the
// cache folder (mode_cache.h). Throws InputError where a kind cannot have so many, a file has fewer, is of other bodies
// or moves prescribed coordinates (fixed: 3 dynamic_count flags); warns of modes of a file that depend on its others.
ModeSet modes_of_kinds(const System& system, const std::vector<char>& fixed, const std::vector<std::string>& names,
                       const ModeCount& count);

// Adds what these modes follow from beside the system: the kinds' names, the contents of files.
void add_kinds(const System& system, const std::vector<std::string>& names, ContentHash& hash);

}  // namespace sinew

#pragma once

#include <string>

namespace sinew {

// Returns a name that is safe in file names: letters, digits, '-', '_' and '.' stay, other characters become '_'. Names
// are cut at 120 characters, because file systems limit them to 255 bytes.
std::string file_stem(const std::string& name);

// The extension of a path with its dot, in lower case; empty if there is none.
std::string lower_extension(const std::string& path);

}  // namespace sinew

// Files that are read whole: regular ones that fit into memory. To open a pipe is to wait for whoever writes to it, and
// a device may have no end.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

// Why a file cannot be read whole, in words that follow "cannot read it: "; empty if no reason is known, for instance
// for a name without a file.
std::string why_unfit(const std::string& path);

// Throws InputError naming the file if why_unfit() gives a reason.
void require_fit(const std::string& path);

// The bytes of a regular file. Throws InputError naming the file, which the message calls `what`.
std::string read_whole_file(const std::string& path, const char* what = "the file");

// The bytes of a regular file or of a pipe, such as the shell's `<(command)`. Throws InputError naming the file, also
// if it has more than `most` bytes. The message calls it `what`, such as "the scene file".
std::string read_file_or_pipe(const std::string& path, const char* what, std::uintmax_t most);

}  // namespace sinew

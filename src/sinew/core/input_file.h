// Reads whole files: regular files that fit into memory. Pipes and devices are refused: opening a pipe waits for a
// writer, and a device may have no end.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

// Returns why a file cannot be read whole, in words that follow "cannot read it: ". Empty if no reason is known, for
// example if the file does not exist.
std::string why_unfit(const std::string& path);

// Throws InputError naming the file if why_unfit() gives a reason.
void require_fit(const std::string& path);

// Returns the bytes of a regular file. Throws InputError naming the file. what: how the message calls the file.
std::string read_whole_file(const std::string& path, const char* what = "the file");

// Returns the bytes of a regular file, or of a pipe such as the shell's `<(command)`. Throws InputError naming the
// file, also if it has more than `most` bytes. what: how the message calls it, for example "the scene file".
std::string read_file_or_pipe(const std::string& path, const char* what, std::uintmax_t most);

}  // namespace sinew

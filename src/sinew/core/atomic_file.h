// Files that appear whole or not at all: written under a temporary name beside the final one, then renamed. A symbolic
// link stays one, its target is replaced. A device, a pipe or a name such as /dev/stdout takes the bytes as they come.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew {

// `synced`: also survives a power cut (fsync of the file and its folder); `renamed`: survives the end of this process.
enum class Durability { renamed, synced };

// Writes the pieces one after the other and renames. Throws SimulationError naming the path and what the system said
// (no space, no permission, ...); then `path` is as it was before.
void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces,
                           Durability durability = Durability::renamed);
void write_file_atomically(const std::string& path, std::string_view contents,
                           Durability durability = Durability::renamed);

// Throws InputError unless a file of that name can be written: its folder exists and is writable, and the name is no
// folder's, or is a pipe or device. For checks before long work.
void require_folder_of(const std::string& path);

// Whether writing to this name passes the bytes to a device, a pipe or a descriptor of this process, and replaces
// nothing.
bool takes_bytes(const std::string& path);

// Removes a pipe, device or the like of this name, but no regular file or folder. For caches, where nobody waits for
// its bytes.
void remove_unless_regular(const std::string& path);

// Whether a name is that of a temporary file which an interrupted write_file_atomically() left behind.
bool is_leftover(std::string_view file_name);

}  // namespace sinew

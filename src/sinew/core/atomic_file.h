// Writes files whole or not at all: under a temporary name beside the final name, then renamed. If the name is a
// symbolic link, its target is replaced. A device, a pipe or a name such as /dev/stdout receives the bytes directly.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew {

// `synced` also survives a power cut (fsync of the file and its folder). `renamed` survives the end of this process.
enum class Durability { renamed, synced };

// Writes the pieces one after another and renames the file. If this fails, `path` is unchanged, and SimulationError
// names the path and the system's reason (no space, no permission, ...).
void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces,
                           Durability durability = Durability::renamed);
void write_file_atomically(const std::string& path, std::string_view contents,
                           Durability durability = Durability::renamed);

// Throws InputError unless a file of this name can be written: its folder exists and is writable, and the name is not a
// folder. A pipe or device is accepted, too. Call it before long work.
void require_folder_of(const std::string& path);

// Whether the name is a device, a pipe or a descriptor of this process, which receives bytes and is not replaced.
bool takes_bytes(const std::string& path);

// Removes a pipe, device or similar of this name, but no regular file or folder. For caches, where nobody reads the
// bytes.
void remove_unless_regular(const std::string& path);

// Whether a name is that of a temporary file that an interrupted write_file_atomically() has left.
bool is_leftover(std::string_view file_name);

}  // namespace sinew

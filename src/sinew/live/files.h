// Finds files that a server may send.
#pragma once

#include <filesystem>
#include <string>

namespace sinew::live {

// Returns the file for a request's path, or empty unless it is a regular file below `folder` after resolving symbolic
// links. `folder` must be canonical.
std::filesystem::path file_below(const std::filesystem::path& folder, const std::string& path);

// Returns the MIME type for the file's extension.
const char* content_type_of(const std::filesystem::path& file);

}  // namespace sinew::live

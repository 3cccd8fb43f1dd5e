// Files that a server gives out.
#pragma once

#include <filesystem>
#include <string>

namespace sinew::live {

// The file that the path of a request names, or empty when it is no regular file in the folder or below, symbolic links
// resolved before they are judged. `folder` is canonical.
std::filesystem::path file_below(const std::filesystem::path& folder, const std::string& path);

// By the extension.
const char* content_type_of(const std::filesystem::path& file);

}  // namespace sinew::live

#pragma once

#include <string>

namespace sinew {

// A name that is safe in file names: letters, digits, '-', '_' and '.' are kept, the rest becomes '_'; what is longer
// than 120 characters is cut, since file systems end names at 255 bytes.
std::string file_stem(const std::string& name);

}  // namespace sinew

// Encodes the named parts of a page's data: JSON headers and base64 data, as elements of a JavaScript array.
#pragma once

#include <string>

#include "sinew/io/report_rows.h"

namespace sinew {

// Returns a header and its data as two elements. They are safe inside a script element, whatever the scene's names
// contain. Bytes that are not UTF-8 are replaced.
std::string blob_entry(const Json& header, const std::string& data);

// Returns an array with one entry.
std::string blob_text(const Json& header, const std::string& data);

}  // namespace sinew

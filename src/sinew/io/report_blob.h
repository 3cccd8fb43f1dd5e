// The named pieces of a page's data: JSON headers and data in base64, as elements of a JavaScript array.
#pragma once

#include <string>

#include "sinew/io/report_rows.h"

namespace sinew {

// A header and its data, as two elements. Safe inside a script element, whatever the names in a scene hold; what is not
// UTF-8 is replaced.
std::string blob_entry(const Json& header, const std::string& data);

// An array of one entry.
std::string blob_text(const Json& header, const std::string& data);

}  // namespace sinew

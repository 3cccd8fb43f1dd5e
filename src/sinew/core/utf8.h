// Checks and repairs UTF-8. Messages quote files, and Python and JSON accept no other bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// Whether the bytes are valid UTF-8 without overlong forms, surrogates and codes beyond U+10FFFF (RFC 3629).
bool is_utf8(std::string_view bytes);

// Replaces each byte that is not part of valid UTF-8 by U+FFFD.
std::string as_utf8(std::string_view bytes);

// Shortens a text for messages to at most `longest` bytes, including "..." for the rest. Characters stay whole.
std::string shortened(std::string_view text, std::size_t longest = 60);

}  // namespace sinew

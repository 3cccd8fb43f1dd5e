// Checks that bytes are UTF-8: messages quote files, and Python and JSON accept nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// Refuses overlong forms, surrogates and codes beyond U+10FFFF (RFC 3629).
bool is_utf8(std::string_view bytes);

// Replaces each byte that is not part of valid UTF-8 by U+FFFD.
std::string as_utf8(std::string_view bytes);

// Shortens a text for messages to at most `longest` bytes, with ... for the rest. No character is cut.
std::string shortened(std::string_view text, std::size_t longest = 60);

}  // namespace sinew

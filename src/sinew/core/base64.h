// Base64 (RFC 4648): bytes as text of letters, digits, + and /.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// Returns the six bits that a character stands for, or -1.
int base64_digit(char c);

std::string base64_encode(std::string_view bytes);

// Decodes padded text without blanks. Throws InputError with a reason, without a location, for other text.
std::string base64_decode(std::string_view text);

}  // namespace sinew

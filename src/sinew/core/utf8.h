// Whether bytes are text: messages quote what files hold, and Python and JSON take nothing but UTF-8.
#pragma once

#include <string_view>

namespace sinew {

// Without overlong forms, surrogates and what is beyond U+10FFFF (RFC 3629).
bool is_utf8(std::string_view bytes);

}  // namespace sinew

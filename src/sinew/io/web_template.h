// The page that simulates, without its data, built from web/ (web/dist/self.html is part of the program).
#pragma once

#include <string_view>

namespace sinew {

// The parts of the page before and after the data.
std::string_view web_template_head();
std::string_view web_template_tail();

}  // namespace sinew

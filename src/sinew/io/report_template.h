// The page without data, built from web/ (web/dist/report.html is part of the program).
#pragma once

#include <string_view>

namespace sinew {

// The parts of the page before and after the data.
std::string_view report_template_head();
std::string_view report_template_tail();

}  // namespace sinew

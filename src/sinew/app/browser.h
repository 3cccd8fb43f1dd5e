// Opens the user's web browser.
#pragma once

#include <string>

namespace sinew::app {

bool has_display();

// Asks the desktop to show a page. Does not know whether this succeeds.
void open_browser(const std::string& url);

}  // namespace sinew::app

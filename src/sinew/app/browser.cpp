#include "sinew/app/browser.h"

#include <cstdlib>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinew::app {

bool has_display() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

void open_browser(const std::string& url) {
  std::string program = "xdg-open", argument = url;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0) return;
  std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

}  // namespace sinew::app

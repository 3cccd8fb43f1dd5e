// Warnings of readers and builders, held back until the checks of the scene have been made.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/warning_log.h"

namespace sinew {

// While it lives, warnings are kept instead of being written. They are written at its end, unless they were taken.
class KeptWarnings {
 public:
  KeptWarnings();
  ~KeptWarnings();
  KeptWarnings(const KeptWarnings&) = delete;
  KeptWarnings& operator=(const KeptWarnings&) = delete;

  // Returns the warnings except those that a finding explains. From now on warnings are written again.
  std::vector<std::string> take();

 private:
  log::WarningLog warnings_;
  bool taken_ = false;
};

}  // namespace sinew

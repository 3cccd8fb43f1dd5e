// Holds back warnings of readers and builders until the scene has been checked.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/warning_log.h"

namespace sinew {

// While it exists, warnings are kept. At its end they are written, unless take() was called.
class KeptWarnings {
 public:
  KeptWarnings();
  ~KeptWarnings();
  KeptWarnings(const KeptWarnings&) = delete;
  KeptWarnings& operator=(const KeptWarnings&) = delete;

  // Returns the warnings, except those that a finding explains. Later warnings are written at once.
  std::vector<std::string> take();

 private:
  log::WarningLog warnings_;
  bool taken_ = false;
};

}  // namespace sinew

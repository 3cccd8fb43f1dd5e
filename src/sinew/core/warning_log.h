// Collects the warnings of a run for its report.
#pragma once

#include <string>
#include <vector>

namespace sinew::log {

// Keeps the text of every warning while it lives, whatever the threshold and wherever messages go. Any thread may warn.
// If several collectors live, each gets every warning.
class WarningLog {
 public:
  WarningLog();
  ~WarningLog();
  WarningLog(const WarningLog&) = delete;
  WarningLog& operator=(const WarningLog&) = delete;

  std::vector<std::string> warnings() const;

 private:
  std::vector<std::string> warnings_;  // guarded by the log's mutex
  friend struct WarningLogAccess;
};

}  // namespace sinew::log

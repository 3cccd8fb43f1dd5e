// What was warned of while a run lasted, for its report.
#pragma once

#include <string>
#include <vector>

namespace sinew::log {

// Keeps the text of every warning while it lives, whatever the threshold and wherever messages go. Any thread may warn.
// Of several collectors alive each gets all.
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

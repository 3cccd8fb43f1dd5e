// Collects the warnings of a run for its report.
#pragma once

#include <string>
#include <vector>

namespace sinew::log {

// While it exists, keeps the text of every warning, whatever the threshold and the sink. Any thread may warn. If
// several logs exist, each gets every warning.
class WarningLog {
 public:
  WarningLog();
  ~WarningLog();
  WarningLog(const WarningLog&) = delete;
  WarningLog& operator=(const WarningLog&) = delete;

  std::vector<std::string> warnings() const;

 private:
  std::vector<std::string> warnings_;  // protected by the log's mutex
  friend struct WarningLogAccess;
};

}  // namespace sinew::log

// A text file that grows by whole lines, each on disk before the next is written.
#pragma once

#include <string>

namespace sinew {

class LineLog {
 public:
  // Replaces the file by one with this text. Throws SimulationError.
  LineLog(std::string path, const std::string& text);
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  // Appends a line whole or not at all. Throws SimulationError naming the path.
  void append(const std::string& line);

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace sinew

// Writes a large file piece by piece: under a temporary name beside the final name, then renamed.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

class AtomicStream {
 public:
  // Opens the temporary file. If `path` is a symbolic link, its target will be replaced. Throws SimulationError naming
  // the path and the system's reason; so do the other functions.
  explicit AtomicStream(const std::string& path);
  ~AtomicStream();  // without commit(), the file stays as it was
  AtomicStream(const AtomicStream&) = delete;
  AtomicStream& operator=(const AtomicStream&) = delete;

  void write(std::string_view piece);
  void commit();

 private:
  void flush();
  [[noreturn]] void fail(const char* action) const;

  std::string path_, target_, temporary_, buffer_;
  int descriptor_ = -1;
};

}  // namespace sinew

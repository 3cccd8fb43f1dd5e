#include "sinew/io/line_log.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"

namespace sinew {

LineLog::LineLog(std::string path, const std::string& text) : path_(std::move(path)) {
  write_file_atomically(path_, text);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

LineLog::~LineLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LineLog::append(const std::string& line) {
  const std::string text = line + "\n";
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (before >= 0 && ::ftruncate(descriptor_, before) != 0) fail(error);  // no half line stays
      fail(error);
    }
    done += static_cast<std::size_t>(written);
  }
}

void LineLog::fail(int error) const {
  throw SimulationError(code::output_write,
                        fmt::format("{}: cannot write: {}; earlier rows are complete", path_, std::strerror(error)));
}

}  // namespace sinew

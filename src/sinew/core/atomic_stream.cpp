#include "sinew/core/atomic_stream.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr std::size_t buffer_size = 1 << 20;

// Where symbolic links lead, whether a file is there or not.
std::string end_of_links(const std::string& path) {
  constexpr int most_links = 40;  // as many as Linux follows
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(target, error); ++i)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  return target.string();
}

}  // namespace

AtomicStream::AtomicStream(const std::string& path)
    : path_(path),
      target_(end_of_links(path)),
      temporary_(target_ + ".sinew-tmp-" + std::to_string(::getpid())),  // see is_leftover()
      descriptor_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("write");
  buffer_.reserve(2 * buffer_size);
}

AtomicStream::~AtomicStream() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicStream::fail(const char* action) const {
  const int error = errno;
  throw SimulationError(code::output_write,
                        fmt::format("{}: cannot {}: {}; the file is unchanged. Free space or choose another folder.",
                                    path_, action, std::strerror(error)));
}

void AtomicStream::write(std::string_view piece) {
  buffer_.append(piece);
  if (buffer_.size() >= buffer_size) flush();
}

void AtomicStream::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicStream::commit() {
  flush();
  // Some file systems report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("write");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename a temporary file to this name");
  temporary_.clear();
}

}  // namespace sinew

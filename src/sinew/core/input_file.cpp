#include "sinew/core/input_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/memory.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

// What it is instead of a regular file.
const char* kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "not a regular file";
  }
}

std::string why_too_large(std::uintmax_t size) {
  constexpr std::uintmax_t small = 64'000'000;  // not worth a look at the memory
  if (size <= small) return "";
  const double available = available_memory(), bytes = static_cast<double>(size);
  if (available <= 0 || bytes <= available) return "";
  return fmt::format("it has {}, but {} of memory are free", memory_text(bytes), memory_text(available));
}

class InputDescriptor {
 public:
  explicit InputDescriptor(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~InputDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  InputDescriptor(const InputDescriptor&) = delete;
  InputDescriptor& operator=(const InputDescriptor&) = delete;

  bool open() const { return descriptor_ >= 0; }

  // Appends what comes next; whether there was something, or nothing where reading failed.
  std::optional<bool> append(std::string& bytes) const {
    char buffer[1 << 16];
    ssize_t got = 0;
    while ((got = ::read(descriptor_, buffer, sizeof buffer)) < 0 && errno == EINTR) {
    }
    if (got < 0) return {};
    bytes.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

 private:
  int descriptor_;
};

}  // namespace

std::string why_unfit(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return "";
  if (!fs::is_regular_file(status)) {
    const char* expected = fs::is_directory(status) ? "a file" : "a regular file";
    return fmt::format("it is {}, expected {}", kind_of(status.type()), expected);
  }
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? "" : why_too_large(size);
}

void require_fit(const std::string& path) {
  const std::string reason = why_unfit(path);
  if (!reason.empty()) fail_input(code::file_read, "{}: cannot read the file: {}", path, reason);
}

std::string read_whole_file(const std::string& path, const char* what) {
  require_fit(path);
  return read_file_or_pipe(path, what, std::numeric_limits<std::uintmax_t>::max());
}

std::string read_file_or_pipe(const std::string& path, const char* what, std::uintmax_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_fifo(status))
    fail_input(code::file_read, "{}: cannot read {}: it is {}, expected a file or a pipe", path, what,
               kind_of(status.type()));
  const auto fail = [&] {
    fail_input(code::file_read, "{}: cannot read {}: {}; check the path and its permissions", path, what,
               std::strerror(errno));
  };
  const InputDescriptor file(path);
  if (!file.open()) fail();
  std::string bytes;
  const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, error) : 0;
  if (!error && size <= most) bytes.reserve(size);
  for (std::optional<bool> more = true; more.value_or(false);) {
    more = file.append(bytes);
    if (!more) fail();
    if (bytes.size() > most) {
      fail_input(code::file_read, "{}: cannot read {}: it has more than {}", path, what,
                 memory_text(static_cast<double>(most)));
    }
  }
  return bytes;
}

}  // namespace sinew

#include "sinew/core/atomic_file.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_mark = ".sinew-tmp-";

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

[[noreturn]] void fail(const std::string& path, const char* action, int error) {
  const std::string folder = folder_of(path);
  std::error_code ignored;
  if (error == ENOENT && !fs::exists(folder, ignored)) {
    throw SimulationError(code::output_write,
                          fmt::format("{}: cannot {}: the folder {} does not exist", path, action, folder));
  }
  throw SimulationError(code::output_write,
                        fmt::format("{}: cannot {}: {}; the file is unchanged. Free space or choose another folder.",
                                    path, action, std::strerror(error)));
}

[[noreturn]] void fail_through(const std::string& path, const char* action, int error) {
  throw SimulationError(code::output_write, fmt::format("{}: cannot {}: {}", path, action, std::strerror(error)));
}

using Fail = void (*)(const std::string& path, const char* action, int error);

// A file descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  Descriptor(int descriptor, std::string path, Fail on_failure = fail)
      : descriptor_(descriptor), path_(std::move(path)), fail_(on_failure) {
    if (descriptor_ < 0) fail_(path_, "write", errno);
  }
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::string_view piece) const {
    while (!piece.empty()) {
      const ssize_t written = ::write(descriptor_, piece.data(), piece.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_(path_, "write", errno);
      piece.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void sync() const {
    if (::fsync(descriptor_) != 0) fail_(path_, "write", errno);
  }

  void close() {
    // Some file systems report a full disk only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail_(path_, "write", errno);
  }

 private:
  int descriptor_;
  std::string path_;
  Fail fail_;
};

// A temporary file that is removed unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path)
      : path_(path),
        temporary_(path + std::string(temporary_mark) + std::to_string(::getpid())),
        descriptor_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path) {}
  ~TemporaryFile() {
    if (!renamed_) ::unlink(temporary_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const Descriptor& descriptor() const { return descriptor_; }

  void rename() {
    descriptor_.close();
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "rename a temporary file to this name", errno);
    renamed_ = true;
  }

 private:
  std::string path_, temporary_;
  Descriptor descriptor_;
  bool renamed_ = false;
};

// Makes the rename itself durable. Folders that cannot be opened or synced are left to the file system.
void sync_folder_of(const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// The descriptor of this process that a name such as /dev/stdout or /dev/fd/63 stands for.
std::optional<int> own_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const std::string_view digits = path.substr(folder.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return {};
}

int open_through(const std::string& path) {
  const std::optional<int> own = own_descriptor(path);
  if (!own) return ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (*own == STDOUT_FILENO) std::fflush(stdout);  // what was printed comes first
  return ::fcntl(*own, F_DUPFD_CLOEXEC, 0);
}

void write_through(const std::string& path, std::span<const std::string_view> pieces) {
  Descriptor descriptor(open_through(path), path, fail_through);
  for (std::string_view piece : pieces) descriptor.write(piece);
  descriptor.close();
}

// Where the symbolic links of a path lead, whether a file is there or not.
std::string link_target(const std::string& path) {
  constexpr int most_links = 40;  // as many as Linux follows
  fs::path target = path;
  std::error_code error;
  for (int i = 0; fs::is_symlink(fs::symlink_status(target, error)); ++i) {
    if (i == most_links) fail(path, "write", ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) fail(path, "write", error.value());
    target = target.parent_path() / next;  // `next` alone where it is absolute
  }
  return target.string();
}

}  // namespace

bool takes_bytes(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return own_descriptor(path) || (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces, Durability durability) {
  if (takes_bytes(path)) return write_through(path, pieces);
  const std::string target = link_target(path);
  TemporaryFile file(target);
  for (std::string_view piece : pieces) file.descriptor().write(piece);
  if (durability == Durability::synced) file.descriptor().sync();
  file.rename();
  if (durability == Durability::synced) sync_folder_of(target);
}

void write_file_atomically(const std::string& path, std::string_view contents, Durability durability) {
  write_file_atomically(path, std::span<const std::string_view>(&contents, 1), durability);
}

void require_folder_of(const std::string& path) {
  if (path.empty()) fail_input(code::output_write, "found an empty file name, expected the name of the file to write");
  std::error_code ignored;
  if (own_descriptor(path)) {
    if (::fcntl(*own_descriptor(path), F_GETFD) < 0)
      fail_input(code::output_write, "{}: cannot write: {}", path, std::strerror(errno));
    return;
  }
  if (takes_bytes(path)) {
    if (::access(path.c_str(), W_OK) != 0)
      fail_input(code::output_write, "{}: cannot write: {}", path, std::strerror(errno));
    return;
  }
  const std::string target = link_target(path), folder = folder_of(target);
  if (!fs::exists(folder, ignored)) {
    fail_input(code::output_write, "{}: cannot write: the folder {} does not exist; create it first", path, folder);
  }
  if (!fs::is_directory(folder, ignored)) {
    fail_input(code::output_write, "{}: cannot write: {} is no folder; choose another", path, folder);
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    fail_input(code::output_write, "{}: cannot write to the folder {}: {}; choose another", path, folder,
               std::strerror(errno));
  }
  if (fs::is_directory(target, ignored)) {
    fail_input(code::output_write, "{}: cannot write: this is a folder, expected the name of a file", path);
  }
}

void remove_unless_regular(const std::string& path) {
  std::error_code ignored;
  if (takes_bytes(path)) fs::remove(path, ignored);
}

bool is_leftover(std::string_view file_name) {
  return file_name.find(temporary_mark) != std::string_view::npos;
}

}  // namespace sinew

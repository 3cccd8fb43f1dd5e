#include "sinew/core/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr std::string_view temporary_mark = ".sinew-tmp-";

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

[[noreturn]] void fail(const std::string& path, const char* action, int error) {
  const std::string folder = folder_of(path);
  std::error_code ignored;
  if (error == ENOENT && !std::filesystem::exists(folder, ignored)) {
    throw SimulationError(fmt::format("{}: cannot {}: the folder {} does not exist", path, action, folder));
  }
  throw SimulationError(
      fmt::format("{}: cannot {}: {}; nothing was changed there. Free space or choose another folder.", path, action,
                  std::strerror(error)));
}

// A temporary file that is closed and removed unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path)
      : path_(path), temporary_(path + std::string(temporary_mark) + std::to_string(::getpid())) {
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(path_, "write", errno);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(temporary_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view piece) {
    while (!piece.empty()) {
      const ssize_t written = ::write(descriptor_, piece.data(), piece.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(path_, "write", errno);
      piece.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void sync() {
    if (::fsync(descriptor_) != 0) fail(path_, "write", errno);
  }

  void rename() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail(path_, "write", errno);  // some file systems report a full disk only here
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "rename a temporary file to this name", errno);
    renamed_ = true;
  }

 private:
  std::string path_, temporary_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

// Makes the rename itself durable. Folders that cannot be opened or synced are left to the file system.
void sync_folder_of(const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces, Durability durability) {
  TemporaryFile file(path);
  for (std::string_view piece : pieces) file.write(piece);
  if (durability == Durability::synced) file.sync();
  file.rename();
  if (durability == Durability::synced) sync_folder_of(path);
}

void write_file_atomically(const std::string& path, std::string_view contents, Durability durability) {
  write_file_atomically(path, std::span<const std::string_view>(&contents, 1), durability);
}

void require_folder_of(const std::string& path) {
  if (path.empty()) fail_input("found an empty file name, expected where to write");
  const std::string folder = folder_of(path);
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) {
    fail_input("{}: cannot write: the folder {} does not exist; create it first", path, folder);
  }
  if (!std::filesystem::is_directory(folder, ignored)) {
    fail_input("{}: cannot write: {} is no folder; choose another", path, folder);
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    fail_input("{}: cannot write to the folder {}: {}; choose another", path, folder, std::strerror(errno));
  }
  if (std::filesystem::is_directory(path, ignored)) {
    fail_input("{}: cannot write: this is a folder, expected the name of a file", path);
  }
}

bool is_leftover(std::string_view file_name) {
  return file_name.find(temporary_mark) != std::string_view::npos;
}

}  // namespace sinew

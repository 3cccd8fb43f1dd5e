#include "sinew/io/folder_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw SimulationError(
        code::output_write,
        fmt::format("{}: cannot open the output folder: {}; choose another with -o", folder, std::strerror(errno)));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  fail_input(code::output_busy,
             "{}: another run is writing to this folder; wait until it has ended, or choose another with -o", folder);
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

}  // namespace sinew

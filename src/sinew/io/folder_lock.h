// Allows one run at a time in an output folder.
#pragma once

#include <string>

namespace sinew {

// A lock that is held while a run writes to `folder`, against all processes. The folder itself is locked (flock), so no
// file is left behind, and the lock ends with the process, however that ends. On a file system without locks, runs are
// not kept apart.
class FolderLock {
 public:
  // Throws InputError if another run holds the lock, SimulationError if the folder cannot be opened.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace sinew

// One run at a time in an output folder.
#pragma once

#include <string>

namespace sinew {

// Held while a run writes to `folder`, from any process. The lock is on the folder itself (flock): it leaves no file
// behind and ends with the process, however that ends. On a file system without locks, runs are not kept apart.
class FolderLock {
 public:
  // Throws InputError when another run holds it, SimulationError when the folder cannot be opened.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace sinew

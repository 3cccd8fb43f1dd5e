// Recorded positions of the parts of a run, a point cache (io/pc2_file.h) for each. Formats whose file can only be
// written as a whole keep them, and are made from them when the run ends.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/pc2_file.h"
#include "sinew/io/surface_parts.h"

namespace sinew {

class SurfaceCache {
 public:
  // Does not access the folder yet.
  SurfaceCache(const std::string& folder, const SurfaceParts& parts);

  const std::string& folder() const { return folder_; }
  const std::string& path(std::size_t part) const { return files_[part].path(); }
  // The number of frames that all caches hold; 0: none. Throws InputError as Pc2File::samples().
  std::size_t frames() const;
  void append(std::size_t part, const Points& x) { files_[part].append(x); }
  void truncate(int count);
  Eigen::Matrix3Xf read(std::size_t part, std::size_t frame) const {
    return files_[part].read(static_cast<int>(frame));
  }

  // Deletes the caches of a folder, and the folder if nothing else is in it.
  static void remove_all(const std::string& folder);

 private:
  std::string folder_;
  std::vector<Pc2File> files_;
};

}  // namespace sinew

#include "sinew/io/surface_cache.h"

#include <algorithm>
#include <filesystem>

#include "sinew/io/frame_sink.h"

namespace sinew {
namespace fs = std::filesystem;

SurfaceCache::SurfaceCache(const std::string& folder, const SurfaceParts& parts) : folder_(folder) {
  for (const SurfacePart& part : parts.parts()) files_.emplace_back(folder + "/" + part.stem + ".pc2", part.vertices);
}

std::size_t SurfaceCache::frames() const {
  int count = -1;
  for (const Pc2File& file : files_) {
    const int own = file.samples();
    count = count < 0 ? own : std::min(count, own);
  }
  return static_cast<std::size_t>(std::max(count, 0));
}

void SurfaceCache::truncate(int count) {
  if (!fs::is_directory(folder_)) return;
  remove_leftovers(folder_);
  for (Pc2File& file : files_)
    if (fs::exists(file.path())) file.truncate(count);
}

void SurfaceCache::remove_all(const std::string& folder) {
  if (!fs::is_directory(folder)) return;
  remove_leftovers(folder);
  std::vector<std::string> doomed;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".pc2") doomed.push_back(entry.path().string());
  for (const std::string& path : doomed) remove_file(path);
  std::error_code ignored;
  fs::remove(folder, ignored);
}

}  // namespace sinew

// Point caches in the PC2 format, as Blender's Mesh Cache modifier reads them: float32 positions of the same vertices
// at equally spaced frames. Layout (little-endian): "POINTCACHE2\0", int32 version 1, int32 vertices, float32 first
// frame, float32 frames between samples, int32 samples; then samples x vertices x 3 float32.
#pragma once

#include <cstdint>
#include <string>

#include "sinew/core/types.h"

namespace sinew {

class Pc2File {
 public:
  // Does not access the file yet.
  Pc2File(std::string path, Index vertices) : path_(std::move(path)), vertices_(vertices) {}

  const std::string& path() const { return path_; }

  // Returns the number of complete samples in the file; 0 if there is no file. Throws InputError if it is not a cache
  // of this number of vertices.
  int samples() const;

  // Writes sample number samples(), 3 x vertices [m]; the first sample creates the file. If a write is cut short, by
  // the disk or by a signal, earlier samples stay readable. Throws SimulationError naming the path.
  void append(const Points& x);

  // Returns sample `number` as it is stored, 3 x vertices [m]. Throws SimulationError if it cannot be read.
  Eigen::Matrix3Xf read(int number) const;

  // Drops the samples from number `count` on. Throws SimulationError.
  void truncate(int count);

 private:
  std::int64_t bytes(int samples) const;

  std::string path_;
  Index vertices_;
  int samples_ = -1;  // -1: not read yet
};

}  // namespace sinew

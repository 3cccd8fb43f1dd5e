// Reads positions of the same vertices at several times: point caches (.pc2) and .mdd files of animation programs.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct VertexCache {
  std::vector<double> times;   // ascending: of a .pc2 file in frames, of an .mdd file in seconds
  bool in_frames = false;      // whether times are in frames
  std::vector<Points> places;  // by time, 3 x vertices [m]
};

// Reads a .pc2 or .mdd file, by its name. Throws InputError naming the file, what is wrong and what to do.
VertexCache read_vertex_cache(const std::string& path);

// Parse the bytes of such a file. source: name of the file in errors.
VertexCache parse_pc2(const std::string& bytes, const std::string& source);
VertexCache parse_mdd(const std::string& bytes, const std::string& source);

}  // namespace sinew

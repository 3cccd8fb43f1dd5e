// Writes the surfaces of a run at one frame: Wavefront .obj with its materials (.mtl), and binary .ply.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/surface_parts.h"

namespace sinew {

// The surfaces at one frame.
struct SurfaceFrame {
  // A number at each of the user's vertices.
  struct Field {
    std::string name;
    VecX values;
  };
  const SurfaceParts& parts;
  std::vector<Points> positions;  // by part [m]
  std::vector<Field> fields{};    // only for .ply
};

// All functions throw SimulationError if a file cannot be written.

// Polygons, texture coordinates, groups, smooth shading and names of materials of all parts. library: name of an .mtl
// file in the same folder. Numbers are those of float32.
void write_obj_frame(const std::string& path, const SurfaceFrame& frame, const std::string& library);

// Colours, roughness, metalness, opacity and textures of all materials. Copies of images go into the same folder.
void write_mtl(const std::string& path, const SurfaceParts& parts);

// One part alone, at positions 3 x vertices [m].
void write_part_obj(const std::string& path, const SurfaceParts& parts, std::size_t part, const Eigen::Matrix3Xf& x,
                    const std::string& library);

// Little-endian. Vertices have x y z nx ny nz (float), body_id (int) and fields (float), faces have vertex_indices.
void write_ply_frame(const std::string& path, const SurfaceFrame& frame);

}  // namespace sinew

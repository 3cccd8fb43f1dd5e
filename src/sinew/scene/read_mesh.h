// Reads the key `mesh` of bodies and obstacles: a file, a primitive, a shape of the gallery, or arrays.
#pragma once

#include <filesystem>

#include "sinew/formats/read.h"
#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/render_surface.h"
#include "sinew/scene/node.h"
#include "sinew/scene/shape_mesh.h"

namespace sinew {

// Returns a validated mesh, before the transform. Throws InputError naming the key and what the reader found.
TetMesh read_body_mesh(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes,
                       MidNodes mid_nodes = MidNodes::dropped);

// As read_body_mesh(), for a body of springs: a sheet, or a file or
// arrays with triangles but no tets, becomes a cloth.
TetMesh read_surface_or_tets(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

// Returns a validated surface: that of a file, or the boundary of a primitive or shape.
TriMesh read_obstacle_mesh(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

// Returns a surface, with all other statements if it comes from an .obj file.
RenderSurface read_render_surface(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

}  // namespace sinew

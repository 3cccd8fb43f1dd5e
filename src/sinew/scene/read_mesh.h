// The `mesh` key of bodies and obstacles: a file, a primitive or a shape of the gallery.
#pragma once

#include <filesystem>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/render_surface.h"
#include "sinew/scene/node.h"
#include "sinew/scene/shape_mesh.h"

namespace sinew {

// A validated mesh, before the transform. Throws InputError naming the key and what the reader found.
TetMesh read_body_mesh(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

// Reads the mesh of a body of springs: triangles of a sheet or of a file without tets are a cloth.
TetMesh read_surface_or_tets(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

// A validated surface: of a file, or the boundary of a primitive or shape.
TriMesh read_obstacle_mesh(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

// Reads a surface with all other statements of an .obj file.
RenderSurface read_render_surface(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes);

}  // namespace sinew

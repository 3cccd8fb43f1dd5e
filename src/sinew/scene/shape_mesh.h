// The `shape` key of meshes: shapes of the gallery, made by sinew-mesh where the cache does not have them.
#pragma once

#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/mesh_cache.h"
#include "sinew/scene/node.h"
#include "sinew/scene/reading_hooks.h"

namespace sinew {

// A shape of a scene and the file with its mesh.
struct ShapeFile {
  std::string place;  // "bodies[0].mesh"
  std::string shape, size;
  std::string file;                             // that stays; empty: it was not kept
  Index vertices = 0, tets = 0, triangles = 0;  // tets of bodies, triangles of obstacles
};

class ShapeMesher {
 public:
  // default_size: of shapes that state none.
  ShapeMesher(const Node& default_size, ReadingHooks hooks);

  // The mesh of {"shape": ...}. Throws InputError that names the place in the scene: no sinew-mesh, or what it said;
  // SimulationError likewise, and Interrupted.
  TetMesh tets(const Node& mesh);
  TriMesh surface(const Node& mesh);

  const std::vector<ShapeFile>& files() const { return files_; }

 private:
  std::string file_of(const Node& mesh);
  void make(const Node& mesh, const std::vector<std::string>& request, const std::string& path);

  std::string default_size_;
  ReadingHooks hooks_;
  MeshCache cache_;
  std::string program_, program_hash_;  // empty before they are asked for
  std::vector<ShapeFile> files_;
};

}  // namespace sinew

// Meshes for the key `shape`: shapes of the gallery, made by sinew-mesh unless the cache has them.
#pragma once

#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/mesh_cache.h"
#include "sinew/scene/node.h"
#include "sinew/scene/reading_hooks.h"

namespace sinew {

// A shape of a scene, and the file with its mesh.
struct ShapeFile {
  std::string place;  // place in the scene, such as "bodies[0].mesh"
  std::string shape, size;
  std::string file;                             // path of the kept file; empty: not kept
  Index vertices = 0, tets = 0, triangles = 0;  // tets of bodies, triangles of obstacles
};

class ShapeMesher {
 public:
  // default_size: for shapes that give no size.
  ShapeMesher(const Node& default_size, ReadingHooks hooks);

  // Returns the mesh of {"shape": ...}. Throws InputError or SimulationError naming the place in the scene, if there is
  // no sinew-mesh or sinew-mesh reports an error. Throws Interrupted if asked to end.
  TetMesh tets(const Node& mesh);
  TriMesh surface(const Node& mesh);

  const std::vector<ShapeFile>& files() const { return files_; }

 private:
  std::string file_of(const Node& mesh);
  void make(const Node& mesh, const std::vector<std::string>& request, const std::string& path);

  std::string default_size_;
  ReadingHooks hooks_;
  MeshCache cache_;
  std::string program_, program_hash_;  // empty before first use
  std::vector<ShapeFile> files_;
};

}  // namespace sinew

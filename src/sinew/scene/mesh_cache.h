// Mesh files kept between runs, each with a record of its bytes, which reveals truncated or changed files.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace sinew {

class MeshCache {
 public:
  // Without a folder, or where it cannot be written, meshes live as long as this object.
  explicit MeshCache(std::string folder) : folder_(std::move(folder)) {}
  ~MeshCache();
  MeshCache(const MeshCache&) = delete;
  MeshCache& operator=(const MeshCache&) = delete;

  // The path of a mesh that was stored under this name. Warns of a damaged one, which counts as absent.
  std::optional<std::string> find(const std::string& name) const;

  // Lets `make` write a mesh to the path that it is given and keeps it under `name`. Returns its final path. Two
  // processes may store the same name at once; both get a whole mesh.
  std::string store(const std::string& name, const std::function<void(const std::string& path)>& make);

  bool temporary() const { return !temporary_folder_.empty(); }

 private:
  std::string writable_folder();

  std::string folder_;
  std::string temporary_folder_;  // in its place; empty: none
};

}  // namespace sinew

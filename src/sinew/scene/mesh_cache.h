// Keeps mesh files between runs, each with a record of its bytes, so that truncated or changed files are noticed.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace sinew {

class MeshCache {
 public:
  // If there is no folder, or it is not writable, meshes are kept only as long as this object.
  explicit MeshCache(std::string folder) : folder_(std::move(folder)) {}
  ~MeshCache();
  MeshCache(const MeshCache&) = delete;
  MeshCache& operator=(const MeshCache&) = delete;

  // Returns the path of a mesh that was stored under this name. Warns of a damaged file, which counts as absent.
  std::optional<std::string> find(const std::string& name) const;

  // Calls `make` to write a mesh to the path that it is given, and keeps the file under `name`. Returns its final path.
  // Two processes may store the same name at once; both get a complete mesh.
  std::string store(const std::string& name, const std::function<void(const std::string& path)>& make);

  bool temporary() const { return !temporary_folder_.empty(); }

 private:
  std::string writable_folder();

  std::string folder_;
  std::string temporary_folder_;  // replaces the folder; empty: not needed
};

}  // namespace sinew

// Shared by the mesh tests: temporary files, captured warnings and error texts, the outside test data.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/folder.h"
#include "support/paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::test {

// A folder that lives as long as the fixture; warnings go to `warnings`.
class MeshTest : public testing::Test {
 protected:
  MeshTest() {
    log::set_sink([this](log::Level level, std::string_view text) {
      if (level == log::Level::warning) warnings.emplace_back(text);
    });
  }
  ~MeshTest() override { log::set_sink({}); }

  // Writes a file and returns its path.
  std::string file(const std::string& name, std::string_view bytes) { return folder_.write(name, std::string(bytes)); }
  std::string path(const std::string& name) const { return (folder_.path / name).string(); }

  std::vector<std::string> warnings;

 private:
  Folder folder_;
};

// The text of the InputError that f throws, with every occurrence of `path` replaced by FILE; empty when it throws
// none.
template <class F>
std::string error_of(F&& f, const std::string& path = "") {
  try {
    f();
  } catch (const InputError& error) {
    std::string text = error.what();
    for (std::size_t at = path.empty() ? std::string::npos : text.find(path); at != std::string::npos;
         at = text.find(path)) {
      text.replace(at, path.size(), "FILE");
    }
    return text;
  }
  return "";
}

inline std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Values as they stand in a binary file, in little- or big-endian order.
class BinaryText {
 public:
  explicit BinaryText(bool big) : big_(big) {}
  template <class T>
  BinaryText& add(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (big_) std::reverse(bytes, bytes + sizeof(T));
    text.append(bytes, sizeof(T));
    return *this;
  }
  BinaryText& words(std::string_view plain) {
    text.append(plain);
    return *this;
  }
  std::string text;

 private:
  bool big_;
};

// Two tets that share a face.
inline TetMesh two_tets() {
  TetMesh mesh;
  mesh.vertices.resize(3, 5);
  mesh.vertices.transpose() << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1;
  mesh.tets.resize(4, 2);
  mesh.tets.transpose() << 0, 1, 2, 3, 4, 2, 1, 3;
  mesh.regions = {0, 0};
  return mesh;
}

}  // namespace sinew::test

// The contents of a mesh file of any format, and the source of its bytes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// A material as a mesh file states it. It is reported, never used: a scene names its own.
struct FileMaterial {
  std::string name;
  std::string model;
  std::vector<double> parameters;   // in the order of the file
  std::vector<std::string> groups;  // to which the file assigns it
};

struct MeshFile {
  TetMesh volume;       // of a surface file: its vertices, without tets
  Triangles triangles;  // 3 x f vertex ids, all of the file; polygons are cut into fans
  std::vector<FileMaterial> materials;
  std::map<std::string, std::int64_t> higher_order;  // "second-order tets" -> how many were read by their corners only
  std::vector<Index> mid_nodes;  // vertices of those elements that are not their corners, but may be corners of others
};

// The bytes of a mesh file. Readers take everything from here, so they need no file system.
struct MeshSource {
  std::string_view bytes;  // must outlive the source
  std::string name;        // of the file, in errors and to tell .node from .ele
  // The bytes of another file that the format needs (the nodes of .ele, an include), by its path relative to this one's
  // folder. Empty if there is no such file.
  std::function<std::optional<std::string>(const std::string& relative_path)> other = [](const std::string&) {
    return std::nullopt;
  };
};

// Makes 3 x n points or k x m elements of consecutive coordinates or ids.
Points points_of(const std::vector<double>& coordinates);
Tets tets_of(const std::vector<Index>& corners);
Triangles triangles_of(const std::vector<Index>& corners);

// The groups of a dimension by id as files number them: element e has label labels[e]. Groups are ascending in id.
std::vector<ElementGroup> triangle_groups(const Triangles& triangles, const std::vector<int>& labels);
std::vector<ElementGroup> tet_groups(const std::vector<int>& labels);

// Appends the triangles of the polygon with `count` corners, as a fan around the first.
void append_fan(const Index* corners, std::size_t count, std::vector<Index>& triangles);

}  // namespace sinew

// The contents of a mesh file of any format, and the source of its bytes.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// A material as a mesh file gives it. It is only reported, because a scene defines its own materials.
struct FileMaterial {
  std::string name;
  std::string model;
  std::vector<double> parameters;    // in the order of the file
  std::vector<std::string> groups;   // groups to which the file assigns it
  std::vector<std::string> names{};  // of the parameters; empty: the numbers alone
  std::string scene{};               // the same material in a scene, as JSON; empty: sinew has no such model
};

// The corners of a tet of second order, then the nodes on its edges in the order of the file.
using SecondOrderTet = std::array<Index, 10>;

struct MeshFile {
  TetMesh volume;  // for a surface file only its vertices
  // 3 x f vertex ids, all triangles of the file; polygons are cut into fans.
  Triangles triangles;
  std::vector<FileMaterial> materials;
  // For example "second-order tets" -> number of elements of which only the corners were read.
  std::map<std::string, std::int64_t> higher_order;
  // Vertices between the corners of those elements; they may be corners of other elements.
  std::vector<Index> mid_nodes;
  std::vector<SecondOrderTet> second_order;
  // For example "*BOUNDARY" -> how often the file has it; these parts of the file were not read.
  std::map<std::string, std::int64_t> unread{};
  std::vector<std::string> notes{};  // what else a user must know, for warnings
};

// The bytes of a mesh file. Readers get all data from here, so they need no file system.
struct MeshSource {
  std::string_view bytes;  // must outlive the source
  std::string name;        // name of the file, for errors and to distinguish .node from .ele
  // Returns the bytes of another file that the format needs (the nodes of .ele, an include), by its path relative to
  // this file's folder. None if there is no such file.
  std::function<std::optional<std::string>(const std::string& relative_path)> other = [](const std::string&) {
    return std::nullopt;
  };
};

// Makes 3 x n points, or k x m elements, from consecutive coordinates or ids.
Points points_of(const std::vector<double>& coordinates);
Tets tets_of(const std::vector<Index>& corners);
Triangles triangles_of(const std::vector<Index>& corners);

// Returns the groups of a dimension, by ids as files number them, ascending. Element e has label labels[e].
std::vector<ElementGroup> triangle_groups(const Triangles& triangles, const std::vector<int>& labels);
std::vector<ElementGroup> tet_groups(const std::vector<int>& labels);

// Appends the triangles of a polygon with `count` corners, as a fan around the first corner.
void append_fan(const Index* corners, std::size_t count, std::vector<Index>& triangles);

}  // namespace sinew

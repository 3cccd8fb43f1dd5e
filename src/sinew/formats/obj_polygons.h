// The polygons of an .obj layout (formats/obj.h) with texture coordinates, groups and materials.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct ObjPolygons {
  std::vector<Index> sizes;    // by polygon: number of corners
  std::vector<Index> corners;  // vertices from 0 on, polygon after polygon
  // By corner, into `coordinates`. Empty: no corner has texture coordinates. Corners without some have (0, 0).
  std::vector<Index> texture;
  std::vector<std::array<float, 2>> coordinates;
  // By polygon, into the names; -1: none. A group is what "g" names; in files without "g", what "o" names.
  std::vector<Index> group, material;
  std::vector<std::string> groups, materials, libraries;
};

// Statements that the layout of a file of formats/obj.h cannot hold are ignored.
ObjPolygons obj_polygons(const std::string& layout);

}  // namespace sinew

// Gmsh's element types by number: dimension, nodes and corners.
#pragma once

#include <cstdint>

namespace sinew {

struct GmshElementType {
  int type;
  int dim;
  int nodes;
  int corners;       // of tets, triangles and quadrangles; 0 for shapes that are not read
  const char* name;  // plural
};

// The row of a type number, or nullptr when unknown.
const GmshElementType* gmsh_element_type(std::int64_t type);

}  // namespace sinew

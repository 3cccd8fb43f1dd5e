// The table of Gmsh's element types by number: dimension, nodes and corners.
#pragma once

#include <cstdint>

namespace sinew {

struct GmshElementType {
  int type;
  int dim;
  int nodes;
  int corners;       // for tets, triangles and quadrangles; 0: this shape is not read
  const char* name;  // in plural
};

// Returns the row of a type number, or nullptr if it is unknown.
const GmshElementType* gmsh_element_type(std::int64_t type);

}  // namespace sinew

// The table of Abaqus' and CalculiX' element types that are read.
#pragma once

#include <string_view>

namespace sinew {

struct AbaqusElementType {
  enum class Use { tet, surface, refused };

  std::string_view stem;  // letters may follow: C3D10M, S3R
  Use use;
  int corners, nodes;
};

// Returns the row of a type in upper case, or nullptr for types that are no part of a solid's mesh, such as beams.
const AbaqusElementType* abaqus_element_type(std::string_view type);

}  // namespace sinew

#include "sinew/formats/gmsh_elements.h"

namespace sinew {
namespace {

// Gmsh reference manual, list of element types; higher-order simplices list their corners first.
constexpr GmshElementType table[] = {
    {1, 1, 2, 0, "lines"},
    {2, 2, 3, 3, "triangles"},
    {3, 2, 4, 4, "quadrangles"},
    {4, 3, 4, 4, "tets"},
    {5, 3, 8, 0, "hexahedra"},
    {6, 3, 6, 0, "prisms"},
    {7, 3, 5, 0, "pyramids"},
    {8, 1, 3, 0, "second-order lines"},
    {9, 2, 6, 3, "second-order triangles"},
    {10, 2, 9, 4, "second-order quadrangles"},
    {11, 3, 10, 4, "second-order tets"},
    {12, 3, 27, 0, "second-order hexahedra"},
    {13, 3, 18, 0, "second-order prisms"},
    {14, 3, 14, 0, "second-order pyramids"},
    {15, 0, 1, 0, "points"},
    {16, 2, 8, 4, "second-order quadrangles"},
    {17, 3, 20, 0, "second-order hexahedra"},
    {18, 3, 15, 0, "second-order prisms"},
    {19, 3, 13, 0, "second-order pyramids"},
    {20, 2, 9, 3, "third-order triangles"},
    {21, 2, 10, 3, "third-order triangles"},
    {22, 2, 12, 3, "fourth-order triangles"},
    {23, 2, 15, 3, "fourth-order triangles"},
    {24, 2, 15, 3, "fifth-order triangles"},
    {25, 2, 21, 3, "fifth-order triangles"},
    {26, 1, 4, 0, "third-order lines"},
    {27, 1, 5, 0, "fourth-order lines"},
    {28, 1, 6, 0, "fifth-order lines"},
    {29, 3, 20, 4, "third-order tets"},
    {30, 3, 35, 4, "fourth-order tets"},
    {31, 3, 56, 4, "fifth-order tets"},
    {92, 3, 64, 0, "third-order hexahedra"},
    {93, 3, 125, 0, "fourth-order hexahedra"},
};

}  // namespace

const GmshElementType* gmsh_element_type(std::int64_t type) {
  for (const GmshElementType& row : table) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

}  // namespace sinew

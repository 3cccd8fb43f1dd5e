// Tet meshes of simple shapes, centred at the origin, of well-shaped and nearly equal tets. Deterministic.
// All throw InputError naming the key and its value for lengths that are not positive and finite and for more than
// max_primitive_tets tets.
#pragma once

#include <array>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

enum class Axis { x, y, z };

inline constexpr double max_primitive_tets = 50e6;

// A ball of the given radius [m]; size: target edge length [m]. Twenty tets of the icosahedron, each cut into n^3, with
// the layers on spheres. Surface vertices lie on the sphere.
TetMesh make_sphere(double radius, double size);

// A box of the given extents [m] with exactly cells[0] x cells[1] x cells[2] cells of five tets (one regular in a
// cube), mirrored from cell to cell.
TetMesh make_box(const Vec3& size, const std::array<Index, 3>& cells);

// A box with the number of cells that brings their edges closest to `edge` [m].
TetMesh make_box(const Vec3& size, double edge);

// A solid cylinder [m] around `axis`: rings of triangles with edges near `size`, extruded in layers of that height.
// Vertices of the side lie on the cylinder.
TetMesh make_cylinder(double radius, double height, double size, Axis axis = Axis::y);

// A solid torus around `axis`: radius of the centre line and of the tube [m]. Surface vertices lie on the torus.
TetMesh make_torus(double radius, double tube, double size, Axis axis = Axis::y);

// A flat rectangle of size[0] x size[1] [m] across `normal`, of cells[0] x cells[1] cells of two triangles whose
// diagonals alternate, so that neither diagonal direction is the stiffer one. Its sides lie along the other two axes,
// in alphabetical order; triangles are counter-clockwise where the normal points at the viewer. Vertices run along the
// first side, row by row.
TriMesh make_sheet(const std::array<double, 2>& size, const std::array<Index, 2>& cells, Axis normal = Axis::y);

// A sheet with the number of cells that brings their edges closest to `edge` [m].
TriMesh make_sheet(const std::array<double, 2>& size, double edge, Axis normal = Axis::y);

}  // namespace sinew

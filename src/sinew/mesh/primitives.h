// Makes tet meshes of simple shapes, centred at the origin, of well-shaped tets of nearly equal size. Deterministic.
// All functions throw InputError naming the key and its value if a length is not positive and finite, or if the mesh
// would have more than max_primitive_tets tets.
#pragma once

#include <array>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

enum class Axis { x, y, z };

inline constexpr double max_primitive_tets = 50e6;

// A ball of the given radius [m] with target edge length `size` [m]. The twenty tets of an icosahedron are each divided
// into n^3, with the layers on spheres. Surface vertices lie on the sphere.
TetMesh make_sphere(double radius, double size);

// A box of the given extents [m] with exactly cells[0] x cells[1] x cells[2] cells of five tets (one is regular in a
// cube). Neighbouring cells are mirrored.
TetMesh make_box(const Vec3& size, const std::array<Index, 3>& cells);

// As above, with the number of cells that brings their edges closest to `edge` [m].
TetMesh make_box(const Vec3& size, double edge);

// A solid cylinder around `axis` with the given radius and height [m]: rings of triangles with edges near `size`,
// extruded in layers of that height. Vertices of the side lie on the cylinder.
TetMesh make_cylinder(double radius, double height, double size, Axis axis = Axis::y);

// A solid torus around `axis`. radius: of the centre line [m]. tube: radius of the tube [m]. Surface vertices lie on
// the torus.
TetMesh make_torus(double radius, double tube, double size, Axis axis = Axis::y);

// A flat rectangle of size[0] x size[1] [m], normal to `normal`, with cells[0] x cells[1] cells of two triangles.
// Diagonals alternate, so that neither diagonal direction is stiffer. Its sides lie along the other two axes, in
// alphabetical order. Triangles are counter-clockwise seen from the tip of the normal. Vertices are numbered along the
// first side, row by row.
TriMesh make_sheet(const std::array<double, 2>& size, const std::array<Index, 2>& cells, Axis normal = Axis::y);

// As above, with the number of cells that brings their edges closest to `edge` [m].
TriMesh make_sheet(const std::array<double, 2>& size, double edge, Axis normal = Axis::y);

}  // namespace sinew

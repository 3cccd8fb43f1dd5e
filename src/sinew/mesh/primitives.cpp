#include "sinew/mesh/primitives.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

void check_length(const char* shape, const char* key, double value) {
  if (value > 0 && std::isfinite(value)) return;
  fail_input(code::scene_value, "{}: found {} {}, expected a positive number [m]", shape, key, value);
}

void check_count(const char* shape, const char* key, const std::string& value, double tets) {
  if (tets <= max_primitive_tets) return;
  fail_input(code::mesh_size,
             "{}: {} {} would make {:.3g} tets, more than the {:.0f} allowed; make the elements larger", shape, key,
             value, tets, max_primitive_tets);
}

// Intervals of about `size` in `length`, at least `least`. As a double: it may be too large for an integer.
double intervals(double length, double size, double least = 1) {
  return std::max(least, std::round(length / size));
}

class TetList {
 public:
  TetList(const Points& vertices, double count) : vertices_(vertices), tets_(4, static_cast<Eigen::Index>(count)) {}

  // Adds a tet in the order of positive volume.
  void add(Index a, Index b, Index c, Index d) {
    tets_.col(used_) << a, b, c, d;
    if (tet_volume(vertices_, tets_, used_) < 0) std::swap(tets_(2, used_), tets_(3, used_));
    ++used_;
  }
  TetMesh mesh() && {
    TetMesh mesh;
    mesh.vertices = vertices_;
    mesh.regions.assign(used_, 0);
    mesh.tets = std::move(tets_);
    return mesh;
  }

 private:
  const Points& vertices_;
  Tets tets_;
  Eigen::Index used_ = 0;
};

// ----------------------------------------------------------------------------------------------------------------
// sphere

// The icosahedron cut into layers: layer k (1..n) carries the vertices of the icosahedron's faces cut k times.
class LayeredIcosahedron {
 public:
  explicit LayeredIcosahedron(Index layers) : layers_(layers) {
    make_corners();
    make_faces();
    for (Index k = 1; k <= layers; ++k) offset_.push_back(offset_.back() + 10 * (k - 1) * (k - 1) + (k > 1 ? 2 : 1));
  }

  Index vertex_count() const { return offset_[layers_] + 10 * layers_ * layers_ + 2; }

  // The vertex of layer k in face f with weights i + j + l = k on the face's corners. Shared between faces.
  Index id(Index k, int f, Index i, Index j, Index l) const {
    if (k == 0) return 0;
    const Index weight[3] = {i, j, l};
    const auto& corner = faces_[f];
    for (int c = 0; c < 3; ++c) {
      if (weight[c] == k) return offset_[k] + corner[c];
    }
    for (int c = 0; c < 3; ++c) {
      if (weight[c] != 0) continue;
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      const Index along = corner[a] < corner[b] ? weight[b] : weight[a];  // from the corner of smaller id
      return offset_[k] + 12 + face_edges_[f][c] * (k - 1) + along - 1;
    }
    const Index row = (i - 1) * (2 * k - i - 2) / 2;  // interior points with first weight 1 .. i-1
    return offset_[k] + 12 + 30 * (k - 1) + f * ((k - 1) * (k - 2) / 2) + row + j - 1;
  }

  // Unit direction: weights interpolated by sines, which spaces the points evenly along the faces' edges.
  Vec3 direction(int f, Index k, Index i, Index j, Index l) const {
    const double angle = std::atan(2.0);  // between neighbouring corners
    const auto part = [&](Index w) { return std::sin(angle * w / k); };
    const auto& corner = faces_[f];
    return (part(i) * corners_[corner[0]] + part(j) * corners_[corner[1]] + part(l) * corners_[corner[2]]).normalized();
  }

 private:
  void make_corners() {
    const double golden = std::numbers::phi;
    for (const double s : {-1.0, 1.0}) {
      for (const double g : {-golden, golden}) {
        corners_.insert(corners_.end(), {Vec3(0, s, g), Vec3(s, g, 0), Vec3(g, 0, s)});
      }
    }
    for (Vec3& corner : corners_) corner.normalize();
  }

  void make_faces() {
    std::vector<std::array<Index, 2>> edges;
    const auto adjacent = [&](Index a, Index b) { return (corners_[a] - corners_[b]).norm() < 1.2; };  // 1.05, else 1.7
    for (Index a = 0; a < 12; ++a) {
      for (Index b = a + 1; b < 12; ++b) {
        if (!adjacent(a, b)) continue;
        edges.push_back({a, b});
        for (Index c = b + 1; c < 12; ++c) {
          if (adjacent(a, c) && adjacent(b, c)) faces_.push_back({a, b, c});
        }
      }
    }
    const auto edge = [&](Index a, Index b) {
      return static_cast<Index>(std::find(edges.begin(), edges.end(), std::array{a, b}) - edges.begin());
    };
    for (const auto& [a, b, c] : faces_) face_edges_.push_back({edge(b, c), edge(a, c), edge(a, b)});
  }

  Index layers_;
  std::vector<Vec3> corners_;
  std::vector<std::array<Index, 3>> faces_;       // ascending corners
  std::vector<std::array<Index, 3>> face_edges_;  // the edge opposite to each corner
  std::vector<Index> offset_ = {0};               // first vertex of each layer
};

// Cuts an octahedron (pairs of opposite vertices) into four tets around its shortest diagonal.
void add_octahedron(TetList& list, const Points& x, const std::array<std::array<Index, 2>, 3>& pairs) {
  int axis = 0;
  double best = 0;
  for (int p = 0; p < 3; ++p) {
    const double length = (x.col(pairs[p][0]) - x.col(pairs[p][1])).squaredNorm();
    // Equal up to rounding counts as equal, so that the choice does not hang on the last bit.
    if (p == 0 || length < best * (1 - 1e-9)) {
      best = length;
      axis = p;
    }
  }
  const auto& [a, b] = pairs[axis];
  const auto &u = pairs[(axis + 1) % 3], &v = pairs[(axis + 2) % 3];
  const Index ring[4] = {u[0], v[0], u[1], v[1]};
  for (int k = 0; k < 4; ++k) list.add(a, b, ring[k], ring[(k + 1) % 4]);
}

// The n^3 tets of one face's pyramid: between the layers k and k + 1 lie tets that point inwards, octahedra, and tets
// that point outwards.
void add_pyramid(TetList& list, const Points& x, const LayeredIcosahedron& grid, int f, Index layers) {
  for (Index k = 0; k < layers; ++k) {
    for (Index i = 0; i <= k; ++i) {
      for (Index j = 0; i + j <= k; ++j) {
        const Index l = k - i - j;
        const auto in = [&](Index a, Index b, Index c) { return grid.id(k, f, a, b, c); };
        const auto out = [&](Index a, Index b, Index c) { return grid.id(k + 1, f, a, b, c); };
        list.add(in(i, j, l), out(i + 1, j, l), out(i, j + 1, l), out(i, j, l + 1));
        if (l < 1) continue;
        add_octahedron(list, x,
                       {{{in(i + 1, j, l - 1), out(i, j + 1, l)},
                         {in(i, j + 1, l - 1), out(i + 1, j, l)},
                         {in(i, j, l), out(i + 1, j + 1, l - 1)}}});
        if (l < 2) continue;
        list.add(in(i + 1, j + 1, l - 2), in(i + 1, j, l - 1), in(i, j + 1, l - 1), out(i + 1, j + 1, l - 1));
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------------- disc,
// extrusions

// The unit disc as a hexagonal patch of the triangular lattice: ring k has 6 k vertices. Each triangle lists its
// vertices by their colour in the lattice's 3-colouring, which fixes how prisms over it are cut, the same for both
// neighbours.
struct Disc {
  Eigen::Matrix2Xd points;
  Triangles triangles;
};

Disc make_disc(Index rings) {
  Disc disc;
  disc.points.resize(2, 1 + 3 * rings * (rings + 1));
  disc.triangles.resize(3, 6 * rings * rings);
  std::vector<int> colour(disc.points.cols(), 0);
  const auto id = [](Index ring, Index at) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + at % (6 * ring); };
  disc.points.col(0).setZero();
  for (Index k = 1; k <= rings; ++k) {
    for (Index at = 0; at < 6 * k; ++at) {
      const double angle = 2 * pi * at / (6 * k);
      disc.points.col(id(k, at)) = double(k) / rings * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      const Index sector = at / k, step = at % k;
      colour[id(k, at)] = ((k - step) * (sector % 2 ? 2 : 1) + step * (sector % 2 ? 1 : 2)) % 3;
    }
  }
  Index count = 0;
  const auto add = [&](std::array<Index, 3> corner) {
    std::sort(corner.begin(), corner.end(), [&](Index a, Index b) { return colour[a] < colour[b]; });
    disc.triangles.col(count++) << corner[0], corner[1], corner[2];
  };
  for (Index k = 1; k <= rings; ++k) {
    for (Index sector = 0; sector < 6; ++sector) {
      for (Index step = 0; step < k; ++step) {
        const Index outer = sector * k + step, inner = sector * (k - 1) + step;
        add({id(k, outer), id(k, outer + 1), id(k - 1, inner)});
        if (step > 0) add({id(k - 1, inner - 1), id(k - 1, inner), id(k, outer)});
      }
    }
  }
  return disc;
}

// Prisms between copies of the disc. place(point, layer) gives positions; a periodic extrusion joins the last layer to
// the first. Layers are cut alternately so that neither direction along the axis is preferred.
template <class Place>
TetMesh extrude(const Disc& disc, Index layers, bool periodic, Place&& place) {
  const auto size = static_cast<Index>(disc.points.cols());
  const Index copies = periodic ? layers : layers + 1;
  Points x(3, static_cast<Eigen::Index>(size) * copies);
  for (Index layer = 0; layer < copies; ++layer) {
    for (Index v = 0; v < size; ++v)
      x.col(static_cast<Eigen::Index>(layer) * size + v) = place(disc.points.col(v), layer);
  }
  TetList list(x, 3.0 * layers * disc.triangles.cols());
  for (Index layer = 0; layer < layers; ++layer) {
    Index low = layer * size, high = (layer + 1) % copies * size;
    if (layer % 2) std::swap(low, high);
    for (Eigen::Index f = 0; f < disc.triangles.cols(); ++f) {
      const auto t = disc.triangles.col(f);
      list.add(low + t[0], low + t[1], low + t[2], high + t[2]);
      list.add(low + t[0], low + t[1], high + t[1], high + t[2]);
      list.add(low + t[0], high + t[0], high + t[1], high + t[2]);
    }
  }
  return std::move(list).mesh();
}

// Local coordinates (u, v across, w along the axis) to world coordinates; a cyclic exchange keeps the handedness.
Vec3 along(Axis axis, double u, double v, double w) {
  switch (axis) {
    case Axis::x:
      return {w, u, v};
    case Axis::y:
      return {v, w, u};
    case Axis::z:
      break;
  }
  return {u, v, w};
}

}  // namespace

TetMesh make_sphere(double radius, double size) {
  check_length("sphere", "radius", radius);
  check_length("sphere", "size", size);
  // Edges between the layers, in them and across the octahedra are 1.28 r/n long on average.
  const double layers = intervals(1.25 * radius, size);
  check_count("sphere", "size", fmt::format("{}", size), 20 * layers * layers * layers);
  const auto n = static_cast<Index>(layers);
  const LayeredIcosahedron grid(n);
  Points x(3, grid.vertex_count());
  x.col(0).setZero();
  for (Index k = 1; k <= n; ++k) {
    const double r = radius * (static_cast<double>(k) / n);
    for (int f = 0; f < 20; ++f) {
      for (Index i = 0; i <= k; ++i) {
        for (Index j = 0; i + j <= k; ++j)
          x.col(grid.id(k, f, i, j, k - i - j)) = r * grid.direction(f, k, i, j, k - i - j);
      }
    }
  }
  TetList list(x, 20 * layers * layers * layers);
  for (int f = 0; f < 20; ++f) add_pyramid(list, x, grid, f, n);
  return std::move(list).mesh();
}

TetMesh make_box(const Vec3& size, const std::array<Index, 3>& cells) {
  double tets = 5;
  for (int k = 0; k < 3; ++k) {
    check_length("box", "size", size[k]);
    if (cells[k] < 1)
      fail_input(code::scene_value, "box: found cells {}, expected three integers of 1 or more", cells[k]);
    tets *= cells[k];
  }
  check_count("box", "cells", fmt::format("[{}, {}, {}]", cells[0], cells[1], cells[2]), tets);
  const Index nx = cells[0], ny = cells[1], nz = cells[2];
  const auto id = [&](Index i, Index j, Index k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  Points x(3, Eigen::Index{nx + 1} * (ny + 1) * (nz + 1));
  // Measured from the centre, so that opposite sides mirror each other to the last bit.
  const auto place = [&](int axis, Index at) { return size[axis] * (2.0 * at - cells[axis]) / (2.0 * cells[axis]); };
  for (Index k = 0; k <= nz; ++k) {
    for (Index j = 0; j <= ny; ++j) {
      for (Index i = 0; i <= nx; ++i) x.col(id(i, j, k)) << place(0, i), place(1, j), place(2, k);
    }
  }
  TetList list(x, tets);
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) {
        // The inner tet takes the corners whose indices have an even sum, in every cell: faces then agree.
        const int odd = (i + j + k) % 2;
        const auto corner = [&](int a, int b, int c) { return id(i + (a ^ odd), j + b, k + c); };
        const Index e[4] = {corner(0, 0, 0), corner(1, 1, 0), corner(1, 0, 1), corner(0, 1, 1)};
        list.add(e[0], e[1], e[2], e[3]);
        list.add(corner(1, 0, 0), e[0], e[1], e[2]);
        list.add(corner(0, 1, 0), e[0], e[1], e[3]);
        list.add(corner(0, 0, 1), e[0], e[2], e[3]);
        list.add(corner(1, 1, 1), e[1], e[2], e[3]);
      }
    }
  }
  return std::move(list).mesh();
}

TetMesh make_box(const Vec3& size, double edge) {
  check_length("box", "edge", edge);
  double cells[3], tets = 5;
  for (int k = 0; k < 3; ++k) {
    check_length("box", "size", size[k]);
    cells[k] = intervals(size[k], edge);
    tets *= cells[k];
  }
  check_count("box", "edge", fmt::format("{}", edge), tets);
  return make_box(size, {static_cast<Index>(cells[0]), static_cast<Index>(cells[1]), static_cast<Index>(cells[2])});
}

TetMesh make_cylinder(double radius, double height, double size, Axis axis) {
  check_length("cylinder", "radius", radius);
  check_length("cylinder", "height", height);
  check_length("cylinder", "size", size);
  const double rings = intervals(radius, size), layers = intervals(height, size);
  check_count("cylinder", "size", fmt::format("{}", size), 18 * rings * rings * layers);
  const auto n = static_cast<Index>(layers);
  return extrude(make_disc(static_cast<Index>(rings)), n, false, [&](const Eigen::Vector2d& p, Index layer) {
    return along(axis, radius * p[0], radius * p[1], height * (2.0 * layer - n) / (2.0 * n));
  });
}

TetMesh make_torus(double radius, double tube, double size, Axis axis) {
  check_length("torus", "radius", radius);
  check_length("torus", "tube", tube);
  check_length("torus", "size", size);
  if (tube >= radius)
    fail_input(code::scene_value,
               "torus: found tube {}, expected less than the radius {}, so that the torus does not intersect itself",
               tube, radius);
  const double rings = intervals(tube, size),
               layers = 2 * intervals(pi * radius, size, 2);  // even, for the alternate cuts
  check_count("torus", "size", fmt::format("{}", size), 18 * rings * rings * layers);
  const auto n = static_cast<Index>(layers);
  return extrude(make_disc(static_cast<Index>(rings)), n, true, [&](const Eigen::Vector2d& p, Index layer) {
    const double angle = 2 * pi * layer / n, distance = radius + tube * p[0];
    return along(axis, distance * std::cos(angle), distance * std::sin(angle), tube * p[1]);
  });
}

TriMesh make_sheet(const std::array<double, 2>& size, const std::array<Index, 2>& cells, Axis normal) {
  double triangles = 2;
  for (int k = 0; k < 2; ++k) {
    check_length("sheet", "size", size[k]);
    if (cells[k] < 1)
      fail_input(code::scene_value, "sheet: found cells {}, expected two integers of 1 or more", cells[k]);
    triangles *= cells[k];
  }
  if (triangles > max_primitive_tets) {
    fail_input(
        code::mesh_size,
        "sheet: cells [{}, {}] would make {:.3g} triangles, more than the {:.0f} allowed; make the elements larger",
        cells[0], cells[1], triangles, max_primitive_tets);
  }
  const int across = static_cast<int>(normal), first = across == 0 ? 1 : 0, second = across == 2 ? 1 : 2;
  const bool mirrored = normal == Axis::y;  // x, y, z in cyclic order, but x, z about y
  const Index rows = cells[1] + 1, columns = cells[0] + 1;
  const auto place = [&](int k, Index at) { return size[k] * (2.0 * at - cells[k]) / (2.0 * cells[k]); };
  TriMesh mesh;
  mesh.vertices.setZero(3, Eigen::Index{rows} * columns);
  for (Index j = 0; j < rows; ++j) {
    for (Index i = 0; i < columns; ++i) {
      mesh.vertices(first, i + columns * j) = place(0, i);
      mesh.vertices(second, i + columns * j) = place(1, j);
    }
  }
  mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles));
  Eigen::Index next = 0;
  for (Index j = 0; j < cells[1]; ++j) {
    for (Index i = 0; i < cells[0]; ++i) {
      const Index a = i + columns * j, b = a + 1, c = b + columns, d = a + columns;
      const bool rising = (i + j) % 2 == 0;  // the diagonal from a to c
      mesh.triangles.col(next++) << a, b, rising ? c : d;
      mesh.triangles.col(next++) << (rising ? a : b), c, d;
    }
  }
  if (mirrored) mesh.triangles.row(1).swap(mesh.triangles.row(2));
  return mesh;
}

TriMesh make_sheet(const std::array<double, 2>& size, double edge, Axis normal) {
  check_length("sheet", "edge", edge);
  std::array<Index, 2> cells{};
  double triangles = 2;
  for (int k = 0; k < 2; ++k) {
    check_length("sheet", "size", size[k]);
    triangles *= intervals(size[k], edge);
  }
  if (triangles > max_primitive_tets) {
    fail_input(code::mesh_size,
               "sheet: edge {} would make {:.3g} triangles, more than the {:.0f} allowed; make the elements larger",
               edge, triangles, max_primitive_tets);
  }
  for (int k = 0; k < 2; ++k) cells[k] = static_cast<Index>(intervals(size[k], edge));
  return make_sheet(size, cells, normal);
}

}  // namespace sinew

// Meshes of simple shapes.
#include "sinew/mesh/primitives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "module.h"
#include "py_mesh.h"
#include "warnings.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/mesh/heightfield.h"

namespace sinew::python {
namespace {

Axis axis_of(const std::string& name, const char* function) {
  if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z') return static_cast<Axis>(name[0] - 'x');
  fail_input(code::argument, "{}: axis: found \"{}\", expected \"x\", \"y\" or \"z\"", function, name);
}

template <std::size_t N>
std::array<double, N> extents(const py::object& value, const char* what) {
  const DoubleArray array = real_array(value, what);
  if (array.ndim() != 1 || array.size() != N)
    fail_input(code::argument, "{}: found an array of shape {}, expected ({},)", what, shape_text(array), N);
  std::array<double, N> result;
  std::copy_n(array.data(), N, result.begin());
  for (const double length : result)
    if (!(length > 0) || !std::isfinite(length))
      fail_input(code::argument, "{}: found {:g}, expected positive numbers [m]", what, length);
  return result;
}

// The edge length that a user gave.
void require_positive(const std::optional<double>& edge, const char* function) {
  if (edge && (!(*edge > 0) || !std::isfinite(*edge)))
    fail_input(code::argument, "{}: edge: found {:g}, expected a positive number [m]", function, *edge);
}

template <std::size_t N>
std::array<Index, N> counts(const py::object& value, const std::string& what) {
  const IndexArray array = index_array(value, what + ": found numbers");
  if (array.ndim() != 1 || array.size() != N)
    fail_input(code::argument, "{}: found an array of shape {}, expected ({},)", what, shape_text(array), N);
  const std::vector<Index> ids = ids_of(array, what + ": found {}");
  std::array<Index, N> result;
  std::copy_n(ids.begin(), N, result.begin());
  return result;
}

void require_one(const py::object& cells, const std::optional<double>& edge, const char* function) {
  if (!cells.is_none() && edge)
    fail_input(code::argument, "{}: found both cells and edge, expected at most one of them", function);
  require_positive(edge, function);
}

TetMesh box(const py::object& size, const py::object& cells, std::optional<double> edge) {
  const auto extent = extents<3>(size, "box: size");
  require_one(cells, edge, "box");
  const Vec3 lengths(extent[0], extent[1], extent[2]);
  if (cells.is_none()) return call_engine([&] { return make_box(lengths, edge.value_or(lengths.minCoeff() / 4)); });
  const auto count = counts<3>(cells, "box: cells");
  return call_engine([&] { return make_box(lengths, count); });
}

TriMesh sheet(const py::object& size, const py::object& cells, std::optional<double> edge, const std::string& axis) {
  const auto extent = extents<2>(size, "sheet: size");
  require_one(cells, edge, "sheet");
  const Axis normal = axis_of(axis, "sheet");
  if (cells.is_none()) {
    const double length = edge.value_or(std::min(extent[0], extent[1]) / 20);
    return call_engine([&] { return make_sheet(extent, length, normal); });
  }
  const auto count = counts<2>(cells, "sheet: cells");
  return call_engine([&] { return make_sheet(extent, count, normal); });
}

TetMesh sphere(double radius, std::optional<double> edge) {
  require_positive(edge, "sphere");
  return call_engine([&] { return make_sphere(radius, edge.value_or(radius / 5)); });
}

TetMesh cylinder(double radius, double height, std::optional<double> edge, const std::string& axis) {
  const Axis along = axis_of(axis, "cylinder");
  require_positive(edge, "cylinder");
  return call_engine([&] { return make_cylinder(radius, height, edge.value_or(std::min(radius, height) / 4), along); });
}

TetMesh torus(double radius, double tube, std::optional<double> edge, const std::string& axis) {
  const Axis around = axis_of(axis, "torus");
  require_positive(edge, "torus");
  return call_engine([&] { return make_torus(radius, tube, edge.value_or(tube / 2), around); });
}

TriMesh heightfield(const py::object& heights, const py::object& size, const std::string& axis) {
  const DoubleArray array = real_array(heights, "heightfield: heights");
  if (array.ndim() != 2)
    fail_input(code::argument, "heightfield: heights: found an array of shape {}, expected (rows, columns)",
               shape_text(array));
  const auto extent = extents<2>(size, "heightfield: size");
  const Axis up = axis_of(axis, "heightfield");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const MatX grid = Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
  if (!grid.allFinite())
    fail_input(code::argument, "heightfield: heights: found a number that is not finite, expected heights [m]");
  return call_engine([&] { return make_heightfield(grid, extent, up); });
}

}  // namespace

void add_primitives(py::module_& m) {
  m.def("box", &box, py::arg("size"), py::arg("cells") = py::none(), py::arg("edge") = py::none(),
        R"(Returns a box of extents size (3,) [m], centred at the origin, a TetMesh.

cells (3,) is the number of cells along each axis, each of five tets. Or give edge [m], the edge length of the cells;
default: a quarter of the shortest extent.)");
  m.def("sphere", &sphere, py::arg("radius"), py::arg("edge") = py::none(),
        R"(Returns a ball of a radius [m], centred at the origin, a TetMesh.

edge is the edge length of its tets [m]; default: a fifth of the radius.)");
  m.def("cylinder", &cylinder, py::arg("radius"), py::arg("height"), py::arg("edge") = py::none(),
        py::arg("axis") = "y",
        R"(Returns a solid cylinder of a radius and height [m] around "x", "y" or "z", centred at the origin, a TetMesh.

edge is the edge length of its tets [m]; default: a quarter of the smaller of radius and height.)");
  m.def("torus", &torus, py::arg("radius"), py::arg("tube"), py::arg("edge") = py::none(), py::arg("axis") = "y",
        R"(Returns a solid torus around "x", "y" or "z", centred at the origin, a TetMesh.

radius [m] is that of the centre line, tube [m] that of the tube. edge is the edge length of its tets [m]; default:
half the radius of the tube.)");
  m.def("sheet", &sheet, py::arg("size"), py::arg("cells") = py::none(), py::arg("edge") = py::none(),
        py::arg("axis") = "y",
        R"(Returns a flat rectangle with the normal "x", "y" or "z", centred at the origin, a TriMesh.

size (2,) [m] holds its extents along the other two axes, in alphabetical order. cells (2,) is the number of cells
along each side, each of two triangles. Or give edge [m], the edge length of the cells; default: a twentieth of the
shorter side.)");
  m.def("heightfield", &heightfield, py::arg("heights"), py::arg("size"), py::arg("axis") = "y",
        R"(Returns the surface of a terrain that rises along "x", "y" or "z", a TriMesh.

heights (rows, columns) [m] are those of a sheet() of extents size (2,) [m]. Columns count along the first side, rows
along the second. Vertices are numbered row by row.)");
}

}  // namespace sinew::python

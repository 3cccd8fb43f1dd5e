// TriMesh, read_surface() and tetrahedralize().
#include "sinew/mesh/surface.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "module.h"
#include "py_mesh.h"
#include "warnings.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/formats/read.h"
#include "sinew/mesh/validate.h"
#include "sinew/scene/surface_mesher.h"

namespace sinew::python {
namespace {

TriMesh make_surface(const py::object& vertices, const py::object& triangles) {
  TriMesh mesh;
  mesh.vertices = from_numpy(real_array(vertices, "TriMesh: vertices"), -1, "TriMesh: vertices");
  const IndexArray corners = index_array(triangles, "TriMesh: found triangles");
  if (corners.ndim() != 2 || corners.shape(1) != 3)
    fail_input(code::argument, "TriMesh: triangles: found an array of shape {}, expected (f, 3)", shape_text(corners));
  mesh.triangles =
      Eigen::Map<const Triangles>(ids_of(corners, "TriMesh: found {} in triangles").data(), 3, corners.shape(0));
  call_engine([&] { validate(mesh, "TriMesh"); });
  return mesh;
}

double area_of(const TriMesh& mesh) {
  double area = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    const Vec3 a = mesh.vertices.col(mesh.triangles(0, f));
    area +=
        0.5 * (mesh.vertices.col(mesh.triangles(1, f)) - a).cross(mesh.vertices.col(mesh.triangles(2, f)) - a).norm();
  }
  return area;
}

// The divergence theorem with x / 3, from a vertex for less rounding.
double enclosed_volume(const TriMesh& mesh) {
  if (!encloses_volume(mesh.triangles))
    fail_input(code::surface_open, "TriMesh: volume: found an open surface, expected a closed one");
  const Vec3 o = mesh.vertices.col(mesh.triangles(0, 0));
  double volume = 0;
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    const auto corner = [&](int k) -> Vec3 { return mesh.vertices.col(mesh.triangles(k, f)) - o; };
    volume += corner(0).dot(corner(1).cross(corner(2))) / 6;
  }
  return volume;
}

// Whether a signal handler of Python raised.
bool raised() {
  const py::gil_scoped_acquire acquire;
  return PyErr_CheckSignals() != 0;
}

std::optional<double> positive(const py::object& value, const char* name) {
  if (value.is_none()) return {};
  const DoubleArray number = real_array(value, fmt::format("tetrahedralize: {}", name));
  if (number.ndim() != 0 || !(*number.data() > 0))
    fail_input(code::argument, "tetrahedralize: {}: found {}, expected a positive number", name, text_of(value));
  return *number.data();
}

TetMesh tetrahedralize(const py::object& surface, const py::object& size, const py::object& distance,
                       std::optional<double> feature_angle, bool robust) {
  const py::object mesh = py::module_::import("sinew").attr("as_mesh")(surface);
  if (!py::isinstance<TriMesh>(mesh))
    fail_input(code::argument, "tetrahedralize: found {}, expected a surface, such as sinew.TriMesh", text_of(mesh));
  const TriMesh& triangles = mesh.cast<const TriMesh&>();
  const SurfaceMeshing options{positive(size, "size"), positive(distance, "distance"), feature_angle, robust};
  try {
    return call_engine([&] { return mesh_surface(triangles, options, "tetrahedralize", {&raised, {}}); });
  } catch (const Interrupted&) {
    if (PyErr_Occurred()) throw py::error_already_set();
    throw;
  }
}

}  // namespace

void add_surface(py::module_& m) {
  py::class_<TriMesh>(m, "TriMesh", "A surface of triangles. Its arrays are read-only copies.")
      .def(py::init(&make_surface), py::arg("vertices"), py::arg("triangles"),
           R"(Makes a surface from vertices (n, 3) [m] and triangles (f, 3), which hold vertex ids from 0 on.

Triangles are counterclockwise seen from outside. The surface is validated like a surface file. Raises InputError if
it is invalid.)")
      .def_property_readonly(
          "vertices", [](const TriMesh& mesh) { return read_only(to_numpy(mesh.vertices)); },
          "Positions of the vertices, (n, 3) float64 [m], read-only.")
      .def_property_readonly(
          "triangles",
          [](const TriMesh& mesh) {
            py::array_t<Index> array({static_cast<py::ssize_t>(mesh.triangles.cols()), py::ssize_t{3}});
            std::copy_n(mesh.triangles.data(), mesh.triangles.size(), array.mutable_data());
            return read_only(array);
          },
          "Vertex ids of the triangles, (f, 3) int32, read-only.")
      .def_property_readonly("area", &area_of, "Area of all triangles [m^2].")
      .def_property_readonly(
          "is_closed", [](const TriMesh& mesh) { return encloses_volume(mesh.triangles); },
          "Whether the triangles enclose a volume.")
      .def_property_readonly("volume", &enclosed_volume,
                             "Enclosed volume [m^3]. Raises InputError for an open surface.")
      .def_property_readonly(
          "bounds", [](const TriMesh& mesh) { return bounds_of(mesh.vertices); },
          "Smallest and largest coordinates of the vertices, (2, 3) float64 [m], read-only.")
      .def(py::pickle(
          [](const TriMesh& mesh) {
            py::array_t<Index> triangles({static_cast<py::ssize_t>(mesh.triangles.cols()), py::ssize_t{3}});
            std::copy_n(mesh.triangles.data(), mesh.triangles.size(), triangles.mutable_data());
            return py::make_tuple(to_numpy(mesh.vertices), triangles);
          },
          [](const py::tuple& parts) {
            if (parts.size() != 2)
              fail_input(code::argument, "TriMesh: found a pickle of {} parts, expected 2", parts.size());
            return make_surface(parts[0], parts[1]);
          }))
      .def("__repr__", [](const TriMesh& mesh) {
        return fmt::format("<sinew.TriMesh of {} vertices, {} triangles>", mesh.vertices.cols(), mesh.triangles.cols());
      });
  m.def(
      "read_surface",
      [](const py::object& file) {
        const std::string path = path_text(file, "read_surface");
        return call_engine([&] {
          TriMesh mesh = read_tri_mesh(path);
          validate(mesh, path);
          return mesh;
        });
      },
      py::arg("path"),
      "Reads and validates a surface, or the boundary of a volume mesh. Raises an InputError that names the file and "
      "the "
      "fault.");
  m.def("tetrahedralize", &tetrahedralize, py::arg("surface"), py::arg("size") = py::none(),
        py::arg("distance") = py::none(), py::arg("feature_angle") = py::none(), py::arg("robust") = false,
        R"(Fills a closed surface with tets by the program sinew-mesh, and returns a TetMesh.

surface is a TriMesh, or a surface of trimesh or meshio.

- size: edge length [m]; default: 1/40 of the diagonal of the bounding box, less for thin bodies
- distance: largest distance of the mesh from the surface [m]; default: size / 20
- feature_angle: edges where the surface turns by more than this stay sharp [degrees]; default: 60
- robust: meshes by winding numbers, for surfaces with holes, self-intersections or inconsistent normals

Raises InputError if sinew-mesh is missing or the surface has faults.)");
}

}  // namespace sinew::python

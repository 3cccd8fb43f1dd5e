// read_mesh(), and numpy arrays of points.
#include <cstring>

#include "module.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/mesh/read.h"
#include "sinew/mesh/tet_mesh.h"
#include "sinew/mesh/validate.h"

namespace sinew::python {

py::array_t<double> to_numpy(const Points& points) {
  py::array_t<double> array({static_cast<py::ssize_t>(points.cols()), py::ssize_t{3}});
  std::memcpy(array.mutable_data(), points.data(), static_cast<std::size_t>(points.size()) * sizeof(double));
  return array;
}

py::array read_only(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

std::string shape_text(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t d = 0; d < array.ndim(); ++d) text += (d ? ", " : "") + std::to_string(array.shape(d));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

Points from_numpy(const DoubleArray& array, py::ssize_t rows, const std::string& what) {
  if (array.ndim() != 2 || array.shape(1) != 3 || (rows >= 0 && array.shape(0) != rows)) {
    fail_input("{}: found an array of shape {}, expected ({}, 3)", what, shape_text(array),
               rows >= 0 ? std::to_string(rows) : "n");
  }
  return Eigen::Map<const Points>(array.data(), 3, array.shape(0));
}

namespace {

py::dict fields(const TetMesh& mesh) {
  py::dict result;
  const auto tets = static_cast<py::ssize_t>(mesh.tet_count());
  for (const auto& [name, values] : mesh.cell_fields) {
    const py::ssize_t components = tets > 0 ? static_cast<py::ssize_t>(values.size()) / tets : 1;
    std::vector<py::ssize_t> shape{tets};
    if (components != 1) shape.push_back(components);
    result[py::str(name)] = read_only(py::array_t<double>(shape, values.data()));
  }
  return result;
}

}  // namespace

void add_mesh(py::module_& m) {
  py::class_<TetMesh>(m, "Mesh", "A tetrahedral mesh in the numbering of its file. Its arrays are read-only copies.")
      .def_property_readonly(
          "vertices", [](const TetMesh& mesh) { return read_only(to_numpy(mesh.vertices)); }, "(n, 3) float64 [m]")
      .def_property_readonly(
          "tets",
          [](const TetMesh& mesh) {
            py::array_t<Index> array({static_cast<py::ssize_t>(mesh.tets.cols()), py::ssize_t{4}});
            std::memcpy(array.mutable_data(), mesh.tets.data(),
                        static_cast<std::size_t>(mesh.tets.size()) * sizeof(Index));
            return read_only(array);
          },
          "(m, 4) int32, vertex ids")
      .def_property_readonly(
          "regions",
          [](const TetMesh& mesh) {
            return read_only(py::array_t<Index>(static_cast<py::ssize_t>(mesh.regions.size()), mesh.regions.data()));
          },
          "(m,) int32, region of each tet")
      .def_property_readonly("fields", &fields, "values of each tet by name: (m,), or (m, c) of c components")
      .def("__repr__", [](const TetMesh& mesh) {
        return "<sinew.Mesh of " + std::to_string(mesh.vertex_count()) + " vertices, " +
               std::to_string(mesh.tet_count()) + " tets>";
      });
  m.def(
      "read_mesh",
      [](const py::object& file) {
        const std::string path = path_text(file, "read_mesh");
        py::gil_scoped_release release;
        TetMesh mesh = read_tet_mesh(path);
        validate(mesh, path);
        return mesh;
      },
      py::arg("path"), "Reads and validates a tetrahedral mesh. Raises InputError naming the file and what is wrong.");
}

}  // namespace sinew::python

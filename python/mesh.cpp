// TetMesh, read_mesh() and write_mesh(), and numpy arrays of points.
#include <cstring>
#include <limits>

#include "module.h"
#include "py_mesh.h"
#include "warnings.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/formats/read.h"
#include "sinew/formats/write.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
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

DoubleArray real_array(const py::handle& value, const std::string& what) {
  const auto refuse = [&](const std::string& found, const char* remedy = "") {
    throw py::type_error(fmt::format("{}: found {}, expected an array of real numbers{}", what, found, remedy));
  };
  const py::array array = py::array::ensure(value);
  if (!array) refuse(text_of(value));
  const char kind = array.dtype().kind();
  if (kind == 'O') refuse("an array of objects", "; convert it with numpy.asarray(..., dtype=float)");
  if (kind != 'f' && kind != 'i' && kind != 'u') refuse("an array of type " + std::string(py::str(array.dtype())));
  return py::cast<DoubleArray>(array);
}

Points from_numpy(const DoubleArray& array, py::ssize_t rows, const std::string& what) {
  if (array.ndim() != 2 || array.shape(1) != 3 || (rows >= 0 && array.shape(0) != rows)) {
    fail_input(code::argument, "{}: found an array of shape {}, expected ({}, 3)", what, shape_text(array),
               rows >= 0 ? std::to_string(rows) : "n");
  }
  return Eigen::Map<const Points>(array.data(), 3, array.shape(0));
}

py::array bounds_of(const Points& vertices) {
  py::array_t<double> bounds({py::ssize_t{2}, py::ssize_t{3}});
  const Vec3 least = vertices.rowwise().minCoeff(), most = vertices.rowwise().maxCoeff();
  std::copy_n(least.data(), 3, bounds.mutable_data());
  std::copy_n(most.data(), 3, bounds.mutable_data() + 3);
  return read_only(bounds);
}

std::vector<Index> ids_of(const IndexArray& array, const std::string& what) {
  std::vector<Index> ids;
  ids.reserve(static_cast<std::size_t>(array.size()));
  for (py::ssize_t i = 0; i < array.size(); ++i) {
    const std::int64_t id = array.data()[i];
    if (id > std::numeric_limits<Index>::max() || id < -std::numeric_limits<Index>::max())
      fail_input(code::argument, "{}, expected 32-bit integers", fmt::format(fmt::runtime(what), id));
    ids.push_back(static_cast<Index>(id));
  }
  return ids;
}

IndexArray index_array(const py::object& value, const std::string& what) {
  const py::array array = py::array::ensure(value);
  const char kind = array ? array.dtype().kind() : '?';
  if (kind != 'i' && kind != 'u' && !(array && array.size() == 0)) {
    if (!array || kind == 'O') fail_input(code::argument, "{} that are no array of integers", what);
    fail_input(code::argument, "{} of type {}, expected an array of integers{}", what,
               std::string(py::str(array.dtype())), kind == 'f' ? "; convert it with .astype(int)" : "");
  }
  return py::cast<IndexArray>(array.attr("astype")("int64"));
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

void add_fields(const py::dict& arrays, TetMesh& mesh) {
  for (const auto& [key, value] : arrays) {
    const std::string name = py::str(key);
    const DoubleArray array = real_array(value, fmt::format("TetMesh: fields[\"{}\"]", name));
    const auto tets = static_cast<py::ssize_t>(mesh.tet_count());
    if (array.ndim() < 1 || array.ndim() > 2 || array.shape(0) != tets || array.size() == 0) {
      fail_input(code::argument,
                 "TetMesh: fields[\"{}\"]: found one of shape {}, expected an array of shape ({},) or ({}, c)", name,
                 shape_text(array), tets, tets);
    }
    mesh.cell_fields[name].assign(array.data(), array.data() + array.size());
  }
}

TetMesh make_mesh(const py::object& vertices, const py::object& tets, const py::object& regions,
                  const py::object& arrays) {
  TetMesh mesh;
  mesh.vertices = from_numpy(real_array(vertices, "TetMesh: vertices"), -1, "TetMesh: vertices");
  const IndexArray corners = index_array(tets, "TetMesh: found tets");
  if (corners.ndim() != 2 || corners.shape(1) != 4)
    fail_input(code::argument, "TetMesh: tets: found an array of shape {}, expected (m, 4)", shape_text(corners));
  mesh.tets = Eigen::Map<const Tets>(ids_of(corners, "TetMesh: found {} in tets").data(), 4, corners.shape(0));
  mesh.regions.assign(static_cast<std::size_t>(mesh.tet_count()), 0);
  if (!regions.is_none()) {
    const IndexArray ids = index_array(regions, "TetMesh: found regions");
    if (ids.ndim() != 1 || ids.shape(0) != mesh.tet_count())
      fail_input(code::argument, "TetMesh: regions: found an array of shape {}, expected ({},)", shape_text(ids),
                 mesh.tet_count());
    mesh.regions = ids_of(ids, "TetMesh: found {} in regions");
  }
  if (!arrays.is_none()) add_fields(arrays.cast<py::dict>(), mesh);
  call_engine([&] { validate(mesh, "TetMesh"); });
  return mesh;
}

TriMesh surface_of_tets(const TetMesh& mesh) {
  return call_engine([&] { return compacted(mesh.vertices, boundary_triangles(mesh.tets)); });
}

double volume_of(const TetMesh& mesh) {
  double volume = 0;
  for (Eigen::Index t = 0; t < mesh.tets.cols(); ++t) volume += tet_volume(mesh.vertices, mesh.tets, t);
  return volume;
}

MeshEncoding encoding_of(const py::object& binary) {
  if (binary.is_none()) return MeshEncoding::automatic;
  return binary.cast<bool>() ? MeshEncoding::binary : MeshEncoding::ascii;
}

using NumberArray = py::array_t<Index>;

template <class Values>
py::array flat(const Values& values) {
  return NumberArray(static_cast<py::ssize_t>(values.size()), values.data());
}

// For pickle: the arguments of make_mesh(), then groups as (dim, id, name, triangles, tets, vertices).
py::tuple parts_of(const TetMesh& mesh) {
  NumberArray tets({static_cast<py::ssize_t>(mesh.tets.cols()), py::ssize_t{4}});
  std::copy_n(mesh.tets.data(), mesh.tets.size(), tets.mutable_data());
  py::list groups;
  for (const ElementGroup& group : mesh.groups)
    groups.append(
        py::make_tuple(group.dim, group.id, group.name, flat(group.triangles), flat(group.tets), flat(group.vertices)));
  return py::make_tuple(to_numpy(mesh.vertices), tets, flat(mesh.regions), fields(mesh), groups);
}

std::vector<Index> ids_below(const py::handle& array, Index count) {
  std::vector<Index> ids = ids_of(index_array(py::reinterpret_borrow<py::object>(array), "TetMesh: found ids"),
                                  "TetMesh: found {} in a group");
  for (const Index id : ids)
    if (id < 0 || id >= count)
      fail_input(code::argument, "TetMesh: found {} in a group, expected 0 to {}", id, count - 1);
  return ids;
}

TetMesh mesh_from_parts(const py::tuple& parts) {
  if (parts.size() != 5) fail_input(code::argument, "TetMesh: found a pickle of {} parts, expected 5", parts.size());
  TetMesh mesh = make_mesh(parts[0], parts[1], parts[2], parts[3]);
  for (const py::handle& item : parts[4]) {
    const auto group = py::cast<py::tuple>(item);
    ElementGroup& own = mesh.groups.emplace_back();
    own.dim = py::cast<int>(group[0]);
    own.id = py::cast<int>(group[1]);
    own.name = py::cast<std::string>(group[2]);
    const std::vector<Index> corners = ids_below(group[3], mesh.vertex_count());
    own.triangles = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
    own.tets = ids_below(group[4], mesh.tet_count());
    own.vertices = ids_below(group[5], mesh.vertex_count());
  }
  return mesh;
}

}  // namespace

void add_mesh(py::module_& m) {
  py::class_<TetMesh>(m, "TetMesh", "A tetrahedral mesh in the numbering of its file. Its arrays are read-only copies.")
      .def(py::init(&make_mesh), py::arg("vertices"), py::arg("tets"), py::arg("regions") = py::none(),
           py::arg("fields") = py::none(),
           R"(Makes a mesh from vertices (n, 3) [m] and tets (m, 4), which hold vertex ids from 0 on.

regions (m,) holds the id of each tet's region, 0 by default. fields maps names to values of the tets, (m,) or
(m, c). The mesh is validated like a mesh file: tets of negative volume are reordered with a warning. Raises
InputError if the mesh is invalid.)")
      .def_property_readonly(
          "vertices", [](const TetMesh& mesh) { return read_only(to_numpy(mesh.vertices)); },
          "Positions of the vertices, (n, 3) float64 [m], read-only.")
      .def_property_readonly(
          "tets",
          [](const TetMesh& mesh) {
            py::array_t<Index> array({static_cast<py::ssize_t>(mesh.tets.cols()), py::ssize_t{4}});
            std::memcpy(array.mutable_data(), mesh.tets.data(),
                        static_cast<std::size_t>(mesh.tets.size()) * sizeof(Index));
            return read_only(array);
          },
          "Vertex ids of the tets, (m, 4) int32, read-only.")
      .def_property_readonly(
          "regions",
          [](const TetMesh& mesh) {
            return read_only(py::array_t<Index>(static_cast<py::ssize_t>(mesh.regions.size()), mesh.regions.data()));
          },
          "Region of each tet, (m,) int32, read-only.")
      .def_property_readonly("fields", &fields,
                             "Arrays with values of the tets, by name, (m,) or (m, c) float64, read-only.")
      .def_property_readonly("surface", &surface_of_tets,
                             R"(Boundary of the tets, a TriMesh with outward triangles.

It has only the vertices of its triangles, in ascending order: surface.vertices equals
vertices[surface_vertices].)")
      .def_property_readonly(
          "surface_vertices",
          [](const TetMesh& mesh) {
            const std::vector<Index> ids = used_vertices(boundary_triangles(mesh.tets));
            return read_only(py::array_t<Index>(static_cast<py::ssize_t>(ids.size()), ids.data()));
          },
          "Vertex ids of the boundary, ascending, (k,) int32, read-only.")
      .def_property_readonly("volume", &volume_of, "Volume [m^3].")
      .def_property_readonly(
          "bounds", [](const TetMesh& mesh) { return bounds_of(mesh.vertices); },
          "Smallest and largest coordinates of the vertices, (2, 3) float64 [m], read-only.")
      .def(py::pickle(&parts_of, &mesh_from_parts))
      .def("__repr__", [](const TetMesh& mesh) {
        return "<sinew.TetMesh of " + std::to_string(mesh.vertex_count()) + " vertices, " +
               std::to_string(mesh.tet_count()) + " tets>";
      });
  m.def(
      "read_mesh",
      [](const py::object& file) {
        const std::string path = path_text(file, "read_mesh");
        return call_engine([&] {
          TetMesh mesh = read_tet_mesh(path);
          validate(mesh, path);
          return mesh;
        });
      },
      py::arg("path"),
      "Reads and validates a tetrahedral mesh. Raises an InputError that names the file and the fault.");
  m.def(
      "write_mesh",
      [](const py::object& file, const TetMesh& mesh, const py::object& binary) {
        const std::string path = path_text(file, "write_mesh");
        const MeshEncoding encoding = encoding_of(binary);
        call_engine([&] { write_mesh(path, mesh, encoding); });
      },
      py::arg("path"), py::arg("mesh"), py::arg("binary") = py::none(),
      R"(Writes a mesh in the format of the extension: .msh, .vtu, .inp, .unv, .bdf, .nas, or .obj (its boundary).

With binary=True the file is binary (.msh, .vtu), with binary=False it is text. With None, .vtu files have base64
data and others are text. An existing file is replaced completely or not at all. Raises InputError for another
extension or a missing folder.)");
}

}  // namespace sinew::python

// Meshes and arrays of Python as a scene file holds them.
#include "inline_mesh.h"

#include <algorithm>

#include "py_mesh.h"

#include "sinew/core/base64.h"
#include "sinew/core/error.h"

namespace sinew::python {
namespace {

using nlohmann::json;

template <class Number>
json encoded(const Number* values, Eigen::Index rows, Eigen::Index columns) {
  constexpr const char* type = std::is_same_v<Number, double> ? "float64" : "int32";
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(std::max<Eigen::Index>(columns, 1));
  const std::string_view bytes(reinterpret_cast<const char*>(values), count * sizeof(Number));
  json shape = columns == 0 ? json{rows} : json{rows, columns};
  return {{type, base64_encode(bytes)}, {"shape", std::move(shape)}};
}

json encoded(const std::vector<Index>& values) {
  return encoded(values.data(), static_cast<Eigen::Index>(values.size()), 0);
}

json group_of(const ElementGroup& group) {
  json result = {{"id", group.id}};
  if (!group.name.empty()) result["name"] = group.name;
  if (group.dim == 3)
    result["tets"] = encoded(group.tets);
  else if (group.dim == 2)
    result["triangles"] = encoded(group.triangles.data(), group.triangles.cols(), 3);
  else
    result["vertices"] = encoded(group.vertices);
  return result;
}

json tets_of_mesh(const TetMesh& mesh) {
  json result = {{"vertices", encoded(mesh.vertices.data(), mesh.vertices.cols(), 3)},
                 {"tets", encoded(mesh.tets.data(), mesh.tets.cols(), 4)}};
  if (std::ranges::any_of(mesh.regions, [](Index region) { return region != 0; }))
    result["regions"] = encoded(mesh.regions);
  for (const auto& [name, values] : mesh.cell_fields) {
    const auto size = static_cast<Eigen::Index>(values.size()), columns = size / mesh.tets.cols();
    result["fields"][name] = encoded(values.data(), mesh.tets.cols(), columns == 1 ? 0 : columns);
  }
  for (const ElementGroup& group : mesh.groups) result["groups"].push_back(group_of(group));
  return {{"tets", std::move(result)}};
}

json triangles_of_mesh(const TriMesh& mesh) {
  return {{"triangles",
           {{"vertices", encoded(mesh.vertices.data(), mesh.vertices.cols(), 3)},
            {"triangles", encoded(mesh.triangles.data(), mesh.triangles.cols(), 3)}}}};
}

// As meshio, pyvista and trimesh name them.
bool looks_like_mesh(const py::handle& value) {
  return (py::hasattr(value, "points") && (py::hasattr(value, "cells_dict") || py::hasattr(value, "cells"))) ||
         (py::hasattr(value, "vertices") && py::hasattr(value, "faces"));
}

}  // namespace

bool is_inline_mesh(const std::string& key) {
  return key == "tets" || key == "triangles" || key == "heightfield";
}

std::optional<json> inline_array(const py::array& array) {
  const char kind = array.dtype().kind();
  if (array.ndim() == 0 || array.ndim() > 2) return {};
  const auto rows = static_cast<Eigen::Index>(array.shape(0));
  const Eigen::Index columns = array.ndim() == 2 ? static_cast<Eigen::Index>(array.shape(1)) : 0;
  if (kind == 'f') {
    const auto values = py::cast<DoubleArray>(array);
    return encoded(values.data(), rows, columns);
  }
  if (kind != 'i' && kind != 'u') return {};
  const std::vector<Index> ids = ids_of(index_array(array, "scene: found numbers"), "scene: found {} in a mesh");
  return encoded(ids.data(), rows, columns);
}

std::optional<json> inline_mesh(const py::handle& value) {
  if (py::isinstance<TetMesh>(value)) return tets_of_mesh(value.cast<const TetMesh&>());
  if (py::isinstance<TriMesh>(value)) return triangles_of_mesh(value.cast<const TriMesh&>());
  if (!looks_like_mesh(value)) return {};
  return inline_mesh(py::module_::import("sinew").attr("as_mesh")(value));
}

}  // namespace sinew::python

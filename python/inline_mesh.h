// Meshes and arrays of Python as a scene file holds them.
#pragma once

#include <optional>
#include <string>

#include "module.h"

namespace sinew::python {

// Whether a key of a mesh has arrays below it.
bool is_inline_mesh(const std::string& key);

// {"float64": ..., "shape": ...}, or "int32" for whole numbers. None for arrays without axes and for other types.
std::optional<nlohmann::json> inline_array(const py::array& array);

// The value of `mesh` in a scene. value: a mesh of sinew, meshio or trimesh; none for others.
std::optional<nlohmann::json> inline_mesh(const py::handle& value);

}  // namespace sinew::python

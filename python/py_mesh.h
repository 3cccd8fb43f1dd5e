// Meshes as arguments of the module's functions.
#pragma once

#include <string>
#include <vector>

#include "module.h"

#include "sinew/mesh/tet_mesh.h"

namespace sinew::python {

// Smallest and largest coordinates, (2, 3).
py::array bounds_of(const Points& vertices);

// Ids of 32 bits. Throws InputError otherwise; `what` says where the number {} was found.
std::vector<Index> ids_of(const IndexArray& array, const std::string& what);

}  // namespace sinew::python

template <>
struct pybind11::detail::type_caster<sinew::TetMesh> : sinew::python::InitialisedCaster<sinew::TetMesh> {};

template <>
struct pybind11::detail::type_caster<sinew::TriMesh> : sinew::python::InitialisedCaster<sinew::TriMesh> {};

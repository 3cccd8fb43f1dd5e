// Meshes as arguments of the module's functions.
#pragma once

#include "module.h"

#include "sinew/mesh/tet_mesh.h"

template <>
struct pybind11::detail::type_caster<sinew::TetMesh> : sinew::python::InitialisedCaster<sinew::TetMesh> {};

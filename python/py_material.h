// Materials as arguments of the module's functions.
#pragma once

#include "module.h"

#include "sinew/material/material.h"

namespace sinew::python {

// A material, and what a scene file says of it.
struct PyMaterial : Material {
  PyMaterial(Material material, nlohmann::ordered_json keys)
      : Material(std::move(material)), parameters(std::move(keys)) {}

  nlohmann::ordered_json parameters;
};

}  // namespace sinew::python

template <>
struct pybind11::detail::type_caster<sinew::python::PyMaterial>
    : sinew::python::InitialisedCaster<sinew::python::PyMaterial> {};

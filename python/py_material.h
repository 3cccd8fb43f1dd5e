// Materials as arguments of the module's functions.
#pragma once

#include "module.h"

#include "sinew/material/material.h"

template <>
struct pybind11::detail::type_caster<sinew::Material> : sinew::python::InitialisedCaster<sinew::Material> {};

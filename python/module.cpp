// The Python module `sinew`.
#include "module.h"

#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/core/version.h"

PYBIND11_MODULE(sinew, m) {
  m.doc() = "Contacting hyperelastic solids: meshes, materials, simulations and collision queries of sinew.";
  m.attr("__version__") = sinew::version;
  // The text is that of the command line. Both derive from built-in exceptions too.
  pybind11::register_exception<sinew::Error>(m, "Error", PyExc_RuntimeError);
  pybind11::register_exception<sinew::SimulationError>(m, "SimulationError", PyExc_RuntimeError);
  pybind11::register_exception<sinew::InputError>(m, "InputError", PyExc_ValueError);
  sinew::python::add_mesh(m);
  sinew::python::add_material(m);
  sinew::python::add_simulation(m);
  sinew::python::add_ccd(m);
}

// The Python module `sinew`.
#include "module.h"

#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/core/version.h"

PYBIND11_MODULE(sinew, m) {
  m.doc() = "Contacting hyperelastic solids: meshes, materials, simulations and collision queries of sinew.";
  m.attr("__version__") = sinew::version;
  // The text is that of the command line. The two kinds derive from built-in exceptions too.
  namespace py = pybind11;
  const py::object error = py::register_exception<sinew::Error>(m, "Error", PyExc_Exception);
  const py::tuple of_simulation = py::make_tuple(error, py::handle(PyExc_RuntimeError));
  const py::tuple of_input = py::make_tuple(error, py::handle(PyExc_ValueError));
  py::register_exception<sinew::SimulationError>(m, "SimulationError", of_simulation);
  py::register_exception<sinew::InputError>(m, "InputError", of_input);
  sinew::python::add_mesh(m);
  sinew::python::add_material(m);
  sinew::python::add_simulation(m);
  sinew::python::add_ccd(m);
}

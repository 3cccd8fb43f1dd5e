// The compiled part of the Python package `sinew`.
#include "module.h"

#include <exception>
#include <string>

#include "engine_call.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/core/version.h"

namespace {

// pybind11 keeps these classes for as long as the process lasts.
pybind11::handle any_error, simulation_error, input_error;

// Python's own strings hold names of files that are not UTF-8 as surrogates; pybind11 would drop the text.
void raise(pybind11::handle type, const sinew::Error& error) {
  const std::string what = error.text();
  const auto text = pybind11::reinterpret_steal<pybind11::object>(
      PyUnicode_DecodeUTF8(what.data(), static_cast<Py_ssize_t>(what.size()), "surrogateescape"));
  if (!text) return;
  const auto raised = pybind11::reinterpret_borrow<pybind11::object>(type)(text);
  raised.attr("code") = error.code().id;
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void translate(std::exception_ptr error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const sinew::InputError& e) {
    raise(input_error, e);
  } catch (const sinew::SimulationError& e) {
    raise(simulation_error, e);
  } catch (const sinew::Error& e) {
    raise(any_error, e);
  }
}

}  // namespace

PYBIND11_MODULE(_engine, m) {
  // Classes and submodules have the names under which the package shows them.
  m.attr("__name__") = "sinew";
  m.attr("__version__") = sinew::version;
  m.def(
      "build_info",
      [] {
        pybind11::dict info;
        info["version"] = sinew::version;
        info["instructions"] = sinew::instructions();
        return info;
      },
      "Returns the version, and the instructions that the loaded engine was compiled for: a level of x86-64 such as "
      "\"x86-64-v3\", or \"native: AVX2\".");
  // The text is that of the command line. The two kinds derive from built-in exceptions too.
  namespace py = pybind11;
  any_error = py::register_exception<sinew::Error>(m, "Error", PyExc_Exception);
  const py::tuple of_simulation = py::make_tuple(any_error, py::handle(PyExc_RuntimeError));
  const py::tuple of_input = py::make_tuple(any_error, py::handle(PyExc_ValueError));
  simulation_error = py::register_exception<sinew::SimulationError>(m, "SimulationError", of_simulation);
  input_error = py::register_exception<sinew::InputError>(m, "InputError", of_input);
  any_error.attr("__doc__") =
      "Base class of InputError and SimulationError. The message is that of the command line; `code` is the code at "
      "its end.";
  simulation_error.attr("__doc__") = "The simulation cannot continue, or a file cannot be written.";
  input_error.attr("__doc__") =
      "Invalid input. The message names the file, key or argument, what was found, what was expected and what to do.";
  py::register_exception_translator(&translate);  // asked before the three above
  sinew::python::add_warnings(m);
  sinew::python::watch_process();
  sinew::python::add_surface(m);
  sinew::python::add_mesh(m);
  sinew::python::add_primitives(m);
  sinew::python::add_material(m);
  sinew::python::add_scene_files(m);
  sinew::python::add_simulation(m);
  sinew::python::add_camera(m);
  sinew::python::add_live(m);
  sinew::python::add_ccd(m);
  sinew::python::add_modes(m);
}

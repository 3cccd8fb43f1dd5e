// The parts of the Python module, and the arrays they exchange with numpy.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "sinew/core/types.h"

namespace sinew::python {

namespace py = pybind11;

void add_mesh(py::module_& m);
void add_scene_files(py::module_& m);
void add_surface(py::module_& m);
void add_primitives(py::module_& m);
void add_material(py::module_& m);
void add_simulation(py::module_& m);
void add_ccd(py::module_& m);
void add_modes(py::module_& m);
void add_warnings(py::module_& m);
void add_live(py::module_& m);
void add_camera(py::module_& m);

using DoubleArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

// An array, or what numpy makes one of, as double precision. Throws TypeError naming `what` unless it holds real
// numbers: numpy itself makes numbers of strings and dates, and drops imaginary parts.
DoubleArray real_array(const py::handle& value, const std::string& what);

using IndexArray = py::array_t<std::int64_t, py::array::c_style>;

// Whole numbers of any type that numpy holds. Throws InputError otherwise, which begins with `what`, such as "Mesh:
// found tets".
IndexArray index_array(const py::object& value, const std::string& what);

// Python numbers, strings and containers as JSON; numpy's scalars and arrays by their own conversions. Throws
// InputError for what JSON cannot hold.
nlohmann::json from_python(const py::handle& value);
// As from_python(), for a scene: a sinew.Scene, or a dict that may hold meshes and materials as objects. Large arrays
// of meshes become base64.
nlohmann::json scene_from_python(const py::handle& value);
nlohmann::ordered_json ordered_scene(const py::handle& value);  // with keys in their order
py::object to_python(const nlohmann::ordered_json& value);

// A value as it is quoted in messages.
std::string text_of(const py::handle& value);

// A str or os.PathLike as text. Throws InputError naming `what` for anything else.
std::string path_text(const py::handle& value, const std::string& what);

// The array, not writeable: of a property's copy, into which a user's value would be lost.
py::array read_only(py::array array);

// Takes objects of a class, but none that only __new__ has made: without __init__ there is nothing behind them.
template <class T>
struct InitialisedCaster : py::detail::type_caster_base<T> {
  bool load(py::handle source, bool convert) {
    if (source && py::isinstance<T>(source)) {
      auto* instance = reinterpret_cast<py::detail::instance*>(source.ptr());
      const auto* type = py::detail::get_type_info(typeid(T));
      if (!instance->get_value_and_holder(type, /*throw_if_missing=*/false).holder_constructed()) {
        const std::string name = py::str(py::type::of(source).attr("__name__"));
        throw py::type_error(name + ".__init__() was not called; make one with " + name + "(...)");
      }
    }
    return py::detail::type_caster_base<T>::load(source, convert);
  }
};

// (n, 3) of 3 x n and back: both have the same bytes.
py::array_t<double> to_numpy(const Points& points);

// Throws InputError naming `what` unless the shape is (rows, 3); rows < 0: any number.
Points from_numpy(const DoubleArray& array, py::ssize_t rows, const std::string& what);

// "(2, 3)"
std::string shape_text(const py::array& array);

}  // namespace sinew::python

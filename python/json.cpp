// Python values as JSON and back, and paths.
#include <cmath>

#include "module.h"

#include "sinew/core/error.h"
#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/complete.h"

namespace sinew::python {
namespace {

constexpr int deepest = 100;  // levels of nesting: also ends a container that holds itself

std::string type_name(const py::handle& value) {
  return py::str(py::type::of(value).attr("__name__"));
}

// Beyond 64 bits an integer becomes a floating-point number, as in JSON text.
nlohmann::json integer(const py::handle& value) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return static_cast<std::int64_t>(small);
  const double large = PyLong_AsDouble(value.ptr());
  if (!PyErr_Occurred()) return large;
  PyErr_Clear();
  fail_input(code::argument, "scene: found an integer beyond the range of double precision");
}

// What to do about a value that JSON cannot hold.
std::string remedy(const py::handle& value) {
  if (!py::isinstance<TetMesh>(value)) return "";
  return "; write the mesh to a file with sinew.write_mesh, and give its path";
}

// A str may hold lone surrogates, which no UTF-8 text can.
std::string text(const py::handle& value) {
  Py_ssize_t length = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &length))
    return {bytes, static_cast<std::size_t>(length)};
  PyErr_Clear();
  fail_input(code::argument, "scene: found the string {}, expected text that UTF-8 can hold",
             std::string(py::str(py::module_::import("builtins").attr("ascii")(value))));
}

// `path` says where the value stands, and is empty at the top.
nlohmann::json convert(const py::handle& value, const std::string& path, int depth) {
  const std::string place = path.empty() ? "scene" : "scene: " + path;
  if (depth > deepest)
    fail_input(code::argument, "scene: nested more than {} levels deep; simplify the scene", deepest);
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return integer(value);
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return text(value);
  if (py::isinstance<py::dict>(value)) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
      if (!py::isinstance<py::str>(key)) {
        fail_input(code::argument, "{}: found the key {}, expected a string", place,
                   std::string(py::str(py::repr(key))));
      }
      const std::string name = text(key);
      object[name] = convert(item, path.empty() ? name : path + "." + name, depth + 1);
    }
    return object;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    nlohmann::json array = nlohmann::json::array();
    for (const py::handle item : value)
      array.push_back(convert(item, fmt::format("{}[{}]", path, array.size()), depth + 1));
    return array;
  }
  if (py::hasattr(value, "tolist")) return convert(value.attr("tolist")(), path, depth + 1);
  if (py::hasattr(value, "__fspath__")) return value.attr("__fspath__")().cast<std::string>();
  fail_input(code::argument, "{}: found a value of type {}, expected what JSON can hold{}", place, type_name(value),
             remedy(value));
}

}  // namespace

nlohmann::json from_python(const py::handle& value) {
  return convert(value, "", 0);
}

py::object to_python(const nlohmann::ordered_json& value) {
  if (value.is_null()) return py::none();
  if (value.is_boolean()) return py::bool_(value.get<bool>());
  if (value.is_number_integer()) return py::int_(value.get<long>());
  if (value.is_number()) return py::float_(value.get<double>());
  if (value.is_string()) return py::str(value.get<std::string>());
  if (value.is_array()) {
    py::list list;
    for (const auto& item : value) list.append(to_python(item));
    return list;
  }
  py::dict dict;
  for (auto item = value.begin(); item != value.end(); ++item)
    if (PyDict_SetItem(dict.ptr(), py::str(item.key()).ptr(), to_python(*item).ptr()) != 0)
      throw py::error_already_set();
  return dict;
}

std::string text_of(const py::handle& value) {
  if (value.is_none()) return "None";
  try {
    return found_text(from_python(value));
  } catch (const InputError&) {
    return "a value of type " + type_name(value);
  }
}

std::string path_text(const py::handle& value, const std::string& what) {
  if (!py::isinstance<py::str>(value) && !py::hasattr(value, "__fspath__")) {
    fail_input(code::argument, "{}: found {}, expected a path: a string or os.PathLike", what, text_of(value));
  }
  // As open() does: names that are not UTF-8 come as surrogates.
  const std::string path = py::module_::import("os").attr("fsencode")(value).cast<std::string>();
  if (path.find('\0') != std::string::npos) {
    fail_input(code::argument, "{}: found {}, expected a path without null characters", what,
               std::string(py::str(py::repr(value))));
  }
  return path;
}

}  // namespace sinew::python

// Python values as JSON and back, and paths.
#include <cmath>
#include <optional>

#include "inline_mesh.h"
#include "module.h"
#include "py_material.h"

#include "sinew/core/error.h"
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

// A str may hold lone surrogates, which no UTF-8 text can.
std::string text(const py::handle& value) {
  Py_ssize_t length = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &length))
    return {bytes, static_cast<std::size_t>(length)};
  PyErr_Clear();
  fail_input(code::argument, "scene: found the string {}, expected text that UTF-8 can hold",
             std::string(py::str(py::module_::import("builtins").attr("ascii")(value))));
}

// Json: nlohmann::json, or ordered_json, which keeps the order of keys.
template <class Json>
class Converter {
 public:
  // scene: meshes, materials and scenes of sinew are taken too, and arrays of meshes become base64.
  explicit Converter(bool scene) : scene_(scene) {}

  // `path` says where the value stands, and is empty at the top. in_mesh: whether it is part of an inline mesh.
  Json convert(const py::handle& value, const std::string& path, int depth, bool in_mesh) const {
    if (depth > deepest)
      fail_input(code::argument, "scene: nested more than {} levels deep; simplify the scene", deepest);
    if (value.is_none()) return nullptr;
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
    if (py::isinstance<py::int_>(value)) return integer(value);
    if (py::isinstance<py::float_>(value)) return value.cast<double>();
    if (py::isinstance<py::str>(value)) return text(value);
    if (py::isinstance<py::dict>(value)) return object(value, path, depth, in_mesh);
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
      Json array = Json::array();
      for (const py::handle item : value)
        array.push_back(convert(item, fmt::format("{}[{}]", path, array.size()), depth + 1, in_mesh));
      return array;
    }
    if (scene_) {
      if (std::optional<Json> part = part_of_scene(value, path, depth)) return *std::move(part);
    }
    if (in_mesh && py::isinstance<py::array>(value)) {
      if (const auto array = inline_array(py::reinterpret_borrow<py::array>(value))) return *array;
    }
    if (py::hasattr(value, "tolist")) return convert(value.attr("tolist")(), path, depth + 1, in_mesh);
    if (py::hasattr(value, "__fspath__")) return value.attr("__fspath__")().cast<std::string>();
    fail_input(code::argument, "{}: found a value of type {}, expected what JSON can hold", place(path),
               type_name(value));
  }

 private:
  static std::string place(const std::string& path) { return path.empty() ? "scene" : "scene: " + path; }

  Json object(const py::handle& value, const std::string& path, int depth, bool in_mesh) const {
    Json object = Json::object();
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
      if (!py::isinstance<py::str>(key)) {
        fail_input(code::argument, "{}: found the key {}, expected a string", place(path),
                   std::string(py::str(py::repr(key))));
      }
      const std::string name = text(key);
      const bool mesh = scene_ && py::isinstance<py::dict>(item) && is_inline_mesh(name);
      object[name] = convert(item, path.empty() ? name : path + "." + name, depth + 1, in_mesh || mesh);
    }
    return object;
  }

  std::optional<Json> part_of_scene(const py::handle& value, const std::string& path, int depth) const {
    if (const auto mesh = inline_mesh(value)) return Json(*mesh);
    if (py::isinstance<PyMaterial>(value)) return Json(value.cast<const PyMaterial&>().parameters);
    if (py::hasattr(value, "_scene_data")) return convert(value.attr("_scene_data")(), path, depth + 1, false);
    return {};
  }

  bool scene_;
};

}  // namespace

nlohmann::json from_python(const py::handle& value) {
  return Converter<nlohmann::json>(false).convert(value, "", 0, false);
}

nlohmann::json scene_from_python(const py::handle& value) {
  return Converter<nlohmann::json>(true).convert(value, "", 0, false);
}

nlohmann::ordered_json ordered_scene(const py::handle& value) {
  return Converter<nlohmann::ordered_json>(true).convert(value, "", 0, false);
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

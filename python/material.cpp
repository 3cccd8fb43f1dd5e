// Material: energy density, first Piola stress and Hessian over batches of deformation gradients.
#include "sinew/material/material.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "module.h"
#include "py_material.h"
#include "warnings.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/material/registry.h"
#include "sinew/scene/read_material.h"
#include "sinew/scene/schema.h"

namespace sinew::python {
namespace {

// Python's keyword: `lambda` is taken, so it is called lambda_.
std::string parameter_name(std::string name) {
  if (name == "lambda_") name = "lambda";
  return name;
}

double number(const py::handle& value, const std::string& name) {
  // numpy's scalars of other types become numbers too: text, dates, complex ones without their imaginary parts.
  const bool is_numpy = py::hasattr(value, "dtype");
  const bool is_real =
      !is_numpy || std::string("fiu").find(py::array::ensure(value).dtype().kind()) != std::string::npos;
  const bool is_number = is_real && PyNumber_Check(value.ptr()) && !py::isinstance<py::bool_>(value);
  const double result = is_number ? PyFloat_AsDouble(value.ptr()) : 0;
  if (is_number && !PyErr_Occurred()) return result;
  PyErr_Clear();
  fail_input(code::argument, "Material: {}: found {}, expected a number", name, text_of(value));
}

Vec3 direction(const py::handle& value, const std::string& name) {
  const DoubleArray array = real_array(value, "Material: " + name);
  if (array.ndim() != 1 || array.shape(0) != 3) {
    fail_input(code::argument, "Material: {}: found {}, expected three numbers", name, text_of(value));
  }
  return {array.data()[0], array.data()[1], array.data()[2]};
}

// Fibers as the scene file has them, fiber={"stiffness": ..., "direction": ...}, or as two keywords.
class FiberReader {
 public:
  // Whether the keyword is about fibers.
  bool take(const std::string& name, const py::handle& value) {
    if (name == "fiber") {
      take_dict(value);
    } else if (name == "fiber_stiffness") {
      stiffness_ = number(value, name);
    } else if (name == "fiber_direction") {
      direction_ = direction(value, name);
    } else {
      return false;
    }
    (name == "fiber" ? whole_ : parts_) = true;
    return true;
  }

  std::optional<FiberParameters> result() const {
    if (whole_ && parts_) {
      fail_input(code::argument,
                 "Material: found \"fiber\" together with \"fiber_stiffness\" or \"fiber_direction\"; give one form");
    }
    if (!whole_ && !parts_) return {};
    const char* prefix = whole_ ? "fiber: missing \"" : "missing \"fiber_";
    if (!stiffness_)
      fail_input(code::argument, "Material: {}stiffness\", expected a number of at least 0 [Pa]", prefix);
    if (!direction_)
      fail_input(code::argument, "Material: {}direction\", expected three numbers, not all zero", prefix);
    return FiberParameters{*stiffness_, *direction_};
  }

 private:
  void take_dict(const py::handle& value) {
    if (!py::isinstance<py::dict>(value)) {
      fail_input(code::argument, "Material: fiber: found {}, expected a dict with \"stiffness\" and \"direction\"",
                 text_of(value));
    }
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
      const std::string name = py::str(key);
      if (name == "stiffness") {
        stiffness_ = number(item, "fiber[\"stiffness\"]");
      } else if (name == "direction") {
        direction_ = direction(item, "fiber[\"direction\"]");
      } else {
        fail_input(code::material_parameters,
                   "Material: fiber: unknown key \"{}\"; known keys: \"stiffness\", \"direction\"", name);
      }
    }
  }

  bool whole_ = false, parts_ = false;
  std::optional<double> stiffness_;
  std::optional<Vec3> direction_;
};

// The defaults of the scene file: one table for both.
void add_defaults(const std::string& model, UserParameters& parameters) {
  for (const auto& variant : scene_schema().at("definitions").at("material").at("oneOf")) {
    const auto& properties = variant.at("properties");
    if (properties.at("model").at("const") != model) continue;
    for (const ParameterInfo& info : find_material_model(model).parameters()) {
      const auto& rule = properties.at(info.name);
      if (!rule.contains("default") || parameters.contains(info.name)) continue;
      const auto unless = rule.value("x-default-unless", std::vector<std::string>{});
      const bool withdrawn = std::ranges::any_of(unless, [&](const auto& key) { return parameters.contains(key); });
      if (!withdrawn) parameters[info.name] = {rule.at("default").get<double>()};
    }
  }
}

double default_density(const std::string& model) {
  for (const auto& variant : scene_schema().at("definitions").at("material").at("oneOf"))
    if (variant.at("properties").at("model").at("const") == model)
      return variant.at("properties").at("density").at("default").get<double>();
  return 0;  // the model is unknown: an error follows
}

nlohmann::ordered_json list_of(const Vec3& vector) {
  return {vector[0], vector[1], vector[2]};
}

// The keys of a scene file.
nlohmann::ordered_json scene_parameters(const std::string& model, const UserParameters& parameters,
                                        const nlohmann::ordered_json& curves,
                                        const std::optional<FiberParameters>& fiber,
                                        const std::vector<Vec3>& families) {
  nlohmann::ordered_json result = {{"model", model}};
  for (const auto& [name, values] : parameters) result[name] = values.at(0);
  result.update(curves);
  if (fiber) result["fiber"] = {{"stiffness", fiber->stiffness}, {"direction", list_of(fiber->direction)}};
  for (const Vec3& family : families) result["families"].push_back(list_of(family));
  return result;
}

PyMaterial make_material(const std::string& model, const py::kwargs& keywords) {
  UserParameters parameters;
  nlohmann::ordered_json curves = nlohmann::ordered_json::object();
  FiberReader fiber;
  std::vector<Vec3> families;
  double density = default_density(model);
  SharedModel instance = shared_material_model(model);
  const std::vector<CurveInfo> known = instance->curves();
  const std::vector<ParameterInfo> lists = instance->lists();
  const auto is_list = [&](const std::string& name) {
    return std::ranges::find(lists, name, &ParameterInfo::name) != lists.end();
  };
  for (const auto& [key, value] : keywords) {
    const std::string name = py::cast<std::string>(key);
    if (name == "density") {
      density = number(value, name);
      if (!(density > 0))
        fail_input(code::argument, "Material: density: found {}, expected a positive number [kg/m^3]", density);
      continue;
    }
    if (fiber.take(name, value)) continue;
    if (name == "families") {
      for (const auto& family : value) families.push_back(direction(family, "families"));
      continue;
    }
    if (py::isinstance<py::dict>(value) || name == "rest" || is_list(name)) {
      curves[name] = from_python(value);
      continue;
    }
    parameters[parameter_name(name)] = {number(value, name)};
  }
  add_defaults(model, parameters);
  for (const auto& [name, value] : curves.items()) {
    const bool taken = is_list(name) || std::ranges::find(known, name, &CurveInfo::name) != known.end();
    if (!taken && (known.empty() || name != "rest"))
      fail_input(code::material_parameters, "Material: {}: found {}, which is no curve of model {}", name, value.dump(),
                 model);
  }
  if (instance->needs_data()) instance = instance->with_curves(curves_from_json(*instance, curves, "Material"));
  nlohmann::ordered_json scene = scene_parameters(model, parameters, curves, fiber.result(), families);
  scene["density"] = density;
  return {Material(std::move(instance), parameters, fiber.result(), std::move(families)), std::move(scene)};
}

// F as (k, 3, 3), or one (3, 3).
std::size_t batch_size(const DoubleArray& F) {
  const py::ssize_t d = F.ndim();
  if ((d != 3 && d != 2) || F.shape(d - 1) != 3 || F.shape(d - 2) != 3) {
    fail_input(code::argument, "F: found an array of shape {}, expected (k, 3, 3)", shape_text(F));
  }
  return d == 3 ? static_cast<std::size_t>(F.shape(0)) : 1;
}

std::span<const double> values(const DoubleArray& F) {
  return {F.data(), static_cast<std::size_t>(F.size())};
}

// An array of shape (k, tail...), or (tail...) for a single F.
py::array_t<double> result_array(const DoubleArray& F, std::vector<py::ssize_t> tail) {
  if (F.ndim() == 3) tail.insert(tail.begin(), F.shape(0));
  return py::array_t<double>(tail);
}

template <class Evaluate>
py::array_t<double> evaluate(const py::object& gradients, std::vector<py::ssize_t> tail, Evaluate&& function) {
  const DoubleArray F = real_array(gradients, "F");
  batch_size(F);
  py::array_t<double> out = result_array(F, std::move(tail));
  const std::span<const double> in = values(F);
  const std::span<double> result(out.mutable_data(), static_cast<std::size_t>(out.size()));
  call_engine([&] { function(in, result); });
  return out;
}

// NaN where F has one: not a gradient outside the domain.
void energies(const Material& material, std::span<const double> F, std::span<double> out) {
  material.energy(F, out);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto f = F.subspan(9 * k, 9);
    if (std::ranges::any_of(f, [](double v) { return std::isnan(v); })) {
      out[k] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

// The derivatives, `size` values each, are NaN where the energy is not finite.
void mark_undefined(const Material& material, std::span<const double> F, std::size_t size, std::span<double> out) {
  std::vector<double> w(F.size() / 9);
  energies(material, F, w);
  for (std::size_t k = 0; k < w.size(); ++k) {
    if (!std::isfinite(w[k])) std::ranges::fill(out.subspan(size * k, size), std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace

void add_material(py::module_& m) {
  py::class_<PyMaterial>(m, "Material", R"(A hyperelastic material, evaluated at deformation gradients F.

F is an array (k, 3, 3). If F is a single matrix (3, 3), results lack their first axis.)")
      .def(py::init(&make_material), py::arg("model"),
           R"(Makes a material of a model, with the parameters of a scene file by keyword.

For example, Material("neo_hookean", young=1e6, poisson=0.4). lambda_= and mu= [Pa] may replace young= and
poisson=. Missing parameters have the defaults of the scene file, also density= [kg/m^3]. The models ogden and hyperfoam take lists with
a number for each term, such as mu=[3e5, 1e4], alpha=[1.7, 4]. Give curves of the model spline as a={"x": [...],
"dy": [...]}, and likewise b and c. rest="mend" makes its rest state free of stress. Give fibers as
fiber={"stiffness": 1e5, "direction": [0, 0, 1]}, or as fiber_stiffness= [Pa] and fiber_direction=. The model
holzapfel_gasser_ogden takes families=[[1, 0, 0], ...], a direction for each family of fibers. Raises InputError for an unknown model or parameter and for an invalid value.)")
      .def(
          "energy",
          [](const PyMaterial& self, const py::object& F) {
            return evaluate(F, {}, [&](auto in, auto out) { energies(self, in, out); });
          },
          py::arg("F"),
          R"(Returns energy densities, (k,) [J/m^3].

They are +inf outside the domain of a model that needs det F > 0, and NaN if F contains a NaN.)")
      .def(
          "stress",
          [](const PyMaterial& self, const py::object& F) {
            return evaluate(F, {3, 3}, [&](auto in, auto out) {
              self.stress(in, out);
              mark_undefined(self, in, 9, out);
            });
          },
          py::arg("F"),
          "Returns first Piola-Kirchhoff stresses, (k, 3, 3) [Pa]. They are NaN where the energy is not finite.")
      .def(
          "hessian",
          [](const PyMaterial& self, const py::object& F, bool psd) {
            return evaluate(F, {9, 9}, [&](auto in, auto out) {
              self.hessian(in, psd, out);
              mark_undefined(self, in, 81, out);
            });
          },
          py::arg("F"), py::arg("psd") = false,
          R"(Returns second derivatives of the energy density with respect to F, (k, 9, 9) [Pa].

They are NaN where the energy is not finite. F is flattened row by row. psd=True clamps negative eigenvalues to
zero, separately for model and fibers, as the solver does.)")
      .def_property_readonly(
          "model", [](const PyMaterial& self) { return self.model().name(); }, "Name of the model.")
      .def_property_readonly(
          "parameters", [](const PyMaterial& self) { return to_python(self.parameters); },
          "Model and parameters by the keys of a scene file, a dict.")
      .def("__repr__", [](const PyMaterial& self) { return "<sinew.Material " + self.model().name() + ">"; });
}

}  // namespace sinew::python

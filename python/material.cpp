// Material: energy density, first Piola stress and Hessian over batches of deformation gradients.
#include "sinew/material/material.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "module.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"

namespace sinew::python {
namespace {

// Python's keyword: `lambda` is taken, so it is called lambda_.
std::string parameter_name(std::string name) {
  if (name == "lambda_") name = "lambda";
  return name;
}

Material make_material(const std::string& model, const py::kwargs& keywords) {
  UserParameters parameters;
  std::optional<FiberParameters> fiber;
  for (const auto& [key, value] : keywords) {
    const std::string name = py::cast<std::string>(key);
    if (name == "fiber_stiffness") {
      if (!fiber) fiber.emplace();
      fiber->stiffness = py::cast<double>(value);
    } else if (name == "fiber_direction") {
      if (!fiber) fiber.emplace();
      const auto d = py::cast<std::array<double, 3>>(value);
      fiber->direction = Vec3(d[0], d[1], d[2]);
    } else {
      parameters[parameter_name(name)] = {py::cast<double>(value)};
    }
  }
  return Material(model, parameters, fiber);
}

// F as (k, 3, 3), or one (3, 3).
std::size_t batch_size(const DoubleArray& F) {
  const py::ssize_t d = F.ndim();
  if ((d != 3 && d != 2) || F.shape(d - 1) != 3 || F.shape(d - 2) != 3) {
    fail_input("F: found an array of shape {}, expected (k, 3, 3)", shape_text(F));
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
py::array_t<double> evaluate(const DoubleArray& F, std::vector<py::ssize_t> tail, Evaluate&& function) {
  batch_size(F);
  py::array_t<double> out = result_array(F, std::move(tail));
  const std::span<const double> in = values(F);
  const std::span<double> result(out.mutable_data(), static_cast<std::size_t>(out.size()));
  py::gil_scoped_release release;
  function(in, result);
  return out;
}

}  // namespace

void add_material(py::module_& m) {
  py::class_<Material>(m, "Material", "A hyperelastic material: a model's name and its parameters by keyword.")
      .def(py::init(&make_material), py::arg("model"),
           "Material(\"neo_hookean\", young=1e6, poisson=0.4), or lambda_=, mu=; other models' parameters by keyword, "
           "fiber_stiffness= and fiber_direction= with any. Raises InputError.")
      .def(
          "energy",
          [](const Material& self, const DoubleArray& F) {
            return evaluate(F, {}, [&](auto in, auto out) { self.energy(in, out); });
          },
          py::arg("F"), "Energy densities [J/m^3], (k,), of deformation gradients F, (k, 3, 3).")
      .def(
          "stress",
          [](const Material& self, const DoubleArray& F) {
            return evaluate(F, {3, 3}, [&](auto in, auto out) { self.stress(in, out); });
          },
          py::arg("F"), "First Piola stresses [Pa], (k, 3, 3).")
      .def(
          "hessian",
          [](const Material& self, const DoubleArray& F, bool psd) {
            return evaluate(F, {9, 9}, [&](auto in, auto out) { self.hessian(in, psd, out); });
          },
          py::arg("F"), py::arg("psd") = false,
          "d2W/dF2 [Pa], (k, 9, 9), with F flattened row-major; psd: negative eigenvalues become zero.")
      .def_property_readonly("model", [](const Material& self) { return self.model().name(); })
      .def("__repr__", [](const Material& self) { return "<sinew.Material " + self.model().name() + ">"; });
}

}  // namespace sinew::python

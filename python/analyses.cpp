// Linear analyses about the current state of a Simulation: vibrations, buckling and frequency response.
#include <algorithm>
#include <complex>

#include "py_modes.h"
#include "py_simulation.h"

#include "sinew/perturbation/buckling.h"
#include "sinew/perturbation/contact_words.h"
#include "sinew/perturbation/frequency_response.h"
#include "sinew/perturbation/vibrations.h"

namespace sinew::python {
namespace {

// f(tangent, simulation) at the current state.
template <class F>
auto about_state(const PySimulation& self, const std::string& contact, F&& f) {
  const ContactTangent word = contact_of_word(contact, "contact");
  return self.alone([&](const Simulation& simulation) {
    Tangent tangent(simulation.system(), simulation.state(), word);
    return f(tangent);
  });
}

void require_count(int count) {
  if (count < 1) fail_input(code::argument, "count: found {}, expected at least 1", count);
}

py::tuple vibrations_of(const PySimulation& self, int count, const std::string& contact) {
  require_count(count);
  const ModeSet modes = about_state(self, contact, [&](Tangent& tangent) { return vibrations(tangent, count); });
  return modes_in_user_numbering(self.system(), modes.values, modes.vectors);
}

py::tuple buckling_of(const PySimulation& self, int count, bool reverse, const std::string& contact) {
  require_count(count);
  const ModeSet modes = about_state(self, contact, [&](Tangent& tangent) {
    return buckling(tangent, {count, reverse});
  });
  return modes_in_user_numbering(self.system(), modes.values, modes.vectors);
}

// Complex amplitudes by name of the number, such as "tip.displacement.y".
py::dict response_of(const PySimulation& self, const py::object& frequencies, int modes, double damping_ratio,
                     double loss_factor, const std::string& contact) {
  const DoubleArray values = real_array(frequencies, "frequencies");
  if (values.ndim() != 1 || values.size() == 0)
    fail_input(code::argument, "frequencies: found shape {}, expected (k,)", shape_text(values));
  HarmonicOptions options;
  options.frequencies.assign(values.data(), values.data() + values.size());
  if (!std::ranges::all_of(options.frequencies, [](double f) { return f > 0 && std::isfinite(f); }))
    fail_input(code::argument, "frequencies: found one that is not positive and finite [Hz]");
  if (modes < 0) fail_input(code::argument, "modes: found {}, expected at least 1, or 0 to solve directly", modes);
  options.modes = modes;
  options.damping_ratio = damping_ratio;
  options.loss_factor = loss_factor;
  const HarmonicResponse response =
      about_state(self, contact, [&](Tangent& tangent) { return frequency_response(tangent, options); });
  py::dict result;
  for (std::size_t c = 0; c < response.columns.size(); ++c) {
    const Eigen::VectorXcd column = response.values.col(static_cast<Index>(c));
    result[py::str(response.columns[c].name)] =
        py::array_t<std::complex<double>>(static_cast<py::ssize_t>(column.size()), column.data());
  }
  return result;
}

}  // namespace

void add_analyses(py::class_<PySimulation>& simulation) {
  simulation
      .def("vibrations", &vibrations_of, py::arg("count") = 20, py::arg("contact") = "scene",
           R"(Returns the lowest small vibrations about the current state: omega^2 (k,) [1/s^2] and modes (3 n, k).

Values are ascending; negative ones belong to motions that grow, zero to motions without stiffness. Modes are
orthonormal in the mass. Their rows are x, y, z of each vertex in turn.

Closed contacts with friction stick and others slide (contact="scene"), or all stick ("tied"), all slide
("sliding"), or none has stiffness ("open").)")
      .def("buckling", &buckling_of, py::arg("count") = 5, py::arg("reverse") = false, py::arg("contact") = "scene",
           R"(Returns linear buckling factors (k,), ascending, and shapes (3 n, k) about the current state.

Factors multiply the change of the loads from the state to time 1 of a static scene. There may be fewer than count.
The largest displacement of a shape is 1 m.

- reverse: loads in the opposite direction
- contact: as in vibrations())")
      .def(
          "response", &response_of, py::arg("frequencies"), py::arg("modes") = 20, py::arg("damping_ratio") = 0.0,
          py::arg("loss_factor") = 0.0, py::arg("contact") = "scene",
          R"(Returns complex amplitudes (k,) of the scene's sensors under harmonic loads, by name, about the current state.

Loads oscillate with the amplitude by which they change from the state to time 1 of a static scene. The real part is
in phase with them. Quantities that are not linear in the motion are left out with a warning.

- frequencies (k,) [Hz]
- modes: how many are superposed; 0 solves each frequency directly
- damping_ratio: of each mode, besides the damping of bodies
- loss_factor: eta of the stiffness K (1 + i eta)
- contact: as in vibrations())");
}

}  // namespace sinew::python

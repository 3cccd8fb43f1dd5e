// Present values of loads, springs, obstacles and materials, which sim.loads and its like (sinew/objects.py) read.
#include "module.h"
#include "py_simulation.h"
#include <pybind11/stl.h>

#include "sinew/model/muscle.h"

namespace sinew::python {
namespace {

std::string kind_of(const FaceLoad& load) {
  if (load.kind == LoadKind::pressure) return "pressure";
  if (load.kind == LoadKind::traction) return "traction";
  if (load.kind == LoadKind::wind) return "wind";
  if (load.kind == LoadKind::moment) return "moment";
  return load.kind == LoadKind::gas ? "gas" : "force";
}

py::array three_numbers(const Vec3& v) {
  return read_only(py::array_t<double>(py::ssize_t{3}, v.data()));
}

// By the number of the load: its kind, and its value at the present time.
py::tuple load_now(const PySimulation& self, std::size_t number) {
  const FaceLoad& load = self.system().loads.at(number);
  if (load.kind == LoadKind::gas) return py::make_tuple(kind_of(load), py::none());  // its pressure is computed
  const TimeSetup& setup = self.system().setup.time;
  const double time = self.alone([](const Simulation& sim) { return sim.time(); });
  const double ramp = setup.integrator == Integrator::statics && setup.ramp ? time : 1;
  if (load.kind != LoadKind::pressure) {
    FaceLoad given;  // of kind traction, so that a force is not divided by the area
    given.vector = load.vector;
    given.factor = load.factor;
    given.vector_keys = load.vector_keys;
    return py::make_tuple(kind_of(load), three_numbers(given.traction(time, ramp)));
  }
  return py::make_tuple(kind_of(load), load.pressure * (load.factor.empty() ? ramp : load.factor.at(time)[0]));
}

// By numbers of springs: vertices, rest lengths, stiffnesses, and fixed ends, NaN for an end at another body.
py::tuple springs_now(const PySimulation& self, const std::vector<std::size_t>& numbers) {
  const System& s = self.system();
  const auto count = static_cast<py::ssize_t>(numbers.size());
  py::array_t<Index> vertices(count);
  py::array_t<double> lengths(count), stiffnesses(count);
  Points points(3, count);
  const double time = self.alone([](const Simulation& sim) { return sim.time(); });
  for (py::ssize_t i = 0; i < count; ++i) {
    const Spring& spring = s.springs.at(numbers[i]);
    vertices.mutable_at(i) = s.vertex_to_user[spring.vertex];
    lengths.mutable_at(i) = spring_length_at(spring, time);
    stiffnesses.mutable_at(i) = spring.stiffness;
    points.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
    if (!spring.others.empty()) continue;
    points.col(i) = spring.motion < 0 ? spring.point : s.motions[spring.motion].apply(spring.point, time);
  }
  return py::make_tuple(read_only(vertices), read_only(lengths), read_only(stiffnesses), read_only(to_numpy(points)));
}

// Triangles of an obstacle's mesh, vertices in its own numbering.
py::array obstacle_triangles(const PySimulation& self, int number) {
  const System& s = self.system();
  const Index owner = static_cast<Index>(s.bodies.size()) + number, first = s.body_vertex_count();
  std::vector<Index> corners;
  for (Eigen::Index t = 0; t < s.collision.triangles.cols(); ++t)
    if (s.collision.vertex_owner[s.collision.triangles(0, t)] == owner)
      for (const Index v : s.collision.triangles.col(t)) corners.push_back(s.obstacle_vertex_to_own[v - first]);
  py::array_t<Index> result({static_cast<py::ssize_t>(corners.size() / 3), py::ssize_t{3}});
  std::copy(corners.begin(), corners.end(), result.mutable_data());
  return read_only(result);
}

// Keys of a material with their present values, and its activation if its fibers have an active tension.
py::dict material_now(const PySimulation& self, const std::string& name) {
  const Json material = self.alone([&](const Simulation&) {
    const Json scene = self.controls().completed();
    return scene.value("materials", Json::object()).value(name, Json::object());
  });
  py::dict result = to_python(material);
  const auto muscle = self.system().muscles.find(name);
  const double time = self.alone([](const Simulation& sim) { return sim.time(); });
  if (muscle != self.system().muscles.end() && muscle->second.most > 0)
    result["activation"] = activation_at(muscle->second, time);
  return result;
}

}  // namespace

void add_part_values(py::class_<PySimulation>& simulation) {
  simulation.def("_load", &load_now, py::arg("number"))
      .def("_springs", &springs_now, py::arg("numbers"))
      .def("_obstacle_triangles", &obstacle_triangles, py::arg("obstacle"))
      .def("_material", &material_now, py::arg("name"));
}

}  // namespace sinew::python

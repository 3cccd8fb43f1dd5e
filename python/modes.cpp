// sinew.modes: modes of one body at rest.
#include <algorithm>
#include <cmath>

#include "engine_call.h"
#include "module.h"
#include "py_material.h"
#include "py_mesh.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/model/system.h"
#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/reduced/hierarchy.h"

namespace sinew::python {
namespace {

std::vector<Index> vertex_ids(const py::object& fixed, Index count, const char* function) {
  std::vector<Index> ids;
  if (fixed.is_none()) return ids;
  const IndexArray values = index_array(fixed, fmt::format("modes.{}: fixed: found vertex ids", function));
  for (py::ssize_t i = 0; i < values.size(); ++i) {
    const std::int64_t id = values.data()[i];
    if (id < 0 || id >= count)
      fail_input("modes.{}: fixed: found vertex {}, expected 0 to {}", function, id, count - 1);
    ids.push_back(static_cast<Index>(id));
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::shared_ptr<const System> one_body(const TetMesh& mesh, const Material& material, std::vector<Index> fixed,
                                       double density, const char* function) {
  if (!(density > 0) || !std::isfinite(density))
    fail_input("modes.{}: density: found {}, expected more than 0 [kg/m^3]", function, density);
  Setup setup;
  setup.gravity.setZero();
  BodySetup body;
  body.name = "body";
  body.mesh = mesh;
  MaterialAssignment assignment;
  assignment.name = material.model().name();
  assignment.model = material.shared_model();
  for (const double parameter : material.kernel_parameters()) assignment.parameters.push_back({parameter});
  assignment.density = {density};
  if (material.fiber()) {
    assignment.fiber_stiffness = {material.fiber()->stiffness};
    assignment.fiber_direction = material.fiber()->direction;
  }
  body.materials = {assignment};
  if (!fixed.empty()) {
    FixSetup fix;
    fix.vertices = std::move(fixed);
    body.fixes = {fix};
  }
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

// (k,) and (3 n, k) in the mesh's numbering.
py::tuple in_user_numbering(const System& system, const VecX& values, const MatX& vectors) {
  const auto rows = static_cast<py::ssize_t>(3) * system.user_vertex_count;
  const auto columns = static_cast<py::ssize_t>(vectors.cols());
  py::array_t<double, py::array::f_style> modes({rows, columns});
  for (Index s = 0; s < vectors.cols(); ++s) {
    const Points user = system.to_user(Eigen::Map<const Points>(vectors.col(s).data(), 3, system.dynamic_count));
    std::copy_n(user.data(), rows, modes.mutable_data() + s * rows);
  }
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()), modes);
}

template <class F>
py::tuple modes_of(const char* function, const TetMesh& mesh, const Material& material, int k, const py::object& fixed,
                   double density, F&& find) {
  if (k < 1) fail_input("modes.{}: k: found {}, expected at least 1", function, k);
  std::vector<Index> ids = vertex_ids(fixed, mesh.vertex_count(), function);
  std::shared_ptr<const System> system;
  VecX values;
  MatX vectors;
  {
    const EngineCall call;
    system = one_body(mesh, material, std::move(ids), density, function);
    auto modes = find(*system, prescribed_at_start(*system), static_cast<Index>(k));
    values = std::move(modes.values);
    vectors = std::move(modes.vectors);
  }
  return in_user_numbering(*system, values, vectors);
}

}  // namespace

void add_modes(py::module_& m) {
  py::module_ modes = m.def_submodule("modes", "Bases of displacements of one body at rest.");
  modes.def(
      "linear",
      [](const TetMesh& mesh, const Material& material, int k, const py::object& fixed, double density) {
        return modes_of(
            "linear", mesh, material, k, fixed, density,
            [](const System& s, const std::vector<char>& held, Index count) { return linear_modes(s, held, count); });
      },
      py::arg("mesh"), py::arg("material"), py::arg("k"), py::arg("fixed") = py::none(), py::arg("density") = 1000.0,
      "The k lowest modes of vibration: omega^2 [1/s^2], ascending, (k,), and modes (3 n, k), x y z of vertex after "
      "vertex, orthonormal in the lumped mass. fixed: ids of vertices that do not move; a free body's rigid motions "
      "are "
      "among its modes. density [kg/m^3]. Raises InputError for more modes than there are coordinates and for "
      "materials "
      "without stiffness at rest.");
  modes.def(
      "inertia",
      [](const TetMesh& mesh, const Material& material, int k, const py::object& fixed, double density, bool reduced) {
        return modes_of("inertia", mesh, material, k, fixed, density,
                        [=](const System& s, const std::vector<char>& held, Index count) {
                          GramSchmidtOptions options;
                          options.reduced = reduced;
                          return inertia_modes(s, held, count, options);
                        });
      },
      py::arg("mesh"), py::arg("material"), py::arg("k"), py::arg("fixed") = py::none(), py::arg("density") = 1000.0,
      py::arg("reduced") = false,
      "k linear inertia modes, a Krylov space of K^-1 M, from one factorisation: their Rayleigh quotients [1/s^2], "
      "ascending, (k,), and modes (3 n, k), orthonormal in the lumped mass, without rigid motions. reduced: nearly "
      "orthogonal, by products from a sample of vertices, which takes less time for many modes of many vertices. Other "
      "arguments as of linear().");
}

}  // namespace sinew::python

// sinew.modes: modes of one body at rest.
#include <algorithm>
#include <cmath>

#include "module.h"
#include "py_material.h"
#include "py_mesh.h"
#include "py_modes.h"
#include "warnings.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"
#include "sinew/model/system.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew::python {

py::tuple modes_in_user_numbering(const System& system, const VecX& values, const MatX& vectors) {
  const auto rows = static_cast<py::ssize_t>(3) * system.user_vertex_count;
  const auto columns = static_cast<py::ssize_t>(vectors.cols());
  py::array_t<double, py::array::f_style> modes({rows, columns});
  for (Index s = 0; s < vectors.cols(); ++s) {
    const Points user = system.to_user(Eigen::Map<const Points>(vectors.col(s).data(), 3, system.dynamic_count));
    std::copy_n(user.data(), rows, modes.mutable_data() + s * rows);
  }
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()), modes);
}

namespace {

std::vector<Index> vertex_ids(const py::object& fixed, Index count, const char* function) {
  std::vector<Index> ids;
  if (fixed.is_none()) return ids;
  const IndexArray values = index_array(fixed, fmt::format("modes.{}: fixed: found vertex ids", function));
  for (py::ssize_t i = 0; i < values.size(); ++i) {
    const std::int64_t id = values.data()[i];
    if (id < 0 || id >= count)
      fail_input(code::argument, "modes.{}: fixed: found vertex {}, expected 0 to {}", function, id, count - 1);
    ids.push_back(static_cast<Index>(id));
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::shared_ptr<const System> one_body(const TetMesh& mesh, const PyMaterial& material, std::vector<Index> fixed,
                                       double density, const char* function) {
  if (!(density > 0) || !std::isfinite(density))
    fail_input(code::argument, "modes.{}: density: found {}, expected more than 0 [kg/m^3]", function, density);
  Setup setup;
  setup.gravity.setZero();
  setup.solver.multilevel.cache = false;  // what a script computes it may keep itself
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

py::tuple modes_of(const char* kind, const TetMesh& mesh, const PyMaterial& material, int k, const py::object& fixed,
                   double density, ModeOptions options = {}) {
  if (k < 1) fail_input(code::argument, "modes.{}: k: found {}, expected at least 1", kind, k);
  if (options.nonlinear.linear.number < 0)
    fail_input(code::argument, "modes.{}: linear: found {}, expected at least 1, or 0 for automatic", kind,
               options.nonlinear.linear.number);
  if (options.nonlinear.order < 1)
    fail_input(code::argument, "modes.{}: order: found {}, expected at least 1", kind, options.nonlinear.order);
  std::vector<Index> ids = vertex_ids(fixed, mesh.vertex_count(), kind);
  options.count = {k, fmt::format("modes.{}: k", kind)};
  options.nonlinear.linear.key = fmt::format("modes.{}: linear", kind);
  std::shared_ptr<const System> system;
  ModeSet modes;
  call_engine([&] {
    system = one_body(mesh, material, std::move(ids), density, kind);
    modes = kept_modes(*find_mode_kind(kind), *system, prescribed_at_start(*system), options);
  });
  return modes_in_user_numbering(*system, modes.values, modes.vectors);
}

// Derivatives of modes of a kind, whose arguments are alike.
void add_derivatives(py::module_& modes, const char* kind, const char* text) {
  modes.def(
      kind,
      [kind](const TetMesh& mesh, const PyMaterial& material, int k, const py::object& fixed, double density,
             int linear, int order, const std::string& reduce) {
        ModeOptions options;
        options.nonlinear.linear = linear;
        options.nonlinear.order = order;
        options.nonlinear.reduction = reduce;
        return modes_of(kind, mesh, material, k, fixed, density, options);
      },
      py::arg("mesh"), py::arg("material"), py::arg("k"), py::arg("fixed") = py::none(), py::arg("density") = 1000.0,
      py::arg("linear") = 0, py::arg("order") = 1, py::arg("reduce") = "pca", text);
}

}  // namespace

void add_modes(py::module_& m) {
  py::module_ modes = m.def_submodule("modes", R"(Bases of displacements of one body at rest.

Each function takes the ids of vertices that do not move (fixed) and the density [kg/m^3]. It returns values
(k,) and modes (3 n, k). The rows of modes are x, y, z of each vertex in turn, in the numbering of the mesh.
Raises InputError for more modes than coordinates and for materials without stiffness at rest.)");
  modes.def(
      "linear",
      [](const TetMesh& mesh, const PyMaterial& material, int k, const py::object& fixed, double density) {
        return modes_of("linear", mesh, material, k, fixed, density);
      },
      py::arg("mesh"), py::arg("material"), py::arg("k"), py::arg("fixed") = py::none(), py::arg("density") = 1000.0,
      R"(Returns the k lowest vibration modes: omega^2 [1/s^2], ascending, and modes, orthonormal in the lumped mass.

The rigid motions of a free body are among its modes.)");
  modes.def(
      "inertia",
      [](const TetMesh& mesh, const PyMaterial& material, int k, const py::object& fixed, double density,
         bool reduced) {
        ModeOptions options;
        options.inertia.orthogonal.reduced = reduced;
        return modes_of("inertia", mesh, material, k, fixed, density, options);
      },
      py::arg("mesh"), py::arg("material"), py::arg("k"), py::arg("fixed") = py::none(), py::arg("density") = 1000.0,
      py::arg("reduced") = false,
      R"(Returns k linear inertia modes without rigid motions: a Krylov space of K^-1 M, which needs one factorisation.

Values are Rayleigh quotients [1/s^2], ascending; modes are orthonormal in the lumped mass. With reduced=True,
products are estimated from a sample of vertices, so modes are only nearly orthogonal.)");
  add_derivatives(modes, "derivatives",
                  R"(Returns k modes for large deformations: linear modes and their derivatives (Barbic and James 2005).

- linear: number of modes to differentiate; 0 chooses it so that there are three times k candidates
- order: order of the highest derivatives
- reduce: how candidates are combined, "pca" (principal components) or "random" (random combinations)

Modes are orthonormal in the lumped mass and orthogonal in the stiffness. Values are u^T K u [1/s^2]. Rigid
motions are left out.)");
  add_derivatives(modes, "inertia_derivatives",
                  "Like derivatives(), but from linear inertia modes, which need no eigenvalue solver (Yang et al. "
                  "2015, section 4.3).");
  modes.def(
      "quadratic",
      [](const TetMesh& mesh, const PyMaterial& material, int k, const py::object& fixed, double density) {
        return modes_of("quadratic", mesh, material, k, fixed, density);
      },
      py::arg("mesh"), py::arg("material"), py::arg("k"), py::arg("fixed") = py::none(), py::arg("density") = 1000.0,
      R"(Returns the k softest displacements that are linear and quadratic in position, 24 at most.

If vertices are fixed, each displacement is replaced by the nearest one, in elastic energy, that vanishes at
them. Rigid motions are left out. Values are u^T K u [1/s^2], ascending.)");
}

}  // namespace sinew::python

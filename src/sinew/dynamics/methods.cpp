#include "sinew/dynamics/methods.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "sinew/adaptive/adaptive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/continuation.h"
#include "sinew/dynamics/full_space_model.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/dynamics/step_settings.h"
#include "sinew/dynamics/subspace_model.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/lanczos.h"
#include "sinew/linalg/pcg.h"
#include "sinew/multilevel/multilevel.h"
#include "sinew/newton/newton.h"
#include "sinew/potential/inelastic_strain.h"
#include "sinew/quasi_newton/quasi_newton.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/solver/fallback_direction.h"

namespace sinew {
namespace {

// Liu, Bouaziz and Kavan 2017, section 4.1.
constexpr double quasi_newton_armijo = 0.3;

std::unique_ptr<Stepper> in_full_space(std::shared_ptr<const System> system,
                                       std::unique_ptr<FullSpaceDirection> direction) {
  auto model = std::make_unique<FullSpaceModel>(system, std::move(direction));
  return std::make_unique<Stepper>(std::move(system), std::move(model), minimizer_settings);
}

std::unique_ptr<Stepper> newton_llt(std::shared_ptr<const System> system, const Preparation&) {
  auto solver = std::make_unique<SparseCholesky>();
  return in_full_space(std::move(system), std::make_unique<NewtonDirection>(std::move(solver)));
}

std::unique_ptr<Stepper> newton_pcg(std::shared_ptr<const System> system, const Preparation&) {
  PcgOptions settings;
  settings.tolerance = system->setup.solver.linear_tolerance;
  settings.max_iterations = system->setup.solver.linear_iterations;
  std::unique_ptr<Preconditioner> preconditioner;
  if (system->setup.solver.block_jacobi) {
    preconditioner = std::make_unique<BlockJacobi>();
  } else {
    preconditioner = std::make_unique<Jacobi>();
  }
  auto solver = std::make_unique<PcgSolver>(std::move(preconditioner), settings);
  return in_full_space(std::move(system), std::make_unique<NewtonDirection>(std::move(solver)));
}

using MakeDirection = std::unique_ptr<FullSpaceDirection>(std::shared_ptr<const System>, const Preparation&);

template <MakeDirection* make>
std::unique_ptr<Stepper> full_space(std::shared_ptr<const System> system, const Preparation& prepared) {
  auto direction = make(system, prepared);
  return in_full_space(std::move(system), std::move(direction));
}

std::unique_ptr<Stepper> quasi_newton(std::shared_ptr<const System> system, const Preparation& prepared) {
  const TimeSetup& time = system->setup.time;
  if (time.integrator == Integrator::statics)
    if (const auto loose = find_loose_piece(*system, end_of_step(*system, 0, 0)))
      fail_input(code::method,
                 "solver.method: in statics \"quasi_newton\" needs fixed vertices or springs on each body: no fixed "
                 "vertex and no spring holds body '{}' along {}; fix it, or use newton or multilevel",
                 system->bodies[loose->body].name, "xyz"[loose->axis]);
  auto direction = std::make_unique<QuasiNewtonDirection>(system, prepared);
  return in_full_space(std::move(system), std::move(direction));
}

// The method multilevel where "auto" has chosen it: a step in which it makes no progress goes on with newton.
std::unique_ptr<Stepper> multilevel_or_newton(std::shared_ptr<const System> system, const Preparation& prepared) {
  auto newton = [] { return std::make_unique<NewtonDirection>(std::make_unique<SparseCholesky>()); };
  auto direction = std::make_unique<FallbackDirection>(make_multilevel(system, prepared), newton, "newton");
  return in_full_space(std::move(system), std::move(direction));
}

template <Formulation formulation>
std::unique_ptr<Stepper> over_points(std::shared_ptr<const System> system, const Preparation& prepared) {
  auto model = std::make_unique<SubspaceModel>(system, formulation, prepared);
  return std::make_unique<Stepper>(std::move(system), std::move(model), minimizer_settings, prepared.loads);
}

// Of 3x3 blocks of factor and work space over n^(4/3), that of nested dissection in a compact solid: 21 to 22 of a
// ball, more in contact.
constexpr double factor_blocks = 24;
// Contacts in reduced matrices and eliminated rows [bytes]: what the kooshball, all surface, needs beyond the rest of
// the estimate (3.0 kB a tet, docs/performance.md, "Multilevel"); the other scenes there need 0.3 to 1.2 times as much.
constexpr double bytes_per_surface_vertex = 2500;

double factor_memory(const System& system) {
  double bytes = 0;
  for (const SystemBody& body : system.bodies)
    bytes += 9 * sizeof(double) * factor_blocks * std::pow(static_cast<double>(body.vertex_count), 4.0 / 3);
  return bytes;
}

// A factor in double precision on its way to one in single precision, of scalars; pairs.
double projective_memory(const System& system) {
  const double pairs = 2.0 * system.setup.solver.quasi_newton.history + 6;
  return factor_memory(system) / 6 + 24.0 * pairs * static_cast<double>(system.dynamic_count);
}

// Weights by vertex, of 12 bytes, with the largest of what making them takes in turn: the factor of scalars and the
// basis of the Lanczos method; its modes beside the weights; features of tets in single precision
// (cubature/cluster_points.h).
double reduced_memory(const System& system) {
  if (system.setup.solver.subspace == "full") return factor_memory(system);
  const Index handles = reduced_handles(system);
  const double vertices = system.dynamic_count, weights = vertices * handles;
  // Dense modes: the factor of the stiffness, candidates that are three times the modes, and right-hand sides.
  if (is_dense_subspace(system.setup.solver.subspace))
    return factor_memory(system) +
           sizeof(double) * 3 * vertices *
               (5.0 * handles * static_cast<double>(system.setup.solver.subspaces().size()) + 64);
  const double lanczos = factor_memory(system) / 9 + sizeof(double) * vertices * lanczos_columns(handles);
  const double features = sizeof(float) * static_cast<double>(system.tet_count()) * handles;
  const double coordinates = 12.0 * handles, points = 3.0 * reduced_points(system);
  const double matrices = 3 * coordinates * coordinates + coordinates / 3 * points;
  return 12 * weights + std::max({lanczos, sizeof(double) * weights, features}) + sizeof(double) * matrices;
}

double no_memory(const System&) {
  return 0;
}

double level_memory(const System& system) {
  return bytes_per_surface_vertex * 0.5 * static_cast<double>(system.collision.triangles.cols());
}

// Weights of the candidates, the torn mesh with its Hessian, dense Hessians of the regions: bytes a tet, and what
// estimates of the error take. Measured 424
// beyond newton-pcg (peak_memory_mb of summary.json, cube_on_spike at size medium, two steps without output), where few
// vertices are enriched; a factor of these comes on top.
double adaptive_memory(const System& system) {
  constexpr double torn = 600;
  return torn * static_cast<double>(system.tet_count()) + level_memory(system);
}

const Method table[] = {
    {"newton", "llt", {}, false, factor_memory, newton_llt, {}, 0, true, true, true},
    {"newton-pcg",
     "pcg",
     {"linear_tolerance", "linear_iterations", "linear_preconditioner"},
     false,
     no_memory,
     newton_pcg,
     {},
     0,
     true,
     true,
     true},
    {"newton-multilevel",
     "multilevel",
     {"handles", "cubature", "multilevel", "linear_tolerance", "linear_iterations"},
     true,
     level_memory,
     full_space<make_newton_multilevel>,
     {},
     0,
     false,
     true,
     true},
    {"multilevel",
     "",
     {"handles", "cubature", "multilevel", "linear_tolerance", "linear_iterations"},
     true,
     level_memory,
     full_space<make_multilevel>,
     {},
     0,
     false,
     true,
     true},
    {"adaptive",
     "",
     {"handles", "adaptive", "linear_iterations", "error_every"},
     false,
     adaptive_memory,
     full_space<make_adaptive>},
    {"mixed",
     "",
     {"handles", "subspace", "cubature", "iterations", "error_every"},
     false,
     reduced_memory,
     over_points<Formulation::mixed>,
     Formulation::mixed},
    {"reduced",
     "",
     {"handles", "subspace", "cubature", "iterations", "error_every"},
     false,
     reduced_memory,
     over_points<Formulation::standard>,
     Formulation::standard},
    {"quasi_newton",
     "",
     {"iterations", "quasi_newton"},
     false,
     projective_memory,
     quasi_newton,
     {},
     10,
     true,
     true,
     true},
};

}  // namespace

bool Method::uses(std::string_view key) const {
  return std::ranges::find(keys, key) != keys.end();
}

std::span<const Method> methods() {
  return table;
}

const Method& find_method(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Method::name);
  if (found != std::end(table)) return *found;
  fail_input(code::method, "solver.method: \"{}\" is not a method of this version; choose one of {}", name,
             fmt::join(method_names(), ", "));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names{"auto"};
  for (const Method& method : table) names.emplace_back(method.name);
  return names;
}

bool linear_solver_chooses(const SolverSetup& solver) {
  return solver.method == "newton" || solver.method == "auto";
}

std::string resolved_method(const SolverSetup& solver) {
  if (!linear_solver_chooses(solver) || solver.linear_solver.empty()) return solver.method;
  for (const Method& method : table)
    if (solver.linear_solver == method.linear_solver) return std::string(method.name);
  fail_input(code::method,
             "solver.linear_solver: \"{}\" is not a linear solver of this version; choose llt, pcg or multilevel",
             solver.linear_solver);
}

std::vector<const Method*> possible_methods(const SolverSetup& solver) {
  const std::string name = resolved_method(solver);
  if (name != "auto") return {&find_method(name)};
  return {&find_method("newton"), &find_method("multilevel")};
}

int iteration_budget(const SolverSetup& solver) {
  if (solver.iterations >= 0) return solver.iterations;
  const std::string name = resolved_method(solver);
  return name == "auto" ? 0 : find_method(name).iterations;
}

MinimizerSettings minimizer_settings(const System& system) {
  const SolverSetup& solver = system.setup.solver;
  const std::string name = resolved_method(solver);
  if (name == "auto") return step_settings(system);
  const Method& method = find_method(name);
  MinimizerSettings settings =
      step_settings(system, method.uses("iterations") ? std::optional(iteration_budget(solver)) : std::nullopt);
  if (method.uses("quasi_newton")) {
    settings.line_search.armijo = quasi_newton_armijo;
    settings.line_search.enabled = solver.quasi_newton.line_search;
  }
  return settings;
}

bool has_coarse_contact(const SolverSetup& solver) {
  const std::string name = resolved_method(solver);
  return name != "auto" && find_method(name).uses("subspace") && solver.subspace != "full";
}

namespace {

// A body with a skeleton deforms in its rest pose by warped modes; nothing else knows where bones put it.
void require_skeleton_setup(const System& system, const std::string& method) {
  const SolverSetup& solver = system.setup.solver;
  const std::string& body = system.bodies[system.skins[0].body()].name;
  const auto refuse = [&](const std::string& found, const std::string& remedy) {
    fail_input(code::method, "body '{}' has a skeleton, which {} does not support; {}", body, found, remedy);
  };
  if (method != "reduced")
    refuse(fmt::format("solver.method \"{}\"", method),
           "use \"reduced\" with a subspace of dense modes and solver.warping");
  if (!is_dense_subspace(solver.subspace))
    refuse(fmt::format("solver.subspace \"{}\"", solver.subspace), "use dense modes, for example \"inertia\"");
  if (!solver.warping) refuse("solver.warping false", "set it to true");
  if (solver.domains > 1) refuse("solver.domains", "leave it out");
  if (system.setup.contact.enabled) refuse("contact", "set contact.enabled to false");
  const auto own = [&](Index vertex) { return system.bodies[system.vertex_body[vertex]].has_skeleton; };
  for (const Spring& spring : system.springs)
    if (own(spring.vertex)) refuse("springs", "remove them");
  for (const FaceLoad& load : system.loads)
    if (load.faces.cols() > 0 && own(load.faces(0, 0))) refuse("loads", "remove them");
}

void require_elements(const System& system, const std::string& method, const std::vector<std::string_view>& able) {
  if (const InelasticBody found = inelastic_body(system); found.body >= 0 && !find_method(method).all_elements)
    fail_input(code::method, "solver.method: \"{}\" does not take the {} of body '{}'; choose one of {}", method,
               found.what, system.bodies[found.body].name, fmt::join(able, ", "));
  const auto other = std::ranges::find_if(system.groups, [](const auto& g) { return g.elements != Elements::linear; });
  if (other == system.groups.end()) return;
  const std::string& body = system.bodies[system.tet_body[other->tet_begin]].name;
  if (!find_method(method).all_elements)
    fail_input(code::method,
               "solver.method: \"{}\" does not take body '{}', whose elements are \"{}\"; choose one of {}, or linear "
               "elements",
               method, body, element_name(other->elements), fmt::join(able, ", "));
  if (find_method(method).has_levels && system.setup.solver.multilevel.has_cubature())
    fail_input(code::method,
               "solver.multilevel.printed: its cubature has no rule for body '{}', whose elements are \"{}\"; set "
               "cubature_hessian to false, or use linear elements",
               body, element_name(other->elements));
}

}  // namespace

void require_method_for_bodies(const System& system, const std::string& method) {
  // The methods named in a refusal take the scene's cloth, too.
  const auto able = [&](bool Method::*what) {
    std::vector<std::string_view> names;
    for (const Method& other : table)
      if (other.*what && (other.edge_springs || system.edge_springs.empty())) names.push_back(other.name);
    return names;
  };
  if (!system.ties.empty() && !find_method(method).ties)
    fail_input(code::method,
               "solver.method: \"{}\" does not support ties, such as the tie of bodies '{}' and '{}'; choose one of {}",
               method, system.bodies[system.ties[0].body].name, system.bodies[system.ties[0].to].name,
               fmt::join(able(&Method::ties), ", "));
  if (!system.interferences.empty() && find_method(method).uses("subspace"))
    fail_input(code::method,
               "solver.method: \"{}\" moves in a subspace that cannot hold bodies apart which overlap at the start "
               "(contact.interference); choose one of {}",
               method, fmt::join(able(&Method::ties), ", "));
  const auto gas = std::ranges::find(system.loads, LoadKind::gas, &FaceLoad::kind);
  if (gas != system.loads.end()) {
    const std::string& body = system.bodies[gas->body].name;
    if (find_method(method).uses("adaptive"))
      fail_input(code::method,
                 "solver.method: \"{}\" does not support gas, such as that of body '{}'; choose newton, or mixed or "
                 "reduced for a subspace",
                 method, body);
    if (find_method(method).has_levels && system.setup.solver.multilevel.printed)
      fail_input(code::method,
                 "solver.multilevel.printed: the method of the paper does not support gas, such as that of body '{}'; "
                 "remove the key",
                 body);
  }
  if (!system.skins.empty()) require_skeleton_setup(system, method);
  require_elements(system, method, able(&Method::all_elements));
  if (system.edge_springs.empty() || find_method(method).edge_springs) return;
  fail_input(
      code::method,
      "solver.method: \"{}\" does not take body '{}', whose material model is mass_spring: it needs an energy density "
      "of tets; choose one of {}",
      method, system.bodies[system.vertex_body[system.edge_springs[0].a]].name,
      fmt::join(able(&Method::edge_springs), ", "));
}

// The subspace of all vertices has none that follow others.
void require_vertices_of_their_own(const System& system, std::string_view method) {
  if (!find_method(method).uses("subspace") || system.setup.solver.subspace != "full") return;
  for (const SystemBody& body : system.bodies) {
    if (body.affine_volume == 0 && !body.collision_surface) continue;
    fail_input(code::method,
               "solver.subspace: \"full\" does not take the {} '{}'; choose another subspace, or method newton",
               body.affine_volume > 0 ? "affine body" : "collision surface of body", body.name);
  }
}

std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system, const Preparation& prepared) {
  std::string name = resolved_method(system->setup.solver);
  // A scene that left the method to sinew has a reason for the one that was chosen.
  const bool automatic = name == "auto" || !system->setup.solver.method_reason.empty();
  if (name == "auto") name = choose_method(*system).method;
  require_method_for_bodies(*system, name);
  if (system->setup.time.continuation) require_continuation(*system, name);
  require_vertices_of_their_own(*system, name);
  const ContactSetup& contact = system->setup.contact;
  if (contact.enabled && contact.model != ContactKind::barrier && find_method(name).uses("subspace"))
    fail_input(code::method,
               "contact.model: found \"{}\", which method \"{}\" does not support; set contact.model to "
               "\"barrier\", or use a full-space method such as {}",
               contact.model == ContactKind::penalty ? "penalty" : "convergent", name,
               contact.model == ContactKind::penalty ? "quasi_newton" : "newton");
  std::unique_ptr<Stepper> stepper = automatic && name == "multilevel"
                                         ? multilevel_or_newton(std::move(system), prepared)
                                         : find_method(name).make(std::move(system), prepared);
  stepper->take_over(prepared);
  return stepper;
}

}  // namespace sinew

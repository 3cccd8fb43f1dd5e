// What the reduced methods would set up, and what of it cannot be.

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/methods.h"
#include "sinew/lint/check_parts.h"
#include "sinew/lint/memory.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_contact.h"
#include "sinew/reduced/reduced_model.h"
#include "sinew/reduced/substructure.h"

namespace sinew {
namespace {

bool is_reduced(const SolverSetup& solver) {
  return find_method(resolved_method(solver)).uses("subspace");
}

bool has_contact(const System& system) {
  return system.setup.contact.enabled && may_touch_others(system);
}

std::string parts_text(const ReducedPlan& plan) {
  const std::string text = fmt::format(" in each of {} parts", plan.parts);
  if (plan.parts_wanted == 0) return text;
  return text + fmt::format(" (solver.domains asks for {}: the bodies have too few vertices)", plan.parts_wanted);
}

}  // namespace

std::optional<ReducedPlan> reduced_plan(const System& system) {
  const SolverSetup& solver = system.setup.solver;
  if (!is_reduced(solver)) return {};
  ReducedPlan plan;
  plan.subspaces = solver.subspaces();
  plan.rule = solver.cubature_rule;
  plan.iterations = iteration_budget(solver);
  if (solver.subspace == "full") {
    plan.points = system.tet_count();
    plan.rule = "all";
    return plan;
  }
  plan.handles = reduced_handles(system);
  if (is_dense_subspace(solver.subspace)) {
    plan.parts = planned_parts(system);
    if (solver.domains > plan.parts) plan.parts_wanted = solver.domains;
    if (solver.warping) plan.rule = "none, warped";
  }
  plan.points = is_dense_subspace(solver.subspace) && solver.warping ? 0
                : has_given_points(solver.cubature_rule)             ? reduced_points(system)
                : solver.cubature_rule == "all"                      ? system.tet_count()
                                                                     : 0;
  if (has_contact(system))
    plan.samples = system.setup.contact.surface_samples > 0 ? system.setup.contact.surface_samples : automatic_samples;
  plan.file = reduced_basis_path(system, end_of_step(system, initial_state(system)));
  std::error_code error;
  plan.is_there = !plan.file.empty() && std::filesystem::exists(plan.file, error);
  return plan;
}

void check_reduced(const System& system, const State& state, Findings& findings) {
  if (!is_reduced(system.setup.solver)) return;
  const auto add = [&](const char* kind, const char* remedy, auto&& check) {
    try {
      check();
    } catch (const InputError& error) {
      findings.add({kind, Severity::error, error.what(), remedy, {}});
    }
  };
  add("subspace", "change the scene as the message says", [&] { check_subspace(system, end_of_step(system, state)); });
  if (!has_contact(system) || system.setup.solver.subspace == "full") return;
  add("coarse contact", "raise contact.surface_samples, or move the bodies apart", [&] {
    CoarseSurface surface = make_coarse_surface(system, system.setup.contact.surface_samples);
    check_coarse_surface(surface, state.x, state.planes);
  });
}

std::string plan_text(const ReducedPlan& plan) {
  std::string text;
  if (plan.subspaces[0] == "full") {
    text = fmt::format("subspace: none (full), {} tets", plan.points);
  } else {
    const std::string kinds = fmt::format("{}", fmt::join(plan.subspaces, " + "));
    text = is_dense_subspace(plan.subspaces[0])
               ? fmt::format("subspace: {}, {} mode{}{}{}; cubature: {}", kinds, plan.handles,
                             plan.handles == 1 ? "" : "s", plan.subspaces.size() > 1 ? " each" : "",
                             plan.parts > 1 || plan.parts_wanted > 0 ? parts_text(plan) : "", plan.rule)
               : fmt::format("subspace: {}, {} handle{}, {} reduced coordinates; cubature: {}", kinds, plan.handles,
                             plan.handles == 1 ? "" : "s", 12 * plan.handles, plan.rule);
    if (plan.points > 0 && plan.parts > 1 && plan.rule != "all")
      text += fmt::format(", {} points in each", plan.points);
    else if (plan.points > 0)
      text += fmt::format(", {} points", plan.points);
    if (plan.samples > 0) text += fmt::format("; contact: about {} samples of the surfaces", plan.samples);
  }
  text += plan.iterations > 0
              ? fmt::format("\n  a budget of {} iteration{} a step\n", plan.iterations, plan.iterations == 1 ? "" : "s")
              : std::string("\n  iterations until the tolerance\n");
  if (plan.file.empty()) return text;
  return text + fmt::format("  {} {}\n", plan.is_there ? "read from the cache:" : "kept in the cache:", plan.file);
}

Json json(const ReducedPlan& plan) {
  const Json kind = plan.subspaces.size() == 1 ? Json(plan.subspaces[0]) : Json(plan.subspaces);
  return {{"kind", kind},          {"handles", plan.handles}, {"rule", plan.rule},
          {"points", plan.points}, {"samples", plan.samples}, {"iterations", plan.iterations},
          {"file", plan.file},     {"made", plan.is_there},   {"parts", plan.parts}};
}

}  // namespace sinew

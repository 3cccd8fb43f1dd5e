#include "sinew/scene/read_solver.h"

#include <algorithm>

#include "sinew/adaptive/mode_library.h"
#include "sinew/core/suggest.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/dynamics/methods.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

QuasiNewtonSetup read_quasi_newton(const Node& node) {
  QuasiNewtonSetup setup;
  setup.initial = node["initial"].text();
  setup.acceleration = node["acceleration"].text();
  setup.history = node["history"].integer();
  setup.spectral_radius = node["spectral_radius"].number();
  setup.line_search = node["line_search"].flag();
  setup.rotations = node["rotations"].flag();
  setup.low = node["stretches"][0].number();
  setup.high = node["stretches"][1].number();
  if (!(setup.low < setup.high)) {
    node["stretches"].fail(code::scene_value, "found {:g} to {:g}, expected an interval: the smaller stretch first",
                           setup.low, setup.high);
  }
  return setup;
}

PrintedSetup read_printed(const Node& node) {
  PrintedSetup printed;
  printed.affine = node["affine"].flag();
  printed.subspace = node["subspace"].flag();
  printed.factorize = node["reduced_solver"].text() == "factor";
  printed.reduced_tolerance = node["reduced_tolerance"].number();
  printed.cubature_hessian = node["hessian"].text() == "cubature";
  printed.cubature_residual = node["residual"].text() == "cubature";
  if (printed.cubature_residual && !printed.cubature_hessian)
    node["residual"].fail(code::cubature, "\"cubature\" needs solver.multilevel.printed.hessian \"cubature\" too");
  if (node["refinement"].json().is_number()) printed.refinement = node["refinement"].integer();
  if (printed.refinement == 0 && !printed.affine && !printed.subspace)
    node["refinement"].fail(code::scene_value, "found 0 while both levels are off, expected at least 1");
  printed.lag = node["lag"].integer();
  printed.lag_step = node["lag_step"].number();
  printed.stop_by_subspace = node["stop"].text() == "subspace";
  if (printed.stop_by_subspace && !printed.affine && !printed.subspace)
    node["stop"].fail(code::scene_value, "found \"subspace\" while both levels are off, expected \"full\"");
  return printed;
}

MultilevelSetup read_multilevel(const Node& solver) {
  const Node node = solver["multilevel"];
  MultilevelSetup multilevel;
  multilevel.partition = node["partition"].text();
  multilevel.stiffness_exponent = node["stiffness_exponent"].number();
  multilevel.interface_stiffness = node["interface_stiffness"].number();
  const Node prune_ratio = node["prune_ratio"];
  multilevel.prune_ratio = prune_ratio.json().is_number() ? prune_ratio.number() : 0;
  if (multilevel.partition == "metis" && multilevel.prune_ratio != MultilevelSetup().prune_ratio)
    prune_ratio.fail(
        code::scene_value,
        "found {}, but partition \"metis\" has no clusters of k-means; remove it, or use another partition",
        prune_ratio.json().dump());
  multilevel.basis = node["basis"].text();
  multilevel.dirichlet = node["dirichlet"].flag();
  multilevel.reduced_lag = node["reduced_lag"].integer();
  multilevel.eliminate_contacts = node["eliminate_contacts"].flag();
  multilevel.forcing = node["forcing"].number();
  multilevel.cache = node["cache"].flag();
  if (node.has("printed")) multilevel.printed = read_printed(node["printed"]);
  return multilevel;
}

AdaptiveSetup read_adaptive(const Node& solver, const std::filesystem::path& base_dir) {
  const Node node = solver["adaptive"];
  AdaptiveSetup adaptive;
  adaptive.library.clear();
  const Node library = node["library"];
  const std::vector<std::string> kinds = library_kinds();
  for (std::size_t i = 0; i < library.size(); ++i) {
    const std::string kind = library[i].text();
    if (!is_mode_file(kind) && std::ranges::find(kinds, kind) == kinds.end())
      library[i].fail(code::scene_value, "found \"{}\", expected one of {}, or the path of a file of modes (.npz){}",
                      kind, quoted_list(kinds), did_you_mean(kind, kinds));
    if (std::ranges::count(adaptive.library, library[i].text()) > 0)
      library[i].fail(code::scene_value, "found \"{}\" twice, expected each kind once", library[i].text());
    adaptive.library.push_back(library[i].text());
  }
  for (std::string& kind : adaptive.library)
    if (is_mode_file(kind)) kind = (base_dir / kind).string();
  if (node["initial"].json().is_number()) adaptive.initial = node["initial"].integer();
  if (node["regions"].json().is_number()) adaptive.regions = node["regions"].integer();
  adaptive.vertex_error = node["vertex_error"].number();
  adaptive.mode_error = node["mode_error"].number();
  adaptive.progress = node["progress"].number();
  adaptive.drop_rate = node["drop_rate"].number();
  adaptive.trust = node["trust"].number();
  adaptive.linear_tolerance = node["linear_tolerance"].number();
  adaptive.block_jacobi = node["preconditioner"].text() == "block_jacobi";
  adaptive.whole_regions = node["exact"].text() == "regions";
  adaptive.accept_by_estimate = node["acceptance"].text() == "estimate";
  adaptive.accuracy = node["accuracy"].number();
  return adaptive;
}

// The poses that rules of dense modes are fitted to.
void read_training(const Node& cubature, const std::string& rule, SolverSetup& solver) {
  solver.jacobian = cubature["jacobian"].text();
  solver.krylov = cubature["krylov"].text();
  solver.training.size = cubature["pose_size"].number();
  solver.training.tolerance = cubature["tolerance"].number();
  if (cubature["poses"].json().is_number()) solver.training.poses = cubature["poses"].integer();
  if (solver.jacobian != "symmetric" && rule != "modal_forces")
    cubature["jacobian"].fail(code::cubature,
                              "found \"{}\", but the forces of rule \"{}\" have a symmetric derivative; remove it, or "
                              "use rule \"modal_forces\"",
                              solver.jacobian, rule);
  if (solver.krylov != "gmres" && solver.jacobian != "free")
    cubature["krylov"].fail(code::cubature,
                            "found \"{}\", but jacobian \"{}\" is a matrix, which is factored; remove it, or use "
                            "jacobian \"free\"",
                            solver.krylov, solver.jacobian);
}

// Of the rules that are fitted to clusters, and of the points of the reduced methods.
void read_cubature(const Node& node, SolverSetup& solver) {
  const bool dense = is_dense_subspace(solver.subspace);
  std::string rule = dense ? "energies" : "stiffness";
  solver.cubature_rule = rule;
  if (!node.has("cubature")) return;
  const Node cubature = node["cubature"];
  const std::vector<const Method*> possible = possible_methods(solver);
  // Whether the multilevel method looks at them, which has rules of its own.
  const bool levels = std::ranges::any_of(possible, [](const Method* method) { return method->has_levels; }) &&
                      solver.multilevel.has_cubature();
  if (cubature.json().is_number()) {
    solver.cubature_points = cubature.integer();
    if (levels)
      cubature.fail(code::cubature,
                    "found a number of points, expected a rule, since multilevel chooses the number itself");
  } else if (cubature.json().is_string()) {
    rule = cubature.text();
  } else {
    if (cubature.has("rule")) rule = cubature["rule"].text();
    solver.cubature_degree = cubature["degree"].integer();
    if (rule == "modal" && solver.cubature_degree > 2)
      cubature["degree"].fail(code::cubature, "found {}, expected 1 or 2 with rule \"modal\"", solver.cubature_degree);
    if (cubature["points"].json().is_number()) solver.cubature_points = cubature["points"].integer();
    solver.cubature_power = cubature["power"].number();
    if (solver.cubature_points > 0 && levels)
      cubature["points"].fail(code::cubature,
                              "found {} points, but multilevel chooses their number itself; remove this key",
                              solver.cubature_points);
    if (solver.cubature_points > 0 && !has_given_points(rule))
      cubature["points"].fail(code::cubature,
                              "found {} points with rule \"{}\", which chooses their number itself; remove this key, "
                              "or use rule \"{}\" or \"{}\"",
                              solver.cubature_points, rule, dense ? "energies" : "stiffness",
                              dense ? "optimized" : "clusters");
    read_training(cubature, rule, solver);
  }
  solver.cubature_rule = rule;
  if (levels && std::ranges::count(cubature_methods(), rule) == 0)
    cubature.fail(code::cubature, "found rule \"{}\", which is for the reduced methods; expected one of {}", rule,
                  quoted_list(cubature_methods()));
  const std::vector<std::string> rules = cubature_rules(dense);
  if (!levels && std::ranges::count(rules, rule) == 0)
    cubature.fail(code::cubature, "found rule \"{}\", which is not for solver.subspace \"{}\"; expected one of {}",
                  rule, fmt::join(solver.subspaces(), "\", \""), quoted_list(rules));
}

std::string read_subspace_kind(const Node& node, const std::filesystem::path& base_dir,
                               const std::vector<std::string>& kinds) {
  const std::string kind = node.text();
  if (is_mode_file(kind)) return (base_dir / kind).string();
  if (std::ranges::count(kinds, kind) == 0)
    node.fail(code::scene_value, "found \"{}\", expected one of {}, or the path of a file of modes (.npz){}", kind,
              quoted_list(kinds), did_you_mean(kind, kinds));
  return kind;
}

// A kind, or a list of those that are modes.
void read_subspace(const Node& node, const std::filesystem::path& base_dir, SolverSetup& solver) {
  if (node.json().is_string()) {
    solver.subspace = read_subspace_kind(node, base_dir, subspace_kinds());
    return;
  }
  std::vector<std::string> all;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string kind = read_subspace_kind(node[i], base_dir, mode_kind_names());
    if (std::ranges::count(all, kind) > 0)
      node[i].fail(code::scene_value, "found \"{}\" twice, expected each kind once", node[i].text());
    all.push_back(kind);
  }
  solver.subspace = all.front();
  solver.further_subspaces.assign(all.begin() + 1, all.end());
}

}  // namespace

SolverSetup read_solver(const Node& node, const std::filesystem::path& base_dir) {
  SolverSetup solver;
  solver.method = node["method"].text();
  if (node.has("linear_solver")) solver.linear_solver = node["linear_solver"].text();
  solver.tolerance = node["tolerance"].json().is_number() ? node["tolerance"].number() : 0;
  solver.norm = node["norm"].text();
  solver.force_tolerance = node["force_tolerance"].number();
  solver.instability = node["instability"].text();
  solver.max_iterations = node["max_iterations"].integer();
  solver.linear_tolerance = node["linear_tolerance"].number();
  solver.linear_iterations = node["linear_iterations"].integer();
  if (node["error_every"].json().is_number()) solver.error_every = node["error_every"].integer();
  solver.block_jacobi = node["linear_preconditioner"].text() == "block_jacobi";
  if (node["handles"].json().is_number()) solver.handles = node["handles"].integer();
  solver.domains = node["domains"].json().is_number() ? node["domains"].integer() : 0;
  solver.warping = node["warping"].flag();
  read_subspace(node["subspace"], base_dir, solver);
  if (node["iterations"].json().is_number()) solver.iterations = node["iterations"].integer();
  solver.quasi_newton = read_quasi_newton(node["quasi_newton"]);
  solver.multilevel = read_multilevel(node);
  solver.adaptive = read_adaptive(node, base_dir);
  read_cubature(node, solver);
  return solver;
}

}  // namespace sinew

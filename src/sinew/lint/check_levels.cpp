// What the method multilevel would set up: handles, body by body, and what it keeps.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sinew/core/cache_folder.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/lint/check_parts.h"
#include "sinew/lint/handle_warnings.h"
#include "sinew/lint/memory.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/multilevel/hierarchy_cache.h"

namespace sinew {
namespace {

constexpr Index sparse = 5000;            // vertices a handle, above which its functions say little
constexpr double weights_per_vertex = 5;  // of the bases of handles, on average

// Of each connected piece the body.
std::vector<Index> body_of_pieces(const System& system, const Domain& domain) {
  std::vector<Index> body(domain.component_count, 0);
  for (Index t = 0; t < domain.tet_count(); ++t) body[domain.component[t]] = system.tet_body[t];
  return body;
}

// Of the file of a hierarchy that is not made yet [bytes].
double estimated_size(const Domain& domain, Index handles, bool with_affine) {
  constexpr double weight = sizeof(double) + sizeof(Index), offset = sizeof(std::int64_t);
  constexpr double handle = 4 * sizeof(double) + sizeof(Index);
  const double affine = with_affine ? weight + offset : 0, subspace = weights_per_vertex * weight + offset;
  return (affine + subspace) * domain.vertex_count() + sizeof(Index) * static_cast<double>(domain.tet_count()) +
         handle * (handles + domain.component_count);
}

void plan_cache(const Domain& domain, const SolverSetup& solver, LevelPlan& plan) {
  if (!is_kept(domain, solver)) {
    plan.not_kept = solver.multilevel.cache ? fmt::format("under {} tets", least_cached_tets)
                                            : std::string("solver.multilevel.cache is false");
    return;
  }
  plan.file = hierarchy_cache_path(domain, solver);
  if (plan.file.empty()) plan.not_kept = "there is no cache folder";
  // Read, as a damaged one would be made anew; the warning of that becomes a finding.
  plan.is_there = read_hierarchy(plan.file, domain, solver.multilevel).has_value();
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(plan.file, error);
  plan.file_size = plan.is_there && !error ? static_cast<double>(bytes)
                                           : estimated_size(domain, plan.handles, has_affine_level(solver.multilevel));
}

void check_too_many(const LevelPlan& plan, Findings& findings) {
  if (plan.asked <= plan.most) return;
  findings.add(
      {"handles",
       Severity::warning,
       fmt::format(
           "solver.handles is {}, but the bodies allow at most {}: one for each 4 free vertices of a connected piece",
           plan.asked, plan.most),
       fmt::format("remove solver.handles to get {}", plan.automatic),
       {},
       static_cast<double>(plan.asked)});
}

// A body whose functions reach over so many vertices that refinement has nearly all to do: the worst one.
void check_too_few(const System& system, const LevelPlan& plan, Findings& findings) {
  if (plan.sparsest < 0 || plan.most_vertices <= sparse) return;
  const std::string& name = system.bodies[plan.sparsest].name;
  const std::string others =
      plan.sparse_pieces > 1 ? fmt::format(", and {} more connected pieces are like it", plan.sparse_pieces - 1) : "";
  findings.add({"handles",
                Severity::warning,
                fmt::format("body '{}' gets one handle for each {} vertices: method multilevel then converges little "
                            "better than without handles{}",
                            name, plan.most_vertices, others),
                fmt::format("set solver.handles to about {}", plan.automatic),
                {name},
                static_cast<double>(plan.most_vertices)});
}

// All but the cache.
LevelPlan handle_plan(const System& system, const SolverSetup& solver, const Domain& domain) {
  LevelPlan plan;
  plan.body_handles.assign(system.bodies.size(), 0);
  PartitionOptions options = partition_options(solver);
  plan.pieces = domain.component_count;
  options.handles = 0;
  std::vector<ComponentShare> shares = component_shares(domain, options);
  for (const ComponentShare& share : shares)
    if (share.free_vertices > 0) plan.automatic += share.clusters;
  if (solver.handles > 0) {
    options.handles = solver.handles;
    shares = component_shares(domain, options);
  }
  plan.asked = solver.handles > 0 ? solver.handles : plan.automatic;
  const std::vector<Index> bodies = body_of_pieces(system, domain);
  std::vector<char> full(system.bodies.size(), 0);
  for (std::size_t c = 0; c < shares.size(); ++c) {
    const auto& [free, clusters, most] = shares[c];
    if (free == 0) continue;  // what is held altogether has no handle
    plan.handles += clusters;
    plan.most += most;
    plan.body_handles[bodies[c]] += clusters;
    if (clusters == most) full[bodies[c]] = 1;
    const Index vertices = free / clusters;
    if (vertices > sparse) ++plan.sparse_pieces;
    if (vertices <= plan.most_vertices) continue;
    plan.most_vertices = vertices;
    plan.sparsest = bodies[c];
  }
  plan.single = std::count(plan.body_handles.begin(), plan.body_handles.end(), 1);
  plan.full = std::count(full.begin(), full.end(), 1);
  return plan;
}

}  // namespace

LevelPlan level_plan(const System& system) {
  const SolverSetup& solver = system.setup.solver;
  const Domain domain = make_domain(system, prescribed_at_start(system));
  LevelPlan plan = handle_plan(system, solver, domain);
  plan_cache(domain, solver, plan);
  return plan;
}

void check_handles(const System& system, const SolverSetup& solver, Findings& findings) {
  if (!find_method(resolved_method(solver)).has_levels || solver.handles == 0) return;  // "auto" fits
  const LevelPlan plan = handle_plan(system, solver, make_domain(system, prescribed_at_start(system)));
  check_too_many(plan, findings);
  check_too_few(system, plan, findings);
}

void warn_of_handles(const System& system, const SolverSetup& solver, const std::string& who) {
  Findings findings;
  check_handles(system, solver, findings);
  for (const Finding& finding : findings.all()) log::warning("{}: {}; {}", who, finding.message, finding.remedy);
}

void check_method_keys(const Scene& scene, const System& system, Findings& findings) {
  const SolverSetup& solver = system.setup.solver;
  const Method& method = find_method(resolved_method(solver));
  for (const std::string& key : scene.doubtful_keys) {
    if (method.uses(key)) continue;
    findings.add({"no effect",
                  Severity::warning,
                  fmt::format("solver.{}: has no effect, since method \"auto\" is {} here: {}", key, method.name,
                              solver.method_reason),
                  "set solver.method to a method that uses this key, or remove the key",
                  {}});
  }
}

std::string plan_text(const LevelPlan& plan, const SolverSetup& solver) {
  std::string text =
      fmt::format("levels: {} handle{}, solver.handles is {}", plan.handles, plan.handles == 1 ? "" : "s",
                  solver.handles > 0 ? fmt::format("{}", solver.handles) : "\"auto\"");
  const auto bodies = [](std::ptrdiff_t count) { return fmt::format("{} {}", count, count == 1 ? "body" : "bodies"); };
  if (plan.body_handles.size() > 1) {
    if (plan.single > 0) text += fmt::format("; {} with one", bodies(plan.single));
    if (plan.full > 0) text += fmt::format("; {} with as many as the vertices allow", bodies(plan.full));
  }
  if (!plan.not_kept.empty()) return text + fmt::format("\n  made at the start of each run: {}\n", plan.not_kept);
  return text + fmt::format("\n  {} {} in {}\n", plan.is_there ? "read from the cache:" : "kept in the cache: about",
                            memory_text(plan.file_size), plan.file);
}

Json json(const LevelPlan& plan) {
  return {{"handles", plan.handles}, {"handles_asked", plan.asked},  {"pieces", plan.pieces},
          {"file", plan.file},       {"file_bytes", plan.file_size}, {"made", plan.is_there}};
}

}  // namespace sinew

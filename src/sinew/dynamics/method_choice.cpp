#include "sinew/dynamics/method_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"
#include "sinew/potential/elastic_energy.h"

namespace sinew {
namespace {

// Flops of a factorisation a vertex, from which multilevel is the faster one. Measured over the scenes of the gallery
// and of scenes/, at 2e3 to 1e7 (docs/performance.md, "Which method").
constexpr double worthwhile = 2e4;

// The blocks of the elastic Hessian: edges of linear tets and springs, and the wider couplings of other elements.
std::shared_ptr<const BlockPattern> mesh_pattern(const System& system) {
  std::vector<std::pair<Index, Index>> pairs;
  if (system.all_linear()) {
    pairs.reserve(6 * static_cast<std::size_t>(system.tet_count()));
    for (Index t = 0; t < system.tet_count(); ++t)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b) pairs.push_back(std::minmax(system.tets(a, t), system.tets(b, t)));
  } else {
    ElasticEnergy(system).collect_pairs(pairs);
  }
  for (const EdgeSpring& spring : system.edge_springs) pairs.emplace_back(spring.a, spring.b);
  return make_pattern(system.dynamic_count, pairs);
}

}  // namespace

std::string MethodChoice::reason() const {
  if (springs) return "multilevel does not take bodies of material model mass_spring";
  return fmt::format("a Cholesky factorisation takes {:.2g} flops a vertex; multilevel is faster from {:.0e} on",
                     flops_a_vertex, worthwhile);
}

// "newton" where a factorisation costs few flops a vertex, as in thin bodies; measured in docs/performance.md.
MethodChoice choose_method(const System& system) {
  MethodChoice choice;
  const auto pattern = mesh_pattern(system);
  // A quick order, whose factorisation takes up to four times the flops of the best one in large solids.
  const Ordering order = fill_reducing_order(*pattern, OrderingMethod::minimum_degree);
  choice.factor_flops = predict_flops(*pattern, order.order);
  choice.flops_a_vertex = choice.factor_flops / std::max<Index>(1, system.dynamic_count);
  choice.springs = !system.edge_springs.empty();
  choice.method = choice.springs || choice.flops_a_vertex < worthwhile ? "newton" : "multilevel";
  return choice;
}

void settle_method(SolverSetup& solver, const System& system) {
  if (solver.method != "auto") return;
  if (!solver.linear_solver.empty()) {
    solver.method = "newton";
    solver.method_reason = "solver.linear_solver selects a variant of newton";
    return;
  }
  const MethodChoice choice = choose_method(system);
  solver.method = choice.method;
  solver.method_reason = choice.reason();
}

}  // namespace sinew

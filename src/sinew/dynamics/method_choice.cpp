#include "sinew/dynamics/method_choice.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"
#include "sinew/model/element_parameters.h"
#include "sinew/potential/elastic_energy.h"

namespace sinew {
namespace {

// Flops of a factorisation a vertex, from which multilevel is the faster one on linear tets. Measured over the scenes
// of the gallery and of scenes/, at 2e3 to 1e7 (docs/performance.md, "Which method").
constexpr double worthwhile_flops = 2e4;
constexpr double measured_ratio = 9;  // the largest lambda / mu of these scenes, nu = 0.45

std::shared_ptr<const BlockPattern> with_springs(const System& system, std::vector<std::pair<Index, Index>> pairs) {
  for (const EdgeSpring& spring : system.edge_springs) pairs.emplace_back(spring.a, spring.b);
  return make_pattern(system.dynamic_count, pairs);
}

// The blocks of the elastic Hessian of linear tets and springs.
std::shared_ptr<const BlockPattern> linear_pattern(const System& system) {
  std::vector<std::pair<Index, Index>> pairs;
  pairs.reserve(6 * static_cast<std::size_t>(system.tet_count()));
  for (Index t = 0; t < system.tet_count(); ++t)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) pairs.push_back(std::minmax(system.tets(a, t), system.tets(b, t)));
  return with_springs(system, std::move(pairs));
}

// With the wider couplings of other elements.
std::shared_ptr<const BlockPattern> wide_pattern(const System& system) {
  std::vector<std::pair<Index, Index>> pairs;
  ElasticEnergy(system).collect_pairs(pairs);
  return with_springs(system, std::move(pairs));
}

// The largest lambda / mu of all materials at rest. Scenes of several materials have not been measured.
double largest_ratio(const System& system) {
  double largest = 0;
  for (const ElasticGroup& group : system.groups) {
    const bool uniform = std::ranges::all_of(group.parameters, [](const auto& values) { return values.size() == 1; });
    const Index count = uniform ? 1 : group.tet_end - group.tet_begin;
    for (Index t = 0; t < count; ++t) {
      const LameParameters lame = group.model->linearized(element_parameters(group, t).kernel);
      if (lame.mu > 0) largest = std::max(largest, lame.lambda / lame.mu);
    }
  }
  return largest;
}

}  // namespace

std::string MethodChoice::reason() const {
  if (path) return "time.continuation needs newton";
  if (springs) return "multilevel does not take bodies of material model mass_spring";
  return fmt::format("a Cholesky factorisation takes {:.2g} flops a vertex; multilevel is faster from {:.2g} on",
                     flops_a_vertex, worthwhile);
}

// "newton" where a factorisation costs few flops a vertex, as in thin bodies; measured in docs/performance.md.
MethodChoice choose_method(const System& system) {
  MethodChoice choice;
  choice.path = system.setup.time.continuation.has_value();
  if (choice.path) {
    choice.method = "newton";
    return choice;
  }
  auto pattern = linear_pattern(system);
  // A product with the Hessian costs as much as it has blocks, and conjugate gradients take sqrt(lambda / mu) times as
  // many of them.
  choice.worthwhile = worthwhile_flops * std::sqrt(std::max(1.0, largest_ratio(system) / measured_ratio));
  if (!system.all_linear()) {
    const auto linear_blocks = static_cast<double>(pattern->block_count());
    pattern = wide_pattern(system);
    choice.worthwhile *= static_cast<double>(pattern->block_count()) / linear_blocks;
  }
  // A quick order, whose factorisation takes up to four times the flops of the best one in large solids.
  const Ordering order = fill_reducing_order(*pattern, OrderingMethod::minimum_degree);
  choice.factor_flops = predict_flops(*pattern, order.order);
  choice.flops_a_vertex = choice.factor_flops / std::max<Index>(1, system.dynamic_count);
  choice.springs = !system.edge_springs.empty();
  choice.method = choice.springs || choice.flops_a_vertex < choice.worthwhile ? "newton" : "multilevel";
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

// Where one Newton iteration of bodies in contact spends its time, and how near each part comes to the machine's
// limits.

#include <optional>

#include "sinew/bench/bench.h"
#include "sinew/bench/bench_scenes.h"
#include "sinew/bench/machine_limits.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// Of neo-Hookean tets, as bench_elastic counts them.
constexpr double assembly_flops = 1667, assembly_bytes = 335, energy_flops = 180, energy_bytes = 94;

struct Stage {
  const char* name;
  double seconds = 0;
  std::optional<double> flops;  // where they can be counted
  double bytes = 0;             // that pass between memory and processor at least
};

// The parts of an iteration at the state of a simulation.
class Iteration {
 public:
  explicit Iteration(const Simulation& simulation)
      : system_(simulation.system()), state_(simulation.state()), potential_(simulation.shared_system()) {
    prepare_step(system_, state_, context_);
    potential_.begin_step(context_, system_.contact_stiffness);
    cholesky_.prepare(potential_.mesh_pattern());
    d_.setZero(3, system_.vertex_count());
    detect();
    assemble();
    factorize();
    solve();
  }

  std::vector<Stage> measure() {
    const auto seconds = shortest_seconds({[this] { detect(); }, [this] { assemble(); }, [this] { factorize(); },
                                           [this] { solve(); }, [this] { bound(); }, [this] { evaluate(); }},
                                          5);
    const double tets = system_.tet_count(), n = system_.dynamic_count;
    const CollisionMesh& mesh = system_.collision;
    const double surface = 24.0 * static_cast<double>(mesh.vertices.size()) +
                           8.0 * static_cast<double>(mesh.edges.cols()) +
                           12.0 * static_cast<double>(mesh.triangles.cols());
    const double blocks = static_cast<double>(H_.pattern().block_count());
    const double matrix = 76 * blocks, factor = 8.0 * static_cast<double>(cholesky_.report().factor_nnz);
    return {{"contact set", seconds[0], {}, surface},
            {"gradient and Hessian", seconds[1], assembly_flops * tets, assembly_bytes * tets},
            {"factorisation", seconds[2], cholesky_.report().flops, matrix + factor},
            {"solve", seconds[3], factor / 2, 2 * factor + 48 * n},
            {"step bound", seconds[4], {}, 2 * surface},
            {"energy", seconds[5], energy_flops * tets, energy_bytes * tets}};
  }

  std::size_t contacts() const { return potential_.contact().contacts().size(); }

 private:
  void detect() { potential_.set_contacts(state_.x, state_.planes); }
  void assemble() { potential_.derivatives(state_.x, {}, g_, H_); }
  void factorize() { cholesky_.compute(H_); }
  void solve() {
    cholesky_.solve(g_.data(), d_.data());
    d_.leftCols(system_.dynamic_count) *= -1;
  }
  void bound() { step_ = potential_.max_step(state_.x, d_, context_.plane_end); }
  void evaluate() { energy_ = potential_.value(state_.x).total(); }

  const System& system_;
  const State& state_;
  StepContext context_;
  IncrementalPotential potential_;
  SparseCholesky cholesky_;
  SymBlockMatrix H_;
  Points g_, d_;
  double step_ = 0, energy_ = 0;
};

}  // namespace

BenchResult bench_profile() {
  constexpr double edge = 0.0098;  // [m]
  Simulation simulation(bench_contact_pair(edge, "newton"));
  for (int s = 0; s < 2; ++s) simulation.step();
  Iteration iteration(simulation);
  const std::vector<Stage> stages = iteration.measure();
  const double flop_limit = peak_flops(), byte_limit = triad_bandwidth();
  double total = 0;
  for (const Stage& stage : stages) total += stage.seconds;
  Json rows = Json::array();
  for (const Stage& stage : stages) {
    const double least = std::max(stage.flops.value_or(0) / flop_limit, stage.bytes / byte_limit);
    rows.push_back({{"stage", stage.name},
                    {"ms", 1e3 * stage.seconds},
                    {"share", stage.seconds / total},
                    {"Mflop", stage.flops ? Json(1e-6 * *stage.flops) : Json(nullptr)},
                    {"MB", 1e-6 * stage.bytes},
                    {"Gflop/s", stage.flops ? Json(1e-9 * *stage.flops / stage.seconds) : Json(nullptr)},
                    {"GB/s", 1e-9 * stage.bytes / stage.seconds},
                    {"of_limit", least / stage.seconds}});
  }
  return {{"tets", simulation.system().tet_count()},
          {"contacts", iteration.contacts()},
          {"peak_gigaflops_per_second", 1e-9 * flop_limit},
          {"triad_gigabytes_per_second", 1e-9 * byte_limit},
          {"stages", rows}};
}

}  // namespace sinew

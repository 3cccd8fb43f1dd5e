// Benchmarks of single loops: matrix-vector product, elastic assembly, contact detection.

#include <algorithm>

#include "sinew/bench/bench.h"
#include "sinew/bench/bench_scenes.h"
#include "sinew/contact/candidates.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/potential/linear_tet_energy.h"

namespace sinew {
namespace {

constexpr int cube_cells = 24;
constexpr int product_cells = 40;  // a matrix of 32 MB

struct Assembled {
  explicit Assembled(std::shared_ptr<const System> s)
      : system(std::move(s)), elastic(system->rest, system->tets, system->groups, system->dynamic_count) {
    std::vector<std::pair<Index, Index>> pairs;
    elastic.collect_pairs(pairs);
    H.set_pattern(make_pattern(system->dynamic_count, pairs));
    g.setZero(3, system->dynamic_count);
    x = system->rest;
    x.row(0) *= 1.02;
  }
  void assemble() {
    H.set_zero();
    g.setZero();
    elastic.add_derivatives(x, 1.0, Projection::psd, g, H);
  }

  std::shared_ptr<const System> system;
  LinearTetEnergy elastic;
  SymBlockMatrix H;
  Points g, x;
};

}  // namespace

BenchResult bench_spmv() {
  Assembled model(bench_cube(product_cells));
  model.assemble();
  const BlockPattern& pattern = model.H.pattern();
  const std::size_t n = 3 * static_cast<std::size_t>(model.H.rows());
  VecX x = VecX::Ones(static_cast<Eigen::Index>(n)), y = x;

  // a = b + s c over arrays as large as the matrix: 24 bytes an entry.
  const std::size_t length = model.H.values().size();
  std::vector<double> a(length), b(length, 1.0), c(length, 2.0);
  const auto triad = [&] {
    parallel_chunks(length, 1 << 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + 3.0 * c[i];
    });
  };
  const auto seconds = shortest_seconds({[&] { model.H.multiply(x.data(), y.data()); }, triad}, 15);

  // Each stored block with its column id, the row starts, x once and y once.
  const double bytes = static_cast<double>(pattern.block_count()) * (9 * sizeof(double) + sizeof(Index)) +
                       static_cast<double>(pattern.rows) * sizeof(std::int64_t) +
                       2.0 * static_cast<double>(n) * sizeof(double);
  const double bandwidth = bytes / seconds[0], triad_bandwidth = 24.0 * static_cast<double>(length) / seconds[1];
  return {{"rows", pattern.rows},
          {"blocks", pattern.block_count()},
          {"seconds", seconds[0]},
          {"gigabytes_per_second", bandwidth * 1e-9},
          {"triad_gigabytes_per_second", triad_bandwidth * 1e-9},
          {"of_triad", bandwidth / triad_bandwidth}};
}

BenchResult bench_elastic() {
  Assembled model(bench_cube(cube_cells));
  double energy = 0;
  const auto seconds = shortest_seconds({[&] { model.assemble(); }, [&] { model.H.set_zero(); },
                                         [&] { model.elastic.add_gradient(model.x, 1.0, model.g); },
                                         [&] { energy += model.elastic.value(model.x); }});
  const double tets = model.system->tet_count();
  return {{"tets", model.system->tet_count()},
          {"assembly_ns_per_tet", 1e9 * seconds[0] / tets},
          {"clearing_ns_per_tet", 1e9 * seconds[1] / tets},
          {"gradient_ns_per_tet", 1e9 * seconds[2] / tets},
          {"energy_ns_per_tet", 1e9 * seconds[3] / tets},
          {"assembly_of_energy", seconds[0] / seconds[3]}};
}

BenchResult bench_contact() {
  const auto system = bench_contact_pair(0.008, "newton");
  const State state = initial_state(*system);
  Points d = Points::Zero(3, system->vertex_count());
  for (Index v = 0; v < system->dynamic_count; ++v) d.col(v) = 0.01 * system->initial_velocity.col(v);
  std::size_t contacts = 0;
  double step = 0;
  ContactDetector kept(system->collision);
  const auto seconds =
      shortest_seconds({[&] {
                          ContactDetector fresh(system->collision);
                          contacts = fresh.active_set(state.x, state.planes, system->contact_distance).stencils.size();
                        },
                        [&] { kept.active_set(state.x, state.planes, system->contact_distance); },
                        [&] { step = kept.max_step(state.x, d, state.planes, state.planes); }});
  const double triangles = static_cast<double>(system->collision.triangles.cols());
  return {{"triangles", system->collision.triangles.cols()},
          {"contacts", contacts},
          {"fresh_detection_ns_per_triangle", 1e9 * seconds[0] / triangles},
          {"kept_detection_ns_per_triangle", 1e9 * seconds[1] / triangles},
          {"step_bound_ns_per_triangle", 1e9 * seconds[2] / triangles},
          {"step_bound", step}};
}

}  // namespace sinew

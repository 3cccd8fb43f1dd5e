// Time of collision detection: active sets (fresh and cached) and step bounds, per surface primitive.
#include "../tests/contact/contact_meshes.h"
#include <benchmark/benchmark.h>

#include "sinew/contact/candidates.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

using namespace test;

constexpr double kSize = 1;
constexpr double kDhat = 1e-3;

// Two wavy sheets lying on each other, closer than dhat over a quarter of their area.
ContactScene wavy_sheets(Index cells) {
  const auto wave = [](double u, double v) { return 0.05 * std::sin(9 * u) * std::cos(7 * v); };
  SceneBuilder builder;
  const auto [a, ta] = height_field(cells, kSize, wave);
  const auto [b, tb] =
      height_field(cells, kSize, [&](double u, double v) { return wave(u, v) + kDhat * (2.5 + 2 * std::sin(20 * u)); });
  builder.add(a, ta);
  builder.add(b, tb);
  return builder.finish();
}

Points smooth_motion(const Points& x, double size) {
  Points d(3, x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    const Vec3 p = x.col(i);
    d.col(i) = size * Vec3(std::sin(5 * p.y()), std::cos(4 * p.x()), std::sin(3 * p.x() + 2 * p.y()));
  }
  return d;
}

void count_primitives(benchmark::State& state, const CollisionMesh& mesh) {
  const auto primitives = mesh.vertices.size() + mesh.edges.cols() + mesh.triangles.cols();
  state.counters["triangles"] = static_cast<double>(mesh.triangles.cols());
  state.counters["per_primitive"] = benchmark::Counter(static_cast<double>(primitives) * state.iterations(),
                                                       benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Arguments: cells along a side, threads.
void fresh_active_set(benchmark::State& state) {
  const ThreadLimit threads(static_cast<int>(state.range(1)));
  const ContactScene scene = wavy_sheets(static_cast<Index>(state.range(0)));
  const ContactDetector detector(scene.mesh);
  std::size_t active = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ContactDetector fresh = detector;  // without a list
    state.ResumeTiming();
    active = fresh.active_set(scene.x, {}, kDhat).stencils.size();
  }
  state.counters["active"] = static_cast<double>(active);
  count_primitives(state, scene.mesh);
}

void cached_active_set(benchmark::State& state) {
  const ThreadLimit threads(static_cast<int>(state.range(1)));
  const ContactScene scene = wavy_sheets(static_cast<Index>(state.range(0)));
  ContactDetector detector(scene.mesh);
  detector.active_set(scene.x, {}, kDhat);
  const Points moved = scene.x + smooth_motion(scene.x, 0.1 * kDhat);
  for (auto _ : state) benchmark::DoNotOptimize(detector.active_set(moved, {}, kDhat).stencils.size());
  state.counters["candidates"] = static_cast<double>(detector.candidate_count());
  state.counters["rebuilds"] = static_cast<double>(detector.rebuild_count());
  count_primitives(state, scene.mesh);
}

// Third argument: motion in per mille of the edge length.
void step_bound(benchmark::State& state) {
  const ThreadLimit threads(static_cast<int>(state.range(1)));
  const ContactScene scene = wavy_sheets(static_cast<Index>(state.range(0)));
  ContactDetector detector(scene.mesh);
  const Points d = smooth_motion(scene.x, 1e-3 * state.range(2) * kSize / state.range(0));
  double alpha = 0;
  for (auto _ : state) alpha = detector.max_step(scene.x, d, {}, {});
  state.counters["alpha"] = alpha;
  count_primitives(state, scene.mesh);
}

BENCHMARK(fresh_active_set)->Args({94, 1})->Args({94, 2})->Args({124, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cached_active_set)
    ->Args({94, 1})
    ->Args({94, 2})
    ->Args({124, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(step_bound)
    ->Args({94, 1, 50})
    ->Args({94, 2, 50})
    ->Args({94, 1, 1000})
    ->Args({94, 2, 1000})
    ->Args({94, 2, 100000})
    ->Args({124, 2, 50})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();

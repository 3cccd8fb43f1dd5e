// Meshes of implicit solids at 200k and 500k tets: a ball, which is mostly inside, and a lattice, which is mostly
// surface.
#include "implicit_mesher.h"
#include "mesher/solids.h"
#include <benchmark/benchmark.h>

namespace {

using namespace sinew;

void mesh(benchmark::State& state, const mesher::Solid& solid, double size) {
  mesher::MeshingOptions options;
  options.size = size;
  Index tets = 0;
  for (auto _ : state) tets = mesher::mesh_solid(solid, options).tet_count();
  state.counters["tets"] = tets;
}

BENCHMARK_CAPTURE(mesh, ball_200k, mesher::test::ball(), 0.045)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(mesh, ball_500k, mesher::test::ball(), 0.033)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(mesh, lattice_200k, mesher::test::lattice(4, 0.03), 0.0175)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(mesh, lattice_500k, mesher::test::lattice(4, 0.03), 0.012)->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();

// Benchmark of what is made once before the first step of the method multilevel, without cache.

#include <cmath>

#include <sys/resource.h>

#include "sinew/bench/bench.h"
#include "sinew/bench/bench_scenes.h"
#include "sinew/core/timer.h"
#include "sinew/formats/read.h"
#include "sinew/mesh/validate.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/multilevel/subspace_level.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/basis_methods.h"

namespace sinew {
namespace {

constexpr int cells[] = {16, 25, 40};  // of cubes of 5 cells^3 tets

// Of this process until now [bytes].
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// Seconds a million tets of each stage.
Json stages(const std::function<std::shared_ptr<const System>()>& make_system) {
  Stopwatch watch;
  const auto lap = [&] {
    const double seconds = watch.seconds();
    watch.restart();
    return seconds;
  };
  const std::shared_ptr<const System> system = make_system();
  const double millions = 1e-6 * system->tet_count(), model = lap();
  const Domain domain = make_domain(*system, prescribed_at_start(*system));
  const double of_domain = lap();
  const Partition partition = make_partition(domain, partition_options(system->setup.solver));
  const double clusters = lap();
  const HandleBasis basis = make_basis(domain, partition, system->setup.solver.multilevel.basis);
  const double of_basis = lap();
  const SubspaceLevel level(basis, system->rest, SubspaceLevel::Solver::factor, 0);
  const double of_level = lap();
  return {{"tets", system->tet_count()},
          {"handles", basis.handle_count()},
          {"model", model / millions},
          {"domain", of_domain / millions},
          {"clusters", clusters / millions},
          {"basis", of_basis / millions},
          {"level", of_level / millions},
          {"seconds_a_million_tets", (model + of_domain + clusters + of_basis + of_level) / millions},
          {"peak_kB_a_tet", peak_memory() / system->tet_count() / 1e3}};
}

}  // namespace

BenchResult bench_setup() {
  Json rows = Json::array();
  for (const int n : cells) rows.push_back(stages([n] { return bench_cube(n); }));
  const auto time = [&](std::size_t row) {
    return rows[row]["seconds_a_million_tets"].get<double>() * rows[row]["tets"].get<double>();
  };
  const double growth = rows[2]["tets"].get<double>() / rows[1]["tets"].get<double>();
  return {{"cubes", rows}, {"exponent_of_tets", std::log(time(2) / time(1)) / std::log(growth)}};
}

BenchResult bench_setup_on(const std::string& mesh_file) {
  TetMesh mesh = read_tet_mesh(mesh_file);
  validate(mesh, mesh_file);
  return Json::array({stages([&] { return bench_body(std::move(mesh)); })});
}

}  // namespace sinew

// Benchmark of reduced simulations: time of an iteration at the sizes of the method's paper (SMFEM, Table 1), against
// standard elements, full space and the machine's dense rate.

#include "sinew/bench/bench.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/material/registry.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"
#include "sinew/reduced/handle_kinematics.h"
#include "sinew/reduced/point_gradients.h"
#include "sinew/reduced/reduced_model.h"

namespace sinew {
namespace {

struct Size {
  int cells;  // of the short edges of a bar of twice that length
  int handles, points;
  bool full;  // whether full space is measured too
};
// 5 handles/227 points on 133k tets, 10/192 on 230k, 16/342 on 230k, 16/581 on 10k and on 531k.
constexpr Size sizes[] = {
    {22, 5, 227, true}, {27, 10, 192, true}, {27, 16, 342, true}, {9, 16, 581, false}, {35, 16, 581, true}};

constexpr int measured_steps = 40, iterations = 2;

// Soft, with a stiff half; hung up at one end.
Setup hanging_bar(const Size& size, const char* method, const char* subspace) {
  Setup setup;
  BodySetup body;
  body.name = "bar";
  body.mesh = make_box(Vec3(2, 1, 1), {2 * size.cells, size.cells, size.cells});
  MaterialAssignment soft;
  soft.name = "soft";
  soft.model = shared_material_model("fixed_corotated");
  soft.density = {1000};
  MaterialAssignment stiff = soft;
  stiff.name = "stiff";
  soft.parameters = soft.model->resolve({{"young", {1e5}}, {"poisson", {0.4}}});
  stiff.parameters = stiff.model->resolve({{"young", {1e7}}, {"poisson", {0.4}}});
  for (Index t = 0; t < body.mesh.tet_count(); ++t) {
    double x = 0;
    for (int i = 0; i < 4; ++i) x += body.mesh.vertices(0, body.mesh.tets(i, t)) / 4;
    (x > 0 ? stiff : soft).tets.push_back(t);
  }
  body.materials = {soft, stiff};
  FixSetup fix;
  for (Index v = 0; v < body.mesh.vertex_count(); ++v)
    if (body.mesh.vertices(0, v) < -1 + 1e-9) fix.vertices.push_back(v);
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  setup.contact.enabled = false;
  setup.time.step = 1.0 / 60;
  setup.solver.method = method;
  setup.solver.subspace = subspace;
  setup.solver.handles = size.handles;
  setup.solver.cubature_points = size.points;
  setup.solver.iterations = iterations;
  setup.solver.tolerance = 1e-12;  // all iterations are made
  return setup;
}

// Of a product of large matrices, flops a second of one thread.
double dense_rate() {
  constexpr int n = 768;
  const MatX A = MatX::Ones(n, n);
  MatX C = MatX::Zero(n, n);
  const double seconds =
      shortest_seconds({[&] { kernel::add_product(C.data(), n, n, n, A.data(), n, A.data(), n, n); }})[0];
  return 2.0 * n * n * n / seconds;
}

// Of the condensed matrix: products of 4 k x 3 gradients, block by block of axes (PointGradients::add_stiffness).
struct AssemblyRate {
  double flops, bytes, seconds;
};
AssemblyRate assembly_rate(const System& system) {
  ReducedModel model = make_reduced_model(system, 0);
  auto& gradients = dynamic_cast<PointGradients&>(*model.gradients);
  const Index rows = dynamic_cast<HandleKinematics&>(*model.kinematics).free_rows();
  const double columns = rows, slots = model.points->slot_count();
  const std::vector<double> K(45 * static_cast<std::size_t>(slots), 1.0);
  MatX H = MatX::Zero(3 * rows, 3 * rows);
  const double seconds = shortest_seconds({[&] { gradients.add_stiffness(K, H); }}, 20)[0];
  // Six of nine blocks; each point's gradients are read once, its products written and read once.
  return {6 * 2 * columns * columns * 3 * slots + 6 * 2 * 9 * columns * slots,
          8 * slots * (3 * columns + 2 * 18 * columns + 45), seconds};
}

double seconds_an_iteration(Simulation& simulation, int steps) {
  double seconds = 0;
  int count = 0;
  for (int s = 0; s < steps; ++s) {
    const StepReport report = simulation.step();
    seconds += report.seconds.steps;
    count += report.newton_iterations;
  }
  return seconds / count;
}

}  // namespace

BenchResult bench_reduced() {
  const ThreadLimit limit(1);
  const double rate = dense_rate();
  Json rows = Json::array();
  for (const Size& size : sizes) {
    const auto system = build_system(hanging_bar(size, "mixed", "eigenmodes"));
    Stopwatch watch;
    Simulation mixed(system);
    const double setup = watch.seconds();
    Simulation standard(build_system(hanging_bar(size, "reduced", "eigenmodes")));
    mixed.step();
    standard.step();
    double mixed_seconds = 1e300, standard_seconds = 1e300;
    for (int turn = 0; turn < 5; ++turn) {  // in turns: both meet the same noise
      mixed_seconds = std::min(mixed_seconds, seconds_an_iteration(mixed, measured_steps / 5));
      standard_seconds = std::min(standard_seconds, seconds_an_iteration(standard, measured_steps / 5));
    }
    const AssemblyRate assembly = assembly_rate(*system);
    Json row = {{"tets", system->tet_count()},
                {"handles", size.handles},
                {"points", size.points},
                {"setup_seconds", setup},
                {"mixed_ms", 1e3 * mixed_seconds},
                {"reduced_ms", 1e3 * standard_seconds},
                {"mixed_over_reduced", mixed_seconds / standard_seconds},
                {"assembly_ms", 1e3 * assembly.seconds},
                {"assembly_mflop", 1e-6 * assembly.flops},
                {"assembly_mbyte", 1e-6 * assembly.bytes},
                {"of_dense_rate", assembly.flops / assembly.seconds / rate}};
    row["full_seconds"] = nullptr;
    row["full_over_mixed"] = nullptr;
    if (size.full) {
      Simulation full(build_system(hanging_bar(size, "mixed", "full")));
      const double full_seconds = seconds_an_iteration(full, 1);
      row["full_seconds"] = full_seconds;
      row["full_over_mixed"] = full_seconds / mixed_seconds;
    }
    rows.push_back(std::move(row));
  }
  return {{"dense_gflops", 1e-9 * rate}, {"sizes", rows}};
}

}  // namespace sinew

// Iterations of conjugate gradients on the Hessian of a body with stiff inclusions at rest, beside inertia: with block
// Jacobi, with the multilevel preconditioner, and, where hypre is installed (libhypre-dev), with BoomerAMG that
// interpolates rigid-body modes (Baker, Kolev, Yang 2010, "Improving algebraic multigrid interpolation operators for
// linear elasticity problems").
//
// bench_preconditioner [CELLS]...: cells along an edge of a cube, 5 tets each; default 16 26. One thread.
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/pcg.h"
#include "sinew/material/registry.h"
#include "sinew/mesh/primitives.h"
#include "sinew/multilevel/multilevel_preconditioner.h"
#include "sinew/newton/newton_assembly.h"
#include "sinew/potential/incremental_potential.h"

#ifdef SINEW_HYPRE
#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#endif

namespace sinew {
namespace {

constexpr double tolerance = 1e-6;  // |b - H x| / |b|
constexpr int most_iterations = 20000;
constexpr int inclusions = 40;
constexpr double soft_young = 1e5;  // [Pa]

struct Result {
  int iterations = 0;
  double setup = 0, solve = 0;  // [s]
};

// A cube of 1 m, held at x = 0, with balls of another stiffness.
std::shared_ptr<const System> inclusion_cube(Index cells, double ratio) {
  Setup setup;
  setup.contact.enabled = false;
  setup.solver.multilevel.cache = false;
  BodySetup body;
  body.name = "cube";
  body.mesh = make_box(Vec3::Ones(), {cells, cells, cells});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.5, 0.5), size(0.04, 0.1);
  std::vector<std::pair<Vec3, double>> balls;
  for (int b = 0; b < inclusions; ++b)
    balls.emplace_back(Vec3(place(random), place(random), place(random)), size(random));
  for (const bool stiff : {false, true}) {
    MaterialAssignment material;
    material.name = stiff ? "inclusions" : "matrix";
    material.model = shared_material_model("neo_hookean");
    material.parameters =
        material.model->resolve({{"young", {stiff ? ratio * soft_young : soft_young}}, {"poisson", {0.3}}});
    material.density = {1000};
    for (Index t = 0; t < body.mesh.tet_count(); ++t) {
      const Vec3 center = body.mesh.vertices(Eigen::all, body.mesh.tets.col(t)).rowwise().mean();
      const bool inside = std::any_of(balls.begin(), balls.end(),
                                      [&](const auto& ball) { return (center - ball.first).norm() < ball.second; });
      if (inside == stiff) material.tets.push_back(t);
    }
    body.materials.push_back(std::move(material));
  }
  FixSetup held;
  for (Index v = 0; v < body.mesh.vertex_count(); ++v)
    if (body.mesh.vertices(0, v) < -0.5 + 1e-9) held.vertices.push_back(v);
  body.fixes.push_back(held);
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

// The Newton system of the first step from rest under gravity.
class FirstStep {
 public:
  explicit FirstStep(std::shared_ptr<const System> system)
      : system_(system), potential_(system), assembly_(true), state_(initial_state(*system)) {
    prepare_step(*system_, state_, context_);
    potential_.begin_step(context_, system_->contact_stiffness);
    assembly_.begin_step(context_, potential_);
  }

  NewtonSystem assemble() {
    d_.setZero(3, system_->vertex_count());
    return assembly_.assemble(state_.x, Projection::psd, {}, Points(), g_, d_);
  }
  const Points& rhs() const { return assembly_.rhs(); }

  Result solve(std::unique_ptr<Preconditioner> preconditioner) {
    PcgSolver solver(std::move(preconditioner), {.tolerance = tolerance, .max_iterations = most_iterations});
    const NewtonSystem system = assemble();
    const Stopwatch setup;
    solver.begin_step(assembly_.structure());
    solver.compute(system);
    Result result{.setup = setup.seconds()};
    Points x = Points::Zero(3, system.H.rows());
    const Stopwatch watch;
    result.iterations = solver.solve(rhs().data(), x.data()).iterations;
    result.solve = watch.seconds();
    return result;
  }

 private:
  std::shared_ptr<const System> system_;
  IncrementalPotential potential_;
  NewtonAssembly assembly_;
  State state_;
  StepContext context_;
  Points g_, d_;
};

#ifdef SINEW_HYPRE
// Scalar rows of H with both triangles.
struct ScalarMatrix {
  std::vector<HYPRE_BigInt> columns;
  std::vector<double> values;
  std::vector<HYPRE_Int> counts;

  explicit ScalarMatrix(const SymBlockMatrix& H) {
    const BlockPattern& pattern = H.pattern();
    std::vector<std::vector<std::pair<Index, std::pair<const double*, bool>>>> rows(H.rows());
    for (Index i = 0; i < H.rows(); ++i)
      for (auto s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
        const Index j = pattern.columns[s];
        rows[i].push_back({j, {H.block(s), false}});
        if (j != i) rows[j].push_back({i, {H.block(s), true}});
      }
    for (Index i = 0; i < H.rows(); ++i) {
      for (int a = 0; a < 3; ++a) {
        counts.push_back(static_cast<HYPRE_Int>(3 * rows[i].size()));
        for (const auto& [j, block] : rows[i])
          for (int b = 0; b < 3; ++b) {
            columns.push_back(3 * j + b);
            values.push_back(block.first[block.second ? 3 * a + b : 3 * b + a]);
          }
      }
    }
  }
};

HYPRE_IJVector make_vector(HYPRE_BigInt n, const double* values) {
  HYPRE_IJVector vector;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, n - 1, &vector);
  HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(vector);
  HYPRE_IJVectorSetValues(vector, static_cast<HYPRE_Int>(n), nullptr, values);
  HYPRE_IJVectorAssemble(vector);
  return vector;
}

HYPRE_ParVector par(HYPRE_IJVector vector) {
  void* object = nullptr;
  HYPRE_IJVectorGetObject(vector, &object);
  return static_cast<HYPRE_ParVector>(object);
}

// Conjugate gradients with one V-cycle: HMIS coarsening by nodes, extended interpolation with the rotations about the
// three axes (variant GM-2), symmetric l1 Gauss-Seidel.
Result boomer_amg(const NewtonSystem& system, const Points& rest, const Points& rhs) {
  const ScalarMatrix A(system.H);
  const auto n = static_cast<HYPRE_BigInt>(3 * system.H.rows());
  HYPRE_IJMatrix matrix;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, 0, n - 1, 0, n - 1, &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixSetRowSizes(matrix, A.counts.data());
  HYPRE_IJMatrixInitialize(matrix);
  std::vector<HYPRE_BigInt> rows(n);
  for (HYPRE_BigInt i = 0; i < n; ++i) rows[i] = i;
  auto counts = A.counts;
  HYPRE_IJMatrixSetValues(matrix, static_cast<HYPRE_Int>(n), counts.data(), rows.data(), A.columns.data(),
                          A.values.data());
  HYPRE_IJMatrixAssemble(matrix);
  void* object = nullptr;
  HYPRE_IJMatrixGetObject(matrix, &object);
  const auto parcsr = static_cast<HYPRE_ParCSRMatrix>(object);

  std::vector<HYPRE_IJVector> rotations;
  for (int axis = 0; axis < 3; ++axis) {
    Points rotation(3, system.H.rows());
    for (Index v = 0; v < system.H.rows(); ++v) {
      rotation.col(v) = Vec3::Unit(axis).cross(Vec3(rest.col(v)));
      for (int k = 0; k < 3; ++k)
        if (system.fixed[3 * v + k]) rotation(k, v) = 0;
    }
    rotations.push_back(make_vector(n, rotation.data()));
  }
  std::vector<HYPRE_ParVector> modes;
  for (HYPRE_IJVector rotation : rotations) modes.push_back(par(rotation));

  HYPRE_Solver amg, pcg;
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetNumFunctions(amg, 3);
  HYPRE_BoomerAMGSetNodal(amg, 4);
  HYPRE_BoomerAMGSetNodalDiag(amg, 1);
  HYPRE_BoomerAMGSetCoarsenType(amg, 10);
  HYPRE_BoomerAMGSetInterpType(amg, 6);
  HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
  HYPRE_BoomerAMGSetInterpVectors(amg, static_cast<HYPRE_Int>(modes.size()), modes.data());
  HYPRE_BoomerAMGSetInterpVecVariant(amg, 2);
  HYPRE_BoomerAMGSetInterpVecQMax(amg, 4);
  HYPRE_BoomerAMGSetStrongThreshold(amg, 0.5);
  HYPRE_BoomerAMGSetRelaxType(amg, 8);
  HYPRE_BoomerAMGSetRelaxOrder(amg, 0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_BoomerAMGSetTol(amg, 0);
  HYPRE_BoomerAMGSetPrintLevel(amg, 0);
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
  HYPRE_PCGSetTol(pcg, tolerance);
  HYPRE_PCGSetTwoNorm(pcg, 1);
  HYPRE_PCGSetMaxIter(pcg, most_iterations);
  HYPRE_PCGSetPrecond(pcg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                      reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
  const Points zero = Points::Zero(3, system.H.rows());
  HYPRE_IJVector b = make_vector(n, rhs.data()), x = make_vector(n, zero.data());
  const Stopwatch setup;
  HYPRE_ParCSRPCGSetup(pcg, parcsr, par(b), par(x));
  Result result{.setup = setup.seconds()};
  const Stopwatch watch;
  HYPRE_ParCSRPCGSolve(pcg, parcsr, par(b), par(x));
  result.solve = watch.seconds();
  HYPRE_Int iterations = 0;
  HYPRE_PCGGetNumIterations(pcg, &iterations);
  result.iterations = static_cast<int>(iterations);
  HYPRE_ParCSRPCGDestroy(pcg);
  HYPRE_BoomerAMGDestroy(amg);
  for (HYPRE_IJVector vector : {b, x, rotations[0], rotations[1], rotations[2]}) HYPRE_IJVectorDestroy(vector);
  HYPRE_IJMatrixDestroy(matrix);
  return result;
}
#endif

void row(Index tets, double ratio, const char* name, const Result& result) {
  fmt::print("| {} | {:.0e} | {} | {} | {:.2f} | {:.2f} |\n", tets, ratio, name, result.iterations, result.setup,
             result.solve);
  std::fflush(stdout);
}

void compare(Index cells, double ratio) {
  const std::shared_ptr<const System> system = inclusion_cube(cells, ratio);
  FirstStep step(system);
  row(system->tet_count(), ratio, "block Jacobi", step.solve(std::make_unique<BlockJacobi>()));
  row(system->tet_count(), ratio, "multilevel", step.solve(std::make_unique<MultilevelPreconditioner>(system)));
#ifdef SINEW_HYPRE
  row(system->tet_count(), ratio, "BoomerAMG", boomer_amg(step.assemble(), system->rest, step.rhs()));
#endif
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  std::vector<sinew::Index> cells;
  for (int i = 1; i < argc; ++i) cells.push_back(std::atoi(argv[i]));
  if (cells.empty()) cells = {16, 26};
  const sinew::ThreadLimit limit(1);
#ifdef SINEW_HYPRE
  MPI_Init(&argc, &argv);
  HYPRE_Init();
#endif
  fmt::print(
      "| tets | stiffness ratio | preconditioner | iterations to {:g} | set-up [s] | solve [s] "
      "|\n|---|---|---|---|---|---|\n",
      sinew::tolerance);
  for (const sinew::Index n : cells)
    for (const double ratio : {1.0, 1e2, 1e4, 1e6}) sinew::compare(n, ratio);
#ifdef SINEW_HYPRE
  HYPRE_Finalize();
  MPI_Finalize();
#endif
  return 0;
}

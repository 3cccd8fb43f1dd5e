// The numeric Cholesky factorisation beside CHOLMOD's supernodal one (with OpenBLAS), both in the engine's nested
// dissection, on elastic Hessians at rest plus masses of five bodies: OMP_THREAD_LIMIT=THREADS bench_factorisation
// [MATRIX...] prints a table in Markdown. CHOLMOD starts four threads whatever its settings say; that variable alone,
// read as the program starts, holds it to fewer.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <cholmod.h>
#include <fmt/format.h>

#include "sinew/bench/bench_scenes.h"
#include "sinew/bench/machine_limits.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/mesh/primitives.h"
#include "sinew/potential/incremental_potential.h"

extern "C" void openblas_set_num_threads(int threads);
extern "C" char* openblas_get_corename();

namespace sinew {
namespace {

constexpr int repeats = 3;  // the shortest of so many counts

struct Problem {
  std::string name;
  std::function<std::shared_ptr<const System>()> make;
  int steps = 0;  // until the bodies touch
};

const std::vector<Problem>& problems() {
  const auto body = [](auto mesh) { return [mesh] { return bench_body(mesh()); }; };
  static const std::vector<Problem> all{{"block", body([] {
                                           return make_box(Vec3::Ones(), {29, 29, 29});
                                         })},
                                        {"ball", body([] { return make_sphere(1, 0.056); })},
                                        {"plate", body([] {
                                           return make_box(Vec3(1, 0.025, 1), {120, 3, 120});
                                         })},
                                        {"bar", body([] {
                                           return make_box(Vec3(6, 0.12, 0.12), {400, 8, 8});
                                         })},
                                        {"contact", [] { return bench_contact_pair(0.0058, "newton-pcg"); }, 2}};
  return all;
}

struct Matrix {
  SymBlockMatrix H;
  Index tets = 0;
};

// The Hessian of the incremental potential where the bodies are.
Matrix assemble(const Problem& problem) {
  Simulation simulation(problem.make());
  for (int s = 0; s < problem.steps; ++s) simulation.step();
  const System& system = simulation.system();
  const State& state = simulation.state();
  StepContext context;
  prepare_step(system, state, context);
  IncrementalPotential potential(simulation.shared_system());
  potential.begin_step(context, system.contact_stiffness);
  potential.set_contacts(state.x, state.planes);
  Matrix matrix;
  matrix.tets = system.tet_count();
  Points g;
  potential.derivatives(state.x, {}, g, matrix.H);
  return matrix;
}

struct Measured {
  double analysis = 0, numeric = 1e300;  // [s]; ordering and symbolic factorisation
  double flops = 0, bytes = 0, residual = 0;
};

VecX right_side(const SymBlockMatrix& A) {
  return VecX::LinSpaced(3 * A.rows(), 0, 1000).array().sin();
}

class Ours {
 public:
  explicit Ours(const SymBlockMatrix& A) : A_(A), solver_({.ordering = OrderingMethod::nested_dissection}) {}

  void factor(Measured& m) {
    solver_.compute(A_);
    m.numeric = std::min(m.numeric, solver_.report().numeric_seconds);
  }

  void finish(Measured& m) {
    const CholeskyReport& r = solver_.report();
    m.analysis = r.ordering_seconds + r.symbolic_seconds;
    m.flops = r.flops;
    m.bytes = static_cast<double>(r.memory_bytes);
    const VecX b = right_side(A_);
    VecX x(b.size());
    m.residual = solver_.solve(b.data(), x.data()).relative_residual;
  }

 private:
  const SymBlockMatrix& A_;
  SparseCholesky solver_;
};

class Cholmod {
 public:
  explicit Cholmod(const SymBlockMatrix& A) : A_(A) {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    const Stopwatch ordering_watch;
    const Ordering ordering = fill_reducing_order(A.pattern(), OrderingMethod::nested_dissection);
    analysis_ = ordering_watch.seconds();
    std::vector<int> permutation;
    for (const Index i : ordering.order)
      for (int a = 0; a < 3; ++a) permutation.push_back(3 * i + a);
    make_matrix();
    const auto before = common_.memory_inuse;
    const Stopwatch symbolic_watch;
    factor_ = cholmod_analyze_p(matrix_, permutation.data(), nullptr, 0, &common_);
    analysis_ += symbolic_watch.seconds();
    before_ = static_cast<double>(before);
  }
  ~Cholmod() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    cholmod_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  void factor(Measured& m) {
    openblas_set_num_threads(thread_count());
    const Stopwatch watch;
    cholmod_factorize(matrix_, factor_, &common_);
    m.numeric = std::min(m.numeric, watch.seconds());
    openblas_set_num_threads(1);
  }

  void finish(Measured& m) {
    m.analysis = analysis_;
    m.flops = common_.fl;
    m.bytes = static_cast<double>(common_.memory_inuse) - before_;
    VecX b = right_side(A_), Ax(b.size());
    const auto n = static_cast<std::size_t>(b.size());
    cholmod_dense right{n, 1, n, n, b.data(), nullptr, CHOLMOD_REAL, CHOLMOD_DOUBLE};
    cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &right, &common_);
    A_.multiply(static_cast<const double*>(x->x), Ax.data());
    m.residual = (b - Ax).norm() / b.norm();
    cholmod_free_dense(&x, &common_);
  }

 private:
  // The lower triangle by columns.
  void make_matrix() {
    const BlockPattern& pattern = A_.pattern();
    const auto n = static_cast<std::size_t>(3 * A_.rows());
    matrix_ = cholmod_allocate_sparse(n, n, A_.values().size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    int *begin = static_cast<int*>(matrix_->p), *rows = static_cast<int*>(matrix_->i), count = 0;
    auto* values = static_cast<double*>(matrix_->x);
    for (Index i = 0; i < A_.rows(); ++i)
      for (int a = 0; a < 3; ++a) {
        begin[3 * i + a] = count;
        for (std::int64_t k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
          for (int b = pattern.columns[k] == i ? a : 0; b < 3; ++b) {
            rows[count] = 3 * pattern.columns[k] + b;
            values[count++] = A_.block(k)[3 * b + a];
          }
      }
    begin[n] = count;
  }

  const SymBlockMatrix& A_;
  cholmod_common common_;
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  double analysis_ = 0, before_ = 0;
};

void print_row(const Problem& problem, const Matrix& matrix, const char* solver, const Measured& m, double peak) {
  fmt::print("| {} | {} | {} | {:.3f} | {:.1f} | {:.1f} | {:.2f} | {:.0f} | {:.2f} | {:.1e} |\n", problem.name,
             matrix.tets, solver, m.numeric, 1e-9 * m.flops, 1e-9 * m.flops / m.numeric, m.flops / m.numeric / peak,
             1e-6 * m.bytes, m.analysis, m.residual);
  std::fflush(stdout);
}

void compare(const Problem& problem) {
  const Matrix matrix = assemble(problem);
  Ours ours(matrix.H);
  Cholmod cholmod(matrix.H);
  Measured of_ours, of_cholmod;
  double peak = 0;
  for (int k = 0; k < repeats; ++k) {
    ours.factor(of_ours);
    cholmod.factor(of_cholmod);
    peak = std::max(peak, peak_flops());
  }
  ours.finish(of_ours);
  cholmod.finish(of_cholmod);
  print_row(problem, matrix, "sinew", of_ours, peak);
  print_row(problem, matrix, "CHOLMOD", of_cholmod, peak);
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  const char* limit = std::getenv("OMP_THREAD_LIMIT");
  const int threads = limit ? std::atoi(limit) : 0;
  if (threads < 1) {
    fmt::print(stderr, "set OMP_THREAD_LIMIT to the number of threads: CHOLMOD would start four\n");
    return 2;
  }
  const sinew::ThreadLimit of_engine(threads);
  fmt::print("threads: {}, peak: {:.0f} Gflop/s, OpenBLAS for {}\n\n", threads, 1e-9 * sinew::peak_flops(),
             openblas_get_corename());
  fmt::print("| matrix | tets | solver | s | Gflop | Gflop/s | of peak | MB | ordering, symbolic [s] | residual |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  for (const sinew::Problem& problem : sinew::problems()) {
    bool chosen = argc == 1;
    for (int k = 1; k < argc; ++k) chosen |= problem.name == argv[k];
    if (chosen) sinew::compare(problem);
  }
  return 0;
}

// Products, PCG, Cholesky and Lanczos on tet-grid matrices, and what the machine could do: triad bandwidth and CHOLMOD.
// The second argument of each is the number of threads; the first the vertices along an edge of the grid.
#include <cmath>
#include <map>

#include <benchmark/benchmark.h>
#include <cholmod.h>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/lanczos.h"
#include "sinew/linalg/pcg.h"

extern "C" void openblas_set_num_threads(int threads);

namespace sinew {
namespace {

// Kuhn's grid of edge^3 vertices with diagonally dominant blocks.
const SymBlockMatrix& grid_matrix(Index edge) {
  static std::map<Index, SymBlockMatrix> matrices;
  if (const auto found = matrices.find(edge); found != matrices.end()) return found->second;
  std::vector<std::pair<Index, Index>> pairs;
  const auto id = [&](Index i, Index j, Index k) { return (i * edge + j) * edge + k; };
  for (Index i = 0; i < edge; ++i)
    for (Index j = 0; j < edge; ++j)
      for (Index k = 0; k < edge; ++k)
        for (int m = 1; m < 8; ++m) {
          const Index a = i + (m & 1), b = j + (m >> 1 & 1), c = k + (m >> 2);
          if (a < edge && b < edge && c < edge) pairs.emplace_back(id(i, j, k), id(a, b, c));
        }
  SymBlockMatrix A(make_pattern(edge * edge * edge, pairs));
  const BlockPattern& pattern = A.pattern();
  for (Index row = 0; row < A.rows(); ++row)
    for (std::int64_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          A.block(k)[3 * c + r] = pattern.columns[k] == row ? (r == c ? 30 : 0.2) : (r == c ? -2 : 0.1 * (r - c));
  return matrices.emplace(edge, std::move(A)).first->second;
}

VecX some_vector(Eigen::Index size) {
  return VecX::LinSpaced(size, 0, 1000).array().sin();
}

// a = b + s c over as many bytes as the product of the same size moves.
void triad(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const SymBlockMatrix& A = grid_matrix(static_cast<Index>(state.range(0)));
  const std::size_t n = A.pattern().block_count() * 76 / 24;
  std::vector<double> a(n), b(n, 1.0), c(n, 2.0);
  for (auto _ : state) {
    parallel_chunks(n, 1 << 15, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + 3.0 * c[i];
    });
    benchmark::DoNotOptimize(a.data());
  }
  state.counters["GB/s"] = benchmark::Counter(24e-9 * n, benchmark::Counter::kIsIterationInvariantRate);
}

void product(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const SymBlockMatrix& A = grid_matrix(static_cast<Index>(state.range(0)));
  const VecX x = some_vector(3 * A.rows());
  VecX y(x.size());
  for (auto _ : state) A.multiply(x.data(), y.data());
  // Blocks and columns once; x read, y written.
  const double bytes = 76.0 * A.pattern().block_count() + 8.0 * A.rows() + 48.0 * A.rows();
  state.counters["GB/s"] = benchmark::Counter(1e-9 * bytes, benchmark::Counter::kIsIterationInvariantRate);
}

void pcg_iteration(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const SymBlockMatrix& A = grid_matrix(static_cast<Index>(state.range(0)));
  PcgSolver solver(std::make_unique<BlockJacobi>(), {.tolerance = 0, .max_iterations = 20});
  solver.compute(A);
  const VecX b = some_vector(3 * A.rows());
  VecX x(b.size());
  for (auto _ : state) {
    x.setZero();
    solver.solve(b.data(), x.data());
  }
  state.counters["s/iteration"] =
      benchmark::Counter(20, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void pattern(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const BlockPattern& pattern = grid_matrix(static_cast<Index>(state.range(0))).pattern();
  std::vector<std::pair<Index, Index>> pairs;
  for (Index row = 0; row < pattern.rows; ++row)
    for (std::int64_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k)
      for (int repeat = 0; repeat < 5; ++repeat) pairs.emplace_back(pattern.columns[k], row);
  for (auto _ : state) benchmark::DoNotOptimize(make_pattern(pattern.rows, pairs));
}

void cholesky(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const SymBlockMatrix& A = grid_matrix(static_cast<Index>(state.range(0)));
  SparseCholesky solver;
  solver.compute(A);
  const VecX b = some_vector(3 * A.rows());
  VecX x(b.size());
  double factor = 0, solve = 0;
  for (auto _ : state) {
    solver.compute(A);
    solver.solve(b.data(), x.data());
    factor += solver.report().numeric_seconds;
    solve += solver.report().solve_seconds;
  }
  const auto& r = solver.report();
  state.counters["ordering_s"] = r.ordering_seconds;
  state.counters["symbolic_s"] = r.symbolic_seconds;
  state.counters["factor_s"] = factor / static_cast<double>(state.iterations());
  state.counters["solve_s"] = solve / static_cast<double>(state.iterations());
  state.counters["Gflop/s"] = benchmark::Counter(1e-9 * r.flops * state.iterations() / factor);
  state.counters["nnz"] = static_cast<double>(r.factor_nnz);
  state.counters["MB"] = 1e-6 * static_cast<double>(r.memory_bytes);
}

// Solves with a factor in single precision: one right-hand side, and three at once. ns/entry of the factor.
void compact_solve(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const SymBlockMatrix& A = grid_matrix(static_cast<Index>(state.range(0)));
  SparseCholesky solver({.compact = true});
  solver.compute(A);
  const bool three = state.range(2) == 3;
  const VecX b = some_vector((three ? 9 : 3) * static_cast<Eigen::Index>(A.rows()));
  VecX x(b.size());
  for (auto _ : state) {
    if (three) {
      solver.solve3(b.data(), x.data());
    } else {
      solver.solve(b.data(), x.data());
    }
  }
  const double bytes = 8.0 * static_cast<double>(solver.report().factor_nnz);  // 4 a number, forwards and backwards
  state.counters["GB/s"] = benchmark::Counter(1e-9 * bytes, benchmark::Counter::kIsIterationInvariantRate);
}

// The same matrix and kind of order in CHOLMOD's supernodal factorisation, on so many BLAS threads.
void cholmod_supernodal(benchmark::State& state) {
  const SymBlockMatrix& A = grid_matrix(static_cast<Index>(state.range(0)));
  const BlockPattern& pattern = A.pattern();
  const Ordering ordering = fill_reducing_order(pattern);
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_GIVEN;
  const auto n = static_cast<std::size_t>(3 * A.rows());
  cholmod_sparse* matrix = cholmod_allocate_sparse(n, n, A.values().size(), 1, 1, -1, CHOLMOD_REAL, &common);
  int *column_begin = static_cast<int*>(matrix->p), *rows = static_cast<int*>(matrix->i), count = 0;
  auto* values = static_cast<double*>(matrix->x);
  std::vector<int> permutation(n);
  for (Index i = 0; i < A.rows(); ++i)
    for (int a = 0; a < 3; ++a) {
      permutation[3 * i + a] = 3 * ordering.order[i] + a;
      column_begin[3 * i + a] = count;
      for (std::int64_t k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
        for (int b = pattern.columns[k] == i ? a : 0; b < 3; ++b) {
          rows[count] = 3 * pattern.columns[k] + b;
          values[count++] = A.block(k)[3 * b + a];
        }
    }
  column_begin[n] = count;
  const Stopwatch watch;
  cholmod_factor* factor = cholmod_analyze_p(matrix, permutation.data(), nullptr, 0, &common);
  state.counters["symbolic_s"] = watch.seconds();
  openblas_set_num_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) cholmod_factorize(matrix, factor, &common);
  openblas_set_num_threads(1);
  state.counters["Gflop/s"] = benchmark::Counter(1e-9 * common.fl, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["nnz"] = common.lnz;
  cholmod_free_factor(&factor, &common);
  cholmod_free_sparse(&matrix, &common);
  cholmod_finish(&common);
}

// The lowest eigenpairs of the grid's Laplacian with lumped masses between 0.5 and 1.5; the third argument is their
// number. The factorisation of A + shift M is part of the time.
void lanczos(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(1)));
  const BlockPattern& pattern = grid_matrix(static_cast<Index>(state.range(0))).pattern();
  SparseMatrix A(pattern.rows, pattern.rows);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index row = 0; row < pattern.rows; ++row)
    for (std::int64_t k = pattern.row_begin[row] + 1; k < pattern.row_begin[row + 1]; ++k) {
      const Index column = pattern.columns[k];
      entries.insert(entries.end(), {{row, row, 1}, {column, column, 1}, {row, column, -1}, {column, row, -1}});
    }
  A.setFromTriplets(entries.begin(), entries.end());
  const VecX mass = 1 + 0.5 * some_vector(pattern.rows).array();
  const auto count = static_cast<Index>(state.range(2));
  for (auto _ : state) benchmark::DoNotOptimize(lowest_eigenpairs(A, mass, count, 1e-2));
  state.counters["MB"] = 8e-6 * pattern.rows * lanczos_columns(count);
}

constexpr auto ms = benchmark::kMillisecond;
BENCHMARK(triad)->ArgsProduct({{34, 54, 80}, {1, 2}})->Unit(ms)->UseRealTime();
BENCHMARK(product)->ArgsProduct({{34, 54, 80}, {1, 2}})->Unit(ms)->UseRealTime();
BENCHMARK(pcg_iteration)->ArgsProduct({{34, 54}, {1, 2}})->Unit(ms)->UseRealTime();
BENCHMARK(pattern)->ArgsProduct({{54}, {1, 2}})->Unit(ms)->UseRealTime();
BENCHMARK(cholesky)->ArgsProduct({{16, 27}, {1, 2}})->Unit(ms)->UseRealTime();
BENCHMARK(compact_solve)->ArgsProduct({{16, 27}, {1, 2}, {1, 3}})->Unit(ms)->UseRealTime();
BENCHMARK(lanczos)->ArgsProduct({{27, 59}, {1, 2}, {30, 200}})->Unit(ms)->UseRealTime();
BENCHMARK(cholmod_supernodal)->ArgsProduct({{16, 27}, {1, 2}})->Unit(ms)->UseRealTime();

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();

// Elastic energy, gradient, and gradient + Hessian over a box of about 100k tets: time a tet and the share of the
// tighter of two limits measured in the same run, fused multiply-adds and memory bandwidth.
//
// Flops are counted by running the kernels themselves on a number type that counts additions, multiplications,
// divisions and rsqrt estimates (comparisons, blends and sign operations are free); for the model's own formulas they
// are counted by hand. Bytes are what must pass between memory and the processor at least once.
#include <cmath>
#include <map>
#include <random>

#include <benchmark/benchmark.h>

#include "sinew/bench/machine_limits.h"
#include "sinew/core/parallel.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/material/projection.h"
#include "sinew/material/registry.h"
#include "sinew/material/tet_kernel.h"
#include "sinew/potential/linear_tet_energy.h"
#include "sinew/potential/point_states.h"

namespace counting {

long flops = 0;

struct Number {
  double v = 0;
  Number() = default;
  explicit Number(double value) : v(value) {}
};
struct Mask {
  bool v;
};

Number counted(double value, int operations = 1) {
  flops += operations;
  return Number(value);
}
Number operator+(Number a, Number b) {
  return counted(a.v + b.v);
}
Number operator-(Number a, Number b) {
  return counted(a.v - b.v);
}
Number operator*(Number a, Number b) {
  return counted(a.v * b.v);
}
Number operator/(Number a, Number b) {
  return counted(a.v / b.v);
}
Number operator-(Number a) {
  return Number(-a.v);
}
Mask operator<(Number a, Number b) {
  return {a.v < b.v};
}
Mask operator>(Number a, Number b) {
  return {a.v > b.v};
}
Mask operator<=(Number a, Number b) {
  return {a.v <= b.v};
}
Mask operator>=(Number a, Number b) {
  return {a.v >= b.v};
}
Mask operator&&(Mask a, Mask b) {
  return {a.v && b.v};
}
Mask operator||(Mask a, Mask b) {
  return {a.v || b.v};
}
Mask operator!(Mask a) {
  return {!a.v};
}
Number select(Mask m, Number a, Number b) {
  return m.v ? a : b;
}
bool any(Mask m) {
  return m.v;
}
Number maximum(Number a, Number b) {
  return Number(std::max(a.v, b.v));
}
Number absolute(Number a) {
  return Number(std::abs(a.v));
}
Number with_sign(Number a, Number b) {
  return Number(std::copysign(a.v, b.v));
}
Number rsqrt_estimate(Number a) {
  return counted(1 / std::sqrt(a.v));
}
Number rsqrt_coarse(Number a) {
  return counted(1 / std::sqrt(a.v), 7);
}
Number rsqrt(Number a) {
  return counted(1 / std::sqrt(a.v), 12);
}

}  // namespace counting

namespace sinew {
namespace {

// Operations in the formulas of neo_hookean, with its logarithm, counted by hand.
constexpr int model_flops_value = 45, model_flops_gradient = 65, model_flops_hessian = 105;

struct Mesh {
  Points rest, x;
  Tets tets;
};

// A cube of 2^k cells a side in Morton order, six Kuhn tets each, vertices numbered as they are met, so that locality
// is as in the engine.
Mesh make_mesh(int bits) {
  const int cells = 1 << bits;
  Mesh mesh;
  std::map<std::array<int, 3>, Index> ids;
  std::vector<Vec3> points;
  std::vector<Index> corners;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [found, fresh] = ids.try_emplace(at, static_cast<Index>(points.size()));
    if (fresh) points.push_back(Vec3(at[0], at[1], at[2]) / cells);
    return found->second;
  };
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  for (int code = 0; code < cells * cells * cells; ++code) {
    std::array<int, 3> cell{};
    for (int b = 0; b < bits; ++b)
      for (int a = 0; a < 3; ++a) cell[a] |= (code >> (3 * b + a) & 1) << b;
    for (int o = 0; o < 6; ++o) {
      std::array<int, 3> at = cell;
      Index v[4] = {vertex(at)};
      for (int a = 0; a < 3; ++a) {
        ++at[orders[o][a]];
        v[a + 1] = vertex(at);
      }
      if (o >= 3) std::swap(v[2], v[3]);
      corners.insert(corners.end(), v, v + 4);
    }
  }
  mesh.rest = Eigen::Map<const Points>(points[0].data(), 3, static_cast<Eigen::Index>(points.size()));
  mesh.tets = Eigen::Map<const Tets>(corners.data(), 4, static_cast<Eigen::Index>(corners.size() / 4));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-0.05 / cells, 0.05 / cells);
  mesh.x = mesh.rest;
  for (Index i = 0; i < mesh.x.cols(); ++i) {
    const Vec3 p = mesh.rest.col(i);
    mesh.x.col(i) +=
        Vec3(0.2 * p[1] * p[1] + noise(random), 0.1 * p[0] * p[2] + noise(random), noise(random) - 0.1 * p[2]);
  }
  return mesh;
}

// Of similar stiffness at rest.
UserParameters parameters_of(const std::string& model, double young, double mu) {
  if (model == "mooney_rivlin") return {{"c10", {0.4 * mu}}, {"c01", {0.1 * mu}}, {"kappa", {4 * mu}}};
  if (model == "yeoh") return {{"c10", {mu / 2}}, {"c20", {-0.01 * mu}}, {"c30", {0.001 * mu}}, {"poisson", {0.4}}};
  if (model == "gent") return {{"mu", {mu}}, {"jm", {50}}, {"poisson", {0.4}}};
  if (model == "arruda_boyce") return {{"mu", {mu}}, {"locking", {5}}, {"poisson", {0.4}}};
  if (model == "ogden") return {{"poisson", {0.4}}};
  if (model == "hyperfoam") return {};
  if (model == "holzapfel_gasser_ogden")
    return {{"mu", {mu}}, {"k1", {mu}}, {"k2", {2}}, {"dispersion", {0.1}}, {"poisson", {0.4}}};
  if (model == "blatz_ko") return {{"mu", {mu}}};
  return {{"young", {young}}, {"poisson", {0.4}}};
}

// Some strain from before, stress and flow at every tet.
PointStates some_states(Index tets, bool plastic, double young) {
  PointStates states;
  states.groups.resize(1);
  PointStates::Group& group = states.groups[0];
  if (!plastic) {
    group.factor = 1.5;
    group.has_stress = true;
    for (Index t = 0; t < tets; ++t)
      for (int k = 0; k < 6; ++k) states.stress.push_back(0.01 * young * std::sin(t + 2.0 * k));
    return states;
  }
  group.has_release = group.has_plastic_strain = true;
  for (Index t = 0; t < tets; ++t) {
    states.plastic_strain.push_back(0.01 * (1 + std::sin(t)));
    for (int k = 0; k < 9; ++k) states.release.push_back((k % 4 == 0) + 0.01 * std::sin(t + 2.0 * k));
  }
  return states;
}

struct Problem {
  Mesh mesh = make_mesh(5);  // 196608 tets; half of them are used
  std::unique_ptr<LinearTetEnergy> energy;
  PointStates states;
  SymBlockMatrix H;
  Points g;

  Problem(const std::string& model, double young) {
    const Index m = 98304;
    mesh.tets = mesh.tets.leftCols(m).eval();
    const Index n = mesh.tets.maxCoeff() + 1;
    mesh.rest = mesh.rest.leftCols(n).eval();
    mesh.x = mesh.x.leftCols(n).eval();
    ElasticGroup group;
    const bool plastic = model == "hencky_plastic", viscous = model == "neo_hookean_viscous";
    group.model = shared_material_model(plastic ? "hencky" : viscous ? "neo_hookean" : model);
    group.tet_end = m;
    if (model == "spline") {
      group.model = group.model->with_curves(
          {{{"a",
             {{0.3, 0.6, 0.9, 1.1, 1.5, 2, 3},
              {-2 * young, -0.6 * young, -0.1 * young, 0.07 * young, 0.3 * young, 0.5 * young, young}}},
            {"b", {{0.3, 0.9, 1.2, 4}, {-0.1 * young, -0.02 * young, 0.02 * young, 0.1 * young}}},
            {"c", {{0.3, 0.8, 1.2, 4}, {-young, -0.2 * young, 0.2 * young, young}}}},
           true});
    } else {
      const double mu = young / 2.8;
      if (model == "ogden")
        group.model = group.model->with_curves({{}, false, {{"mu", {mu, -0.1 * mu}}, {"alpha", {1.3, -2}}}});
      if (model == "hyperfoam")
        group.model = group.model->with_curves({{}, false, {{"mu", {mu}}, {"alpha", {4}}, {"poisson", {0.3}}}});
      if (plastic) {  // more than half of the tets flow
        Plasticity law;
        law.yield_stress = 0.05 * young;
        law.hardening = 0.1 * young;
        law.saturation_stress = 0.08 * young;
        law.saturation_rate = 20;
        group.model = std::make_shared<const HenckyPlastic>(law);
      }
      group.parameters = group.model->resolve(parameters_of(model, young, mu));
      if (model == "holzapfel_gasser_ogden")
        group.families = {Vec3(1, 0.8, 0).normalized(), Vec3(1, -0.8, 0).normalized()};
    }
    energy = std::make_unique<LinearTetEnergy>(mesh.rest, mesh.tets, std::vector{group}, n);
    if (plastic || viscous) {
      states = some_states(m, plastic, young);
      energy->set_states(&states);
    }
    std::vector<std::pair<Index, Index>> pairs;
    energy->collect_pairs(pairs);
    H.set_pattern(make_pattern(n, pairs));
    g = Points::Zero(3, n);
  }
};

Problem& problem(const std::string& model) {
  static std::map<std::string, Problem> problems;
  return problems.try_emplace(model, model, 1e6).first->second;
}

struct Limits {
  double flops, bandwidth;
};

Limits limits(int threads) {
  static std::map<int, Limits> known;
  if (!known.count(threads)) known[threads] = {peak_flops(), triad_bandwidth()};
  return known[threads];
}

enum class Work { value, gradient, exact_hessian, projected_hessian };

// Mean over some deformed tets of the box.
double flops_per_tet(const Problem& p, Work work) {
  using counting::Number;
  std::vector<double> F(9 * p.energy->tet_count());
  p.energy->deformation_gradients(p.mesh.x, F);
  const int samples = 500, stride = p.energy->tet_count() / samples;
  counting::flops = 0;
  for (int k = 0; k < samples; ++k) {
    Number f[9], b[9], x[12];
    for (int i = 0; i < 9; ++i) b[i] = Number(i % 4 == 0);
    deformation_gradient(x, b, f);
    for (int i = 0; i < 9; ++i) f[i] = Number(F[9 * k * stride + i]);
    if (work == Work::value) {
      strain_invariants(f);
      counting::flops += model_flops_value + 2;
      continue;
    }
    Svd3<Number> svd;
    svd3(f, svd);
    Number stress[9], g[12];
    TetHessian<Number> h;
    StretchDerivatives<Number> w;
    for (int i = 0; i < 3; ++i) w.diagonal[i] = w.flip[i] = w.twist[i] = Number(1.0);
    stress_from_stretches(svd, w.first, stress);
    forces_from_stress(stress, b, g);
    counting::flops += (work == Work::gradient ? model_flops_gradient : model_flops_hessian) + 9 + 12;
    if (work == Work::gradient) continue;
    if (work == Work::projected_hessian) project(w);
    tet_hessian<Number>(svd, w, Number(1.0), b, nullptr, nullptr, h);
    counting::flops += 78;
  }
  return static_cast<double>(counting::flops) / samples;
}

double bytes_per_tet(const Problem& p, Work work) {
  const double m = p.energy->tet_count(), n = static_cast<double>(p.mesh.rest.cols());
  const double blocks = static_cast<double>(p.H.pattern().block_count());
  const ElasticLayout layout(p.mesh.rest, p.mesh.tets, p.energy->groups(), static_cast<Index>(n));
  double chunk_vertices = 0, chunk_edges = 0;
  for (const ElasticLayout::Chunk& chunk : layout.chunks()) {
    chunk_vertices += chunk.vertex_end - chunk.vertex_begin;
    chunk_edges += chunk.edge_end - chunk.edge_begin;
  }
  double bytes = 72 + 8 + 8 + (24 * n + 4 * chunk_vertices) / m;  // shape, volume, vertices, x
  if (work != Work::value) bytes += 48 * n / m;                   // g, read and written
  if (work >= Work::exact_hessian)                                // edges and their slots, H both ways
    bytes += 12 + (8 * chunk_edges + 8 * n + 144 * blocks) / m;
  return bytes;
}

void run(benchmark::State& state, const std::string& model, Work work) {
  const int threads = static_cast<int>(state.range(0));
  const ThreadLimit limit(threads);
  Problem& p = problem(model);
  for (auto _ : state) {
    if (work == Work::value) benchmark::DoNotOptimize(p.energy->value(p.mesh.x));
    if (work == Work::gradient) p.energy->add_gradient(p.mesh.x, 1, p.g);
    if (work == Work::exact_hessian) p.energy->add_derivatives(p.mesh.x, 1, Projection::none, p.g, p.H);
    if (work == Work::projected_hessian) p.energy->add_derivatives(p.mesh.x, 1, Projection::psd, p.g, p.H);
  }
  using benchmark::Counter;
  const double m = p.energy->tet_count();
  state.counters["s_per_tet"] = Counter(m, Counter::kIsIterationInvariantRate | Counter::kInvert);
  if (model != "neo_hookean") return;
  const Limits most = limits(threads);
  const double flops = flops_per_tet(p, work), bytes = bytes_per_tet(p, work);
  const double least = std::max(flops / most.flops, bytes / most.bandwidth);  // s a tet at the tighter limit
  state.counters["flops"] = flops;
  state.counters["bytes"] = bytes;
  state.counters["peak"] = most.flops;
  state.counters["triad"] = most.bandwidth;
  state.counters["share"] = Counter(m * least, Counter::kIsIterationInvariantRate);
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  using sinew::Work;
  const std::pair<const char*, Work> works[] = {{"value", Work::value},
                                                {"gradient", Work::gradient},
                                                {"gradient_hessian", Work::exact_hessian},
                                                {"gradient_hessian_psd", Work::projected_hessian}};
  for (const std::string model : {"neo_hookean", "stable_neo_hookean", "fixed_corotated", "mooney_rivlin", "yeoh",
                                  "gent", "arruda_boyce", "ogden", "hyperfoam", "blatz_ko", "spline", "hencky",
                                  "holzapfel_gasser_ogden", "neo_hookean_viscous", "hencky_plastic"}) {
    for (const auto& [name, work] : works) {
      benchmark::RegisterBenchmark(("elastic/" + model + "/" + name).c_str(),
                                   [model, work = work](benchmark::State& state) { sinew::run(state, model, work); })
          ->Arg(1)
          ->Arg(2)
          ->UseRealTime()
          ->MeasureProcessCPUTime();
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

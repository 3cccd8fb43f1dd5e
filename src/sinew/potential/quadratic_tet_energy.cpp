#include "sinew/potential/quadratic_tet_energy.h"

#include <algorithm>
#include <cassert>

#include "sinew/core/parallel.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/material/model.h"
#include "sinew/material/projection.h"
#include "sinew/potential/elastic_batch.h"
#include "sinew/potential/point_states.h"
#include "sinew/potential/second_stress_terms.h"
#include "sinew/potential/volume_energy.h"

namespace sinew {

using namespace elastic_detail;

namespace {

// Symbols as in linear_tet_energy.cpp, at quadrature point q of each lane's tet: y = c x the corners of the linear tet
// of the point, D their edges at rest, F = D_s(y) D^-1 = U S V^T, W the energy density, P = dW/dF, V = det(D) / 24.

constexpr int nodes_of_tet = quadratic_tet_nodes;

// Positions of a pack's nodes, and parameters of its tets.
struct Pack {
  int used = 0;
  Index number = 0;
  const ElasticGroup* group = nullptr;
  Lanes x[3 * nodes_of_tet];
  Lanes kernel[MaterialModel::max_kernel_parameters];
  Fiber<Lanes> fiber;
  Index first = 0;                                 // the first tet
  Index tets[lane_count], group_tets[lane_count];  // of the lanes; counted in the group
  Lanes factor;                                    // of the tets in the sum
  const PointStates* states = nullptr;
  PointStates::Group state;  // of the group
  bool has_pressure = false;
  Lanes pressure[quadratic_tet_points];  // of mixed elements [Pa]
};

// The state at one quadrature point: F = U S V^T.
struct PointState {
  Lanes f[9], shape[9], volume;
  Lanes history[6];      // S / c of viscous materials [Pa]
  Lanes plastic_strain;  // of plastic ones
  Svd3<Lanes> svd;
};

// Calls f.operator()<q>() for all quadrature points q.
template <class F>
[[gnu::always_inline]] inline void for_each_point(F&& f) {
  f.template operator()<0>();
  f.template operator()<1>();
  f.template operator()<2>();
  f.template operator()<3>();
}

// One value for all tets, or those of the lanes.
Lanes load_values(std::span<const double> values, const Index* tets) {
  if (values.size() == 1) return Lanes(values[0]);
  return Lanes([&](auto lane) { return values[tets[lane]]; });
}

// Values that stand together, `width` at point q of each tet.
void load_rows(const std::vector<double>& values, int width, const Pack& pack, int q, Lanes* out) {
  for (int k = 0; k < width; ++k)
    out[k] = Lanes([&](auto lane) {
      return values[width * (static_cast<std::size_t>(quadratic_tet_points) * pack.tets[lane] + q) + k];
    });
}

void load_state(const Pack& pack, int q, PointState& out) {
  const PointStates& states = *pack.states;
  out.volume *= pack.state.factor;
  if (!states.with_history)
    out.plastic_strain = Lanes(HenckyPlastic::no_flow);
  else if (pack.state.has_plastic_strain)
    load_rows(states.plastic_strain, 1, pack, q, &out.plastic_strain);
  if (pack.state.has_stress) load_rows(states.stress, 6, pack, q, out.history);
  if (!pack.state.has_release) return;
  Lanes release[9];
  load_rows(states.release, 9, pack, q, release);
  release_shape(release, out.shape);
  out.volume /= determinant3(release);
}

// The derivatives of W at a point.
void evaluate(const Pack& pack, const PointState& at, const Lanes* s, Order order, StretchDerivatives<Lanes>& w) {
  if (!pack.state.has_plastic_strain) return pack.group->model->evaluate(s, pack.kernel, order, w);
  Lanes kernel[MaterialModel::max_kernel_parameters];
  std::copy_n(pack.kernel, MaterialModel::max_kernel_parameters, kernel);
  kernel[HenckyPlastic::plastic_strain] = at.plastic_strain;
  pack.group->model->evaluate(s, kernel, order, w);
}

template <int q>
void load_point(const QuadraticTetLayout& layout, const Pack& pack, PointState& out) {
  Lanes corners[12];
  corners_at_point<q>(pack.x, corners);
  for (int k = 0; k < 9; ++k) out.shape[k] = load_lanes(layout.shape(pack.number, q) + k * lane_count);
  out.volume = load_lanes(layout.volume(pack.number, q));
  if (pack.states) load_state(pack, q, out);
  deformation_gradient(corners, out.shape, out.f);
}

LanesOfGroup lanes_of(const Pack& pack) {
  return {*pack.group, pack.kernel, pack.group_tets};
}

// W [J/m^3]; lanes past the end are zero.
Lanes point_energy(const Pack& pack, const PointState& at) {
  const MaterialModel& model = *pack.group->model;
  Lanes w;
  if (model.has_invariant_form()) {
    w = model.energy(strain_invariants(at.f), pack.kernel);
  } else {
    Svd3<Lanes> svd;
    svd3(at.f, svd);
    StretchDerivatives<Lanes> derivatives;
    evaluate(pack, at, svd.s, Order::value, derivatives);
    w = derivatives.value;
  }
  if (has_fiber(*pack.group)) w += fiber_energy(at.f, pack.fiber);
  if (pack.state.has_stress) w += second_stress_energy(at.f, at.history);
  for_each_family(lanes_of(pack), [&](const FiberFamily& family) { w += family_derivatives(family, at.f).value; });
  return select(at.volume > 0.0, at.volume * w, Lanes(0.0));
}

// P = dW/dF, row-major [Pa].
void piola(const Pack& pack, const PointState& at, const StretchDerivatives<Lanes>& w, const FiberState<Lanes>* fiber,
           Lanes* p) {
  stress_from_stretches(at.svd, w.first, p);
  if (!fiber) return;
  for (int k = 0; k < 9; ++k) p[k] += fiber->force[k / 3] * pack.fiber.direction[k % 3];
}

// P at one point, and the state there.
template <int q>
void point_stress(const QuadraticTetLayout& layout, const Pack& pack, PointState& at, Lanes* p) {
  load_point<q>(layout, pack, at);
  svd3(at.f, at.svd);
  StretchDerivatives<Lanes> w;
  evaluate(pack, at, at.svd.s, Order::gradient, w);
  if (pack.has_pressure) add_pressure(at.svd.s, pack.pressure[q], Order::gradient, w);
  FiberState<Lanes> fiber;
  const bool with_fiber = has_fiber(*pack.group);
  if (with_fiber) fiber_state(at.f, pack.fiber, false, false, fiber);
  piola(pack, at, w, with_fiber ? &fiber : nullptr, p);
  const Lanes* history = pack.state.has_stress ? at.history : nullptr;
  if (has_second_stress(*pack.group, history)) add_second_stress(lanes_of(pack), history, at.f, p);
}

// Forces on the nodes += scale V c^T P D^-T of one point.
template <int q>
void add_point_gradient(const QuadraticTetLayout& layout, const Pack& pack, double scale, Lanes* g) {
  PointState at;
  Lanes p[9], corners[12];
  point_stress<q>(layout, pack, at, p);
  for (Lanes& value : p) value *= at.volume * scale;
  forces_from_stress(p, at.shape, corners);
  add_to_nodes<q>(corners, g);
}

// As above, and H += scale V c^T K c with the Hessian K of the linear tet of the point:
//
// 1. w_i and w_ij of the model at the principal stretches, and the fiber's; `psd` clamps their eigenvalues.
// 2. P, and forces on the corners y and then on the nodes.
// 3. K from the eigenmodes (material/tet_kernel.h).
// 4. Forces and K of history and fiber families (potential/second_stress_terms.h).
// 5. The 55 combinations of K by c.
template <int q>
void add_point_derivatives(const QuadraticTetLayout& layout, const Pack& pack, double scale, bool psd, Lanes* g,
                           QuadraticTetHessian<Lanes>& h) {
  PointState at;
  load_point<q>(layout, pack, at);
  svd3(at.f, at.svd);
  StretchDerivatives<Lanes> w;
  evaluate(pack, at, at.svd.s, Order::hessian, w);
  if (pack.has_pressure) add_pressure(at.svd.s, pack.pressure[q], Order::hessian, w);
  if (psd) project(w);
  FiberState<Lanes> fiber;
  const bool with_fiber = has_fiber(*pack.group);
  if (with_fiber) fiber_state(at.f, pack.fiber, true, psd, fiber);
  Lanes p[9], corners[12];
  piola(pack, at, w, with_fiber ? &fiber : nullptr, p);
  const Lanes volume = at.volume * scale;
  for (Lanes& value : p) value *= volume;
  forces_from_stress(p, at.shape, corners);
  TetHessian<Lanes> k;
  tet_hessian<Lanes>(at.svd, w, volume, at.shape, with_fiber ? &fiber : nullptr,
                     with_fiber ? pack.fiber.direction : nullptr, k);
  const Lanes* history = pack.state.has_stress ? at.history : nullptr;
  if (has_second_stress(*pack.group, history))
    add_second_stress(lanes_of(pack), history, at.f, at.shape, volume, psd, corners, k);
  add_to_nodes<q>(corners, g);
  add_to_nodes<q>(k, h);
}

void multiply(const Lanes& factor, Lanes* g, QuadraticTetHessian<Lanes>& h) {
  for (int k = 0; k < 3 * nodes_of_tet; ++k) g[k] *= factor;
  for (auto& block : h.diagonal)
    for (Lanes& value : block) value *= factor;
  for (auto& block : h.pair)
    for (Lanes& value : block) value *= factor;
}

}  // namespace

// Sums of one chunk, all zero between chunks.
struct QuadraticTetEnergy::Sums {
  double gradient[QuadraticTetLayout::max_chunk_vertices][3];
  double diagonal[QuadraticTetLayout::max_chunk_vertices][6];
  double pair[QuadraticTetLayout::max_chunk_pairs][9];
};

QuadraticTetEnergy::QuadraticTetEnergy(const Points& rest, const QuadraticTets& tets, std::vector<ElasticGroup> groups,
                                       Index dynamic_count)
    : groups_(std::move(groups)), layout_(rest, tets, groups_, dynamic_count), chunk_values_(layout_.chunks().size()) {
  std::vector<Index> begin, predecessors;
  layout_.find_predecessors(begin, predecessors);
  order_ = OrderedChunks(std::move(begin), std::move(predecessors));
}

QuadraticTetEnergy::~QuadraticTetEnergy() = default;

// Calls f(pack) for the packs of a chunk: gathers positions of nodes, and the material's values.
template <class F>
void QuadraticTetEnergy::for_each_pack(Index c, const Points& x, const PointStates* states, F&& f) const {
  const QuadraticTetLayout::Chunk& chunk = layout_.chunks()[c];
  const std::span<const Index> vertices = layout_.chunk_vertices(chunk);
  Pack pack;
  pack.group = &groups_[chunk.group];
  pack.states = states;
  if (states) pack.state = states->groups[chunk.group];
  if (states && !states->with_history) pack.state.factor = 1, pack.state.has_stress = false;
  for (Index p = 0; p < chunk.packs(); ++p) {
    pack.number = chunk.pack_begin + p;
    pack.used = chunk.used(pack.number);
    pack.first = chunk.tet_begin + p * lane_count;
    const QuadraticTetLayout::LocalIndex* nodes = layout_.nodes(pack.number);
    for (int a = 0; a < nodes_of_tet; ++a)
      for (int i = 0; i < 3; ++i)
        pack.x[3 * a + i] = Lanes([&](auto lane) { return x(i, vertices[nodes[a * lane_count + lane]]); });
    Index* tets = pack.group_tets;
    for (Index lane = 0; lane < lane_count; ++lane) {
      pack.tets[lane] = chunk.tet_begin + chunk.tet_of(pack.number, lane);
      tets[lane] = pack.tets[lane] - pack.group->tet_begin;
    }
    for (std::size_t k = 0; k < pack.group->parameters.size(); ++k)
      pack.kernel[k] = load_values(pack.group->parameters[k], tets);
    const double bulk_share = pack.state.bulk >= 0 ? 1 / pack.state.factor : 1;  // 1 / c
    if (bulk_share != 1) pack.kernel[pack.state.bulk] *= bulk_share;
    pack.factor =
        factors_.empty() ? Lanes(1.0) : Lanes([&](auto lane) { return factors_[pack.group->tet_begin + tets[lane]]; });
    pack.has_pressure = !pressures_.empty() && is_mixed(pack.group->elements);
    for (int q = 0; q < quadratic_tet_points && pack.has_pressure; ++q)
      pack.pressure[q] = Lanes([&](auto lane) {
        return bulk_share *
               pressures_[quadratic_tet_points * (pack.group->tet_begin + tets[lane] - first_pressure_) + q];
      });
    if (has_fiber(*pack.group)) {
      pack.fiber.stiffness = load_values(pack.group->fiber_stiffness, tets);
      pack.fiber.tension =
          pack.group->fiber_tension.empty() ? Lanes(0.0) : load_values(pack.group->fiber_tension, tets);
      const bool uniform = pack.group->fiber_direction.cols() == 1;
      for (int i = 0; i < 3; ++i)
        pack.fiber.direction[i] =
            Lanes([&](auto lane) { return pack.group->fiber_direction(i, uniform ? 0 : tets[lane]); });
    }
    f(pack);
  }
}

// sum_e sum_q V W: lanes of a pack, packs of a chunk, then chunks, each in a fixed order.
double QuadraticTetEnergy::value(const Points& x) const {
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        Lanes sum(0.0);
        for_each_pack(static_cast<Index>(c), x, states_, [&](const Pack& pack) {
          PointState at;
          for_each_point([&]<int q>() {
            load_point<q>(layout_, pack, at);
            sum += point_energy(pack, at);
          });
        });
        double total = 0;
        for (int l = 0; l < lane_count; ++l) total += sum[l];
        chunk_values_[c] = total;
      },
      1);
  double total = 0;
  for (const double value : chunk_values_) total += value;
  return total;
}

// Calls add(chunk, sums) in parallel and adds the sums to g and H in the order of the chunks at each vertex.
template <class F>
void QuadraticTetEnergy::sum_in_order(Points& g, SymBlockMatrix* H, F&& add) const {
  const auto workers = static_cast<std::size_t>(thread_count());
  const Index rows = layout_.dynamic_count();
  sums_.resize(std::max(sums_.size(), workers * order_.run_length(workers)));
  order_.run(
      workers, [&](std::size_t slot, Index c) { add(c, sums_[slot]); },
      [&](std::size_t slot, Index c) {
        const QuadraticTetLayout::Chunk& chunk = layout_.chunks()[c];
        const std::span<const Index> vertices = layout_.chunk_vertices(chunk);
        Sums& sums = sums_[slot];
        for (std::size_t v = 0; v < vertices.size(); ++v) {
          if (vertices[v] < rows)
            for (int i = 0; i < 3; ++i) g(i, vertices[v]) += sums.gradient[v][i];
          std::fill_n(sums.gradient[v], 3, 0.0);
          if (!H) continue;
          if (vertices[v] < rows) {
            double* to = H->values().data() + 9 * H->pattern().row_begin[vertices[v]];
            const double* d = sums.diagonal[v];
            const double full[9] = {d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]};
            for (int k = 0; k < 9; ++k) to[k] += full[k];
          }
          std::fill_n(sums.diagonal[v], 6, 0.0);
        }
        if (!H) return;
        for (Index e = chunk.pair_begin; e < chunk.pair_end; ++e) {
          double* from = sums.pair[e - chunk.pair_begin];
          if (slots_[e] >= 0) {
            double* to = H->values().data() + std::size_t{9} * slots_[e];
            for (int k = 0; k < 9; ++k) to[k] += from[k];
          }
          std::fill_n(from, 9, 0.0);
        }
      });
}

void QuadraticTetEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  sum_in_order(g, nullptr, [&](Index c, Sums& sums) {
    for_each_pack(c, x, states_, [&](const Pack& pack) {
      Lanes local[3 * nodes_of_tet];
      for (Lanes& value : local) value = Lanes(0.0);
      for_each_point([&]<int q>() { add_point_gradient<q>(layout_, pack, scale, local); });
      if (!factors_.empty())
        for (Lanes& value : local) value *= pack.factor;
      const QuadraticTetLayout::LocalIndex* nodes = layout_.nodes(pack.number);
      for (int l = 0; l < pack.used; ++l)
        for (int a = 0; a < nodes_of_tet; ++a)
          for (int i = 0; i < 3; ++i) sums.gradient[nodes[a * lane_count + l]][i] += local[3 * a + i][l];
    });
  });
}

void QuadraticTetEnergy::add_gradient(const Points& x, std::span<const double> factors, double scale, Points& g) const {
  factors_ = factors;
  add_gradient(x, scale, g);
  factors_ = {};
}

void QuadraticTetEnergy::add_derivatives(const Points& x, std::span<const double> factors, double scale,
                                         Projection projection, Points& g, SymBlockMatrix& H) const {
  factors_ = factors;
  add_derivatives(x, scale, projection, g, H);
  factors_ = {};
}

void QuadraticTetEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                         SymBlockMatrix& H) const {
  if (slot_pattern_ != H.shared_pattern()) {
    layout_.find_slots(H.pattern(), slots_);
    slot_pattern_ = H.shared_pattern();
  }
  const bool psd = projection == Projection::psd;
  sum_in_order(g, &H, [&](Index c, Sums& sums) {
    for_each_pack(c, x, states_, [&](const Pack& pack) {
      Lanes local[3 * nodes_of_tet];
      for (Lanes& value : local) value = Lanes(0.0);
      QuadraticTetHessian<Lanes> h;
      h.clear();
      for_each_point([&]<int q>() { add_point_derivatives<q>(layout_, pack, scale, psd, local, h); });
      if (!factors_.empty()) multiply(pack.factor, local, h);
      const QuadraticTetLayout::LocalIndex *nodes = layout_.nodes(pack.number), *pairs = layout_.pairs(pack.number);
      for (int l = 0; l < pack.used; ++l) {
        for (int a = 0; a < nodes_of_tet; ++a) {
          const Index v = nodes[a * lane_count + l];
          for (int i = 0; i < 3; ++i) sums.gradient[v][i] += local[3 * a + i][l];
          for (int k = 0; k < 6; ++k) sums.diagonal[v][k] += h.diagonal[a][k][l];
        }
        for (int k = 0; k < quadratic_tet_pairs; ++k) {
          const Index pair = pairs[k * lane_count + l];
          double* to = sums.pair[pair / 2];
          if (pair % 2 == 0) {
            for (int e = 0; e < 9; ++e) to[e] += h.pair[k][e][l];
          } else {
            for (int e = 0; e < 9; ++e) to[e] += h.pair[k][3 * (e % 3) + e / 3][l];
          }
        }
      }
    });
  });
}

// The energies travel as the first coordinate of what a gradient would be.
void QuadraticTetEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  Points sums;
  sums.setZero(3, layout_.dynamic_count());
  sum_in_order(sums, nullptr, [&](Index c, Sums& chunk_sums) {
    for_each_pack(c, x, states_, [&](const Pack& pack) {
      Lanes energy(0.0);
      PointState at;
      for_each_point([&]<int q>() {
        load_point<q>(layout_, pack, at);
        energy += scale * point_energy(pack, at);
      });
      for (int l = 0; l < pack.used; ++l)
        for (int a = 0; a < nodes_of_tet; ++a)
          chunk_sums.gradient[layout_.nodes(pack.number)[a * lane_count + l]][0] += energy[l];
    });
  });
  parallel_for(
      values.size(), [&](std::size_t i) { values[i] += sums(0, static_cast<Index>(i)); }, 4096);
}

// All pairs of nodes of a tet that have equations.
void QuadraticTetEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const QuadraticTetLayout::Chunk& chunk : layout_.chunks()) {
    const std::span<const Index> vertices = layout_.chunk_vertices(chunk);
    for (const QuadraticTetLayout::LocalPair pair : layout_.chunk_pairs(chunk)) {
      const Index row = vertices[pair.row], column = vertices[pair.column];
      if (column < layout_.dynamic_count()) pairs.emplace_back(row, column);
    }
  }
}

void QuadraticTetEnergy::deformation_gradients(const Points& x, std::span<double> out) const {
  assert(out.size() == std::size_t{36} * tet_count());
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        for_each_pack(static_cast<Index>(c), x, nullptr, [&](const Pack& pack) {
          PointState at;
          for_each_point([&]<int q>() {
            load_point<q>(layout_, pack, at);
            for (int l = 0; l < pack.used; ++l)
              for (int k = 0; k < 9; ++k) out[9 * (std::size_t{4} * (pack.first + l) + q) + k] = at.f[k][l];
          });
        });
      },
      1);
}

// sigma = c P F^T / J, with the factor c and the F G of states.
void QuadraticTetEnergy::stress(const Points& x, std::span<double> cauchy) const {
  assert(cauchy.size() == std::size_t{24} * tet_count());
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        for_each_pack(static_cast<Index>(c), x, states_, [&](const Pack& pack) {
          PointState at;
          for_each_point([&]<int q>() {
            Lanes p[9];
            point_stress<q>(layout_, pack, at, p);
            for (int l = 0; l < pack.used; ++l) {
              Mat3 F, P;
              for (int k = 0; k < 9; ++k) F(k / 3, k % 3) = at.f[k][l], P(k / 3, k % 3) = p[k][l];
              const Mat3 s = pack.state.factor * P * F.transpose() / F.determinant();
              double* to = cauchy.data() + 6 * (std::size_t{4} * (pack.first + l) + q);
              to[0] = s(0, 0), to[1] = s(1, 1), to[2] = s(2, 2);
              to[3] = 0.5 * (s(0, 1) + s(1, 0)), to[4] = 0.5 * (s(1, 2) + s(2, 1)), to[5] = 0.5 * (s(0, 2) + s(2, 0));
            }
          });
        });
      },
      1);
}

void QuadraticTetEnergy::energy_densities(const Points& x, std::span<double> out) const {
  assert(out.size() == std::size_t{4} * tet_count());
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        for_each_pack(static_cast<Index>(c), x, states_, [&](const Pack& pack) {
          PointState at;
          for_each_point([&]<int q>() {
            load_point<q>(layout_, pack, at);
            const Lanes density = point_energy(pack, at) / load_lanes(layout_.volume(pack.number, q));
            for (int l = 0; l < pack.used; ++l) out[std::size_t{4} * (pack.first + l) + q] = density[l];
          });
        });
      },
      1);
}

}  // namespace sinew

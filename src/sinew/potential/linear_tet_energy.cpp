#include "sinew/potential/linear_tet_energy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/material/model.h"
#include "sinew/material/projection.h"
#include "sinew/potential/elastic_batch.h"
#include "sinew/potential/elastic_sums.h"
#include "sinew/potential/second_stress_terms.h"
#include "sinew/potential/volume_energy.h"

namespace sinew {

using namespace elastic_detail;

namespace {

// Symbols: F = D_s D_m^-1 the deformation gradient, F = U S V^T its rotation-variant SVD, W the energy density [J/m^3],
// P = dW/dF the first Piola stress [Pa], V the rest volume [m^3]. Each variable holds a value for each SIMD lane, that
// is, for each of lane_count tets; a batch has two halves of lane_count lanes.

// The inputs of the kernels for one half of a batch. Only the decomposition of F, a long chain of dependent operations,
// gains from running on both halves at once; the other kernels would run out of registers.
struct HalfBatch {
  Svd3<Lanes> svd;
  Lanes f[9], shape[9], volume, kernel[MaterialModel::max_kernel_parameters];
  Fiber<Lanes> fiber;
  bool has_pressure = false;
  Lanes pressure;  // of mixed elements [Pa]
  bool has_history = false;
  Lanes history[6];        // S / c of viscous materials [Pa]
  Index tets[lane_count];  // counted in the group; only with families

  HalfBatch(const ElasticGroup& group, const TetBatch& batch, const LanePair* F, const Svd3<LanePair>& both, int half) {
    for (int k = 0; k < 9; ++k) {
      f[k] = half_of(F[k], half);
      svd.u[k] = half_of(both.u[k], half);
      svd.v[k] = half_of(both.v[k], half);
      shape[k] = load_lanes(batch.half[half].shape + k * lane_count);
    }
    for (int i = 0; i < 3; ++i) svd.s[i] = half_of(both.s[i], half);
    for (std::size_t k = 0; k < group.parameters.size(); ++k) kernel[k] = half_of(batch.kernel[k], half);
    volume = half_of(batch.volume, half);
    has_pressure = batch.has_pressure;
    if (has_pressure) pressure = half_of(batch.pressure, half);
    if (batch.has_release) {
      Lanes release[9];
      for (int k = 0; k < 9; ++k) release[k] = half_of(batch.release[k], half);
      release_shape(release, shape);
    }
    for (int l = 0; l < lane_count && !group.families.empty(); ++l)
      tets[l] = batch.first_tet + batch.local[half * lane_count + l];
    has_history = batch.has_history;
    for (int k = 0; k < 6 && has_history; ++k) history[k] = half_of(batch.history[k], half);
    if (!has_fiber(group)) return;
    fiber.stiffness = half_of(batch.fiber.stiffness, half);
    fiber.tension = half_of(batch.fiber.tension, half);
    for (int i = 0; i < 3; ++i) fiber.direction[i] = half_of(batch.fiber.direction[i], half);
  }

  const Lanes* second() const { return has_history ? history : nullptr; }
  LanesOfGroup lanes(const ElasticGroup& group) const { return {group, kernel, tets}; }
};

// Decomposes F of a batch and calls work(half, HalfBatch) for each half that has tets.
template <class F>
[[gnu::always_inline]] inline void for_each_half(const ElasticGroup& group, const LanePair* f, const TetBatch& batch,
                                                 F&& work) {
  Svd3<LanePair> svd;
  svd3(f, svd);
  for (int half = 0; half < 2 && batch.half[half].used > 0; ++half) work(half, HalfBatch(group, batch, f, svd, half));
}

// f(lane) for the used lanes of a batch.
template <class F>
void for_each_used(const TetBatch& batch, F&& f) {
  for (int half = 0; half < 2; ++half)
    for (int l = 0; l < batch.half[half].used; ++l) f(half * lane_count + l);
}

// W [J/m^3] of each lane. Materials that are functions of the invariants of F^T F need no decomposition
// (material/model.h).
LanePair density(const ElasticGroup& group, const LanePair* f, const TetBatch& batch) {
  const MaterialModel& model = *group.model;
  LanePair w(0.0);
  if (model.has_invariant_form()) {
    const StrainInvariants<LanePair> t = strain_invariants(f);
    Lanes a[MaterialModel::max_kernel_parameters], b[MaterialModel::max_kernel_parameters];
    for (std::size_t k = 0; k < group.parameters.size(); ++k) a[k] = batch.kernel[k].a, b[k] = batch.kernel[k].b;
    w = {model.energy({t.i1.a, t.i2.a, t.j_minus1.a}, a), model.energy({t.i1.b, t.i2.b, t.j_minus1.b}, b)};
  } else {
    for_each_half(group, f, batch, [&](int half, const HalfBatch& in) {
      StretchDerivatives<Lanes> derivatives;
      model.evaluate(in.svd.s, in.kernel, Order::value, derivatives);
      (half ? w.b : w.a) = derivatives.value;
    });
  }
  if (has_fiber(group)) w = w + fiber_energy(f, batch.fiber);
  if (batch.has_history) w = w + second_stress_energy(f, batch.history);
  for (int half = 0; half < 2 && !group.families.empty(); ++half) {
    Lanes own[9], kernel[MaterialModel::max_kernel_parameters];
    Index tets[lane_count];
    for (int k = 0; k < 9; ++k) own[k] = half_of(f[k], half);
    for (std::size_t k = 0; k < group.parameters.size(); ++k) kernel[k] = half_of(batch.kernel[k], half);
    for (int l = 0; l < lane_count; ++l) tets[l] = batch.first_tet + batch.local[half * lane_count + l];
    for_each_family({group, kernel, tets},
                    [&](const FiberFamily& family) { (half ? w.b : w.a) += family_derivatives(family, own).value; });
  }
  return w;
}

// First Piola stress P = U diag(dW/ds_i) V^T [Pa], row-major, that of history, F S, that of fiber families, and that of
// fibers, f d^T with force f and direction d.
void piola(const ElasticGroup& group, const HalfBatch& in, Lanes* p) {
  StretchDerivatives<Lanes> w;
  group.model->evaluate(in.svd.s, in.kernel, Order::gradient, w);
  if (in.has_pressure) add_pressure(in.svd.s, in.pressure, Order::gradient, w);
  stress_from_stretches(in.svd, w.first, p);
  if (has_second_stress(group, in.second())) add_second_stress(in.lanes(group), in.second(), in.f, p);
  if (!has_fiber(group)) return;
  FiberState<Lanes> state;
  fiber_state(in.f, in.fiber, false, false, state);
  for (int k = 0; k < 9; ++k) p[k] += state.force[k / 3] * in.fiber.direction[k % 3];
}

// g = scale V P : dF/dx, F = D_s D_m^{-1}: with P' = scale V P D_m^{-T} the columns of P' are the forces of corners 1
// to 3, and corner 0 takes minus their sum (material/tet_kernel.h).
void gradient_kernel(const ElasticGroup& group, const HalfBatch& in, double scale, Lanes* g) {
  Lanes p[9];
  piola(group, in, p);
  const Lanes volume = in.volume * scale;
  for (int k = 0; k < 9; ++k) p[k] *= volume;
  forces_from_stress(p, in.shape, g);
}

// g as above, and the Hessian scale V (dF/dx)^T (d2W/dF2) (dF/dx) of one tet from the analytic eigensystem of d2W/dF2
// (theory, section 1; Smith et al. 2019):
//
// 1. w_i and w_ij of the model at the principal stretches; `psd` clamps the 3 + 3 + 3 eigenvalues.
// 2. The same of fibers.
// 3. P and g.
// 4. H from the eigenmodes: no 9 x 9 or 12 x 12 matrix is decomposed.
// 5. g and H of history and fiber families (potential/second_stress_terms.h).
void derivatives_kernel(const ElasticGroup& group, const HalfBatch& in, double scale, bool psd, Lanes* g,
                        TetHessian<Lanes>& h) {
  StretchDerivatives<Lanes> w;
  group.model->evaluate(in.svd.s, in.kernel, Order::hessian, w);
  if (in.has_pressure) add_pressure(in.svd.s, in.pressure, Order::hessian, w);
  if (psd) project(w);
  FiberState<Lanes> state;
  const bool fiber = has_fiber(group);
  if (fiber) fiber_state(in.f, in.fiber, true, psd, state);
  const Lanes volume = in.volume * scale;
  Lanes p[9];
  for (int i = 0; i < 3; ++i) w.first[i] *= volume;
  stress_from_stretches(in.svd, w.first, p);
  if (fiber) {
    for (int k = 0; k < 9; ++k) p[k] += state.force[k / 3] * in.fiber.direction[k % 3] * volume;
  }
  forces_from_stress(p, in.shape, g);
  if (fiber)
    tet_hessian<Lanes>(in.svd, w, volume, in.shape, &state, in.fiber.direction, h);
  else
    tet_hessian<Lanes>(in.svd, w, volume, in.shape, nullptr, nullptr, h);
  if (has_second_stress(group, in.second()))
    add_second_stress(in.lanes(group), in.second(), in.f, in.shape, volume, psd, g, h);
}

}  // namespace

// A weighted list of tets, sorted by chunk. It refers to the energy's work arrays.
struct LinearTetEnergy::Selection {
  const std::vector<Index>& begin;  // chunks + 1
  const std::vector<Index>& tets;
  const std::vector<double>& weights;

  std::span<const Index> tets_of(Index chunk) const {
    return std::span(tets).subspan(begin[chunk], begin[chunk + 1] - begin[chunk]);
  }
  // Whether a chunk's list is all of its tets in their order: it is then worked through as without a list.
  bool holds_all(Index c, const ElasticLayout::Chunk& chunk) const {
    const std::span<const Index> list = tets_of(c);
    if (static_cast<Index>(list.size()) != chunk.size()) return false;
    for (Index k = 0; k < chunk.size(); ++k)
      if (list[k] != chunk.tet_begin + k) return false;
    return true;
  }
};

LinearTetEnergy::LinearTetEnergy(const Points& rest, const Tets& tets, std::vector<ElasticGroup> groups,
                                 Index dynamic_count)
    : groups_(std::move(groups)), layout_(rest, tets, groups_, dynamic_count), chunk_values_(layout_.chunks().size()) {
  // Chunks that share a vertex are committed in ascending order.
  std::vector<Index> begin, predecessors;
  layout_.find_predecessors(begin, predecessors);
  order_ = OrderedChunks(std::move(begin), std::move(predecessors));
}

LinearTetEnergy::~LinearTetEnergy() = default;

// Calls f(group, batch number, positions, batch) for the tets of a chunk, or for those of the selection in it. A whole
// chunk reads from a compact copy of its positions, a list from x itself; `positions` is the array that the batch's
// offsets refer to.
template <class F>
void LinearTetEnergy::for_each_batch(Index c, const Points& x, const PointStates* states, const Selection* selection,
                                     F&& f) const {
  const ElasticLayout::Chunk& chunk = layout_.chunks()[c];
  const ElasticGroup& group = groups_[chunk.group];
  TetBatch batch;
  if (!selection || selection->holds_all(c, chunk)) {
    alignas(64) double local[local_stride * ElasticLayout::max_chunk_vertices];
    copy_positions(layout_, chunk, x, local);
    for (Index p = 0; p < chunk.packs(); p += 2) {
      load_batch(layout_, group, chunk, states, p, batch);
      load_pressure(pressures_, group, chunk, batch);
      if (selection) batch.volume = batch.volume * gather_pair(selection->weights.data() + selection->begin[c], batch);
      f(group, p / 2, local, batch);
    }
    return;
  }
  ListedPacks packs;
  const std::span<const Index> tets = selection->tets_of(c);
  const double* weights = selection->weights.data() + selection->begin[c];
  for (std::size_t k = 0; k < tets.size(); k += batch_lanes) {
    const std::size_t count = std::min<std::size_t>(batch_lanes, tets.size() - k);
    load_batch(layout_, group, chunk, states, tets.subspan(k, count), weights + k, packs, batch);
    load_pressure(pressures_, group, chunk, batch);
    f(group, static_cast<Index>(k / batch_lanes), x.data(), batch);
  }
}

// Calls add(chunk, sums) in parallel, each into buffers of its own, and adds the sums to the target in the order of the
// chunks at each vertex (ordered_chunks.h): the order of every floating-point sum is fixed.
template <class F>
void LinearTetEnergy::for_each_chunk_in_order(const Selection* selection, const ElasticTarget& target, F&& add) const {
  const auto workers = static_cast<std::size_t>(thread_count());
  sums_.resize(std::max(sums_.size(), workers * order_.run_length(workers)));
  order_.run(
      workers, [&](std::size_t slot, Index c) { add(c, sums_[slot]); },
      [&](std::size_t slot, Index c) {
        const ElasticLayout::Chunk& chunk = layout_.chunks()[c];
        if (!selection || selection->holds_all(c, chunk))
          flush(layout_, chunk, target, sums_[slot]);
        else
          flush_tets(layout_, chunk, selection->tets_of(c), target, sums_[slot]);
      });
}

// Counting sort of the listed tets by chunk, O(tets + chunks), stable within a chunk.
LinearTetEnergy::Selection LinearTetEnergy::select(std::span<const Index> tets, std::span<const double> weights) const {
  assert(tets.size() == weights.size());
  selected_begin_.assign(layout_.chunks().size() + 1, 0);
  selected_tets_.resize(tets.size());
  selected_weights_.resize(tets.size());
  for (Index t : tets) ++selected_begin_[layout_.chunk_of(t) + 1];
  for (std::size_t c = 1; c < selected_begin_.size(); ++c) selected_begin_[c] += selected_begin_[c - 1];
  // Fill from the back, which leaves each begin where it belongs and keeps the order within a chunk.
  std::vector<Index>& end = selected_begin_;
  for (std::size_t k = tets.size(); k-- > 0;) {
    const Index at = --end[layout_.chunk_of(tets[k]) + 1];
    selected_tets_[at] = tets[k];
    selected_weights_[at] = weights[k];
  }
  // Now begin[c + 1] is the start of chunk c: shift down.
  std::rotate(selected_begin_.begin(), selected_begin_.begin() + 1, selected_begin_.end());
  selected_begin_.back() = static_cast<Index>(tets.size());
  return {selected_begin_, selected_tets_, selected_weights_};
}

// Psi(x) = sum_e w_e V_e W_e(F_e): lanes of a batch, then batches of a chunk, then chunks, each in a fixed order.
double LinearTetEnergy::sum_values(const Points& x, const Selection* selection) const {
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        LanePair sum(0.0);
        for_each_batch(static_cast<Index>(c), x, states_, selection,
                       [&](const ElasticGroup& group, Index, const double* positions, const TetBatch& batch) {
                         LanePair f[9];
                         gather_deformation(positions, batch, f);
                         const LanePair w = density(group, f, batch);
                         // Unused lanes and zero weights count nothing, even where W is infinite.
                         const auto used = batch.volume > LanePair(0.0) || batch.volume < LanePair(0.0);
                         sum = sum + sinew::select(used, batch.volume * w, LanePair(0.0));
                       });
        alignas(64) double lanes[batch_lanes];
        store_pair(sum, lanes);
        double total = 0;
        for (double lane : lanes) total += lane;
        chunk_values_[c] = total;
      },
      1);
  double total = 0;
  for (double value : chunk_values_) total += value;
  return total;
}

// g += scale dPsi/dx.
void LinearTetEnergy::sum_gradients(const Points& x, double scale, const Selection* selection, Points& g) const {
  assert(g.cols() == layout_.dynamic_count());
  const ElasticTarget target{layout_.dynamic_count(), g.data(), nullptr, nullptr, nullptr};
  for_each_chunk_in_order(selection, target, [&](Index c, ChunkSums& sums) {
    for_each_batch(c, x, states_, selection,
                   [&](const ElasticGroup& group, Index, const double* positions, const TetBatch& batch) {
                     LanePair f[9];
                     gather_deformation(positions, batch, f);
                     for_each_half(group, f, batch, [&](int half, const HalfBatch& in) {
                       Lanes gradient[12];
                       gradient_kernel(group, in, scale, gradient);
                       add_half(gradient, nullptr, batch.half[half], sums);
                     });
                   });
  });
}

// g += scale dPsi/dx and H += scale d2Psi/dx2. Slots of H are found once for each pattern.
void LinearTetEnergy::sum_derivatives(const Points& x, double scale, Projection projection, const Selection* selection,
                                      Points& g, SymBlockMatrix& H) const {
  assert(g.cols() == layout_.dynamic_count() && H.rows() == layout_.dynamic_count());
  if (slot_pattern_ != H.shared_pattern()) {
    layout_.find_slots(H.pattern(), edge_slots_);
    slot_pattern_ = H.shared_pattern();
  }
  const bool psd = projection == Projection::psd;
  const ElasticTarget target{layout_.dynamic_count(), g.data(), slot_pattern_->row_begin.data(), edge_slots_.data(),
                             H.values().data()};
  for_each_chunk_in_order(selection, target, [&](Index c, ChunkSums& sums) {
    const ElasticLayout::Chunk& chunk = layout_.chunks()[c];
    const Index batches = (chunk.packs() + 1) / 2;
    for_each_batch(c, x, states_, selection,
                   [&](const ElasticGroup& group, Index number, const double* positions, const TetBatch& batch) {
                     if (!selection) prefetch_blocks(layout_, chunk, target, number, batches);
                     LanePair f[9];
                     gather_deformation(positions, batch, f);
                     for_each_half(group, f, batch, [&](int half, const HalfBatch& in) {
                       Lanes gradient[12];
                       TetHessian<Lanes> hessian;
                       derivatives_kernel(group, in, scale, psd, gradient, hessian);
                       add_half(gradient, &hessian, batch.half[half], sums);
                     });
                   });
  });
}

// The public functions over all tets, and over lists of tets with weights.
double LinearTetEnergy::value(const Points& x) const {
  return sum_values(x, nullptr);
}

double LinearTetEnergy::value(const Points& x, std::span<const Index> tets, std::span<const double> weights) const {
  const Selection selection = select(tets, weights);
  return sum_values(x, &selection);
}

// The energies travel as the first coordinate of what a gradient would be.
void LinearTetEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  Points sums;
  sums.setZero(3, layout_.dynamic_count());
  const ElasticTarget target{layout_.dynamic_count(), sums.data(), nullptr, nullptr, nullptr};
  for_each_chunk_in_order(nullptr, target, [&](Index c, ChunkSums& chunk_sums) {
    for_each_batch(c, x, states_, nullptr,
                   [&](const ElasticGroup& group, Index, const double* positions, const TetBatch& batch) {
                     LanePair f[9];
                     gather_deformation(positions, batch, f);
                     const LanePair energy = batch.volume * density(group, f, batch);
                     for (int half = 0; half < 2 && batch.half[half].used > 0; ++half) {
                       Lanes at_vertices[12];
                       for (int k = 0; k < 12; ++k) at_vertices[k] = Lanes(0.0);
                       for (int a = 0; a < 4; ++a) at_vertices[3 * a] = scale * half_of(energy, half);
                       add_half(at_vertices, nullptr, batch.half[half], chunk_sums);
                     }
                   });
  });
  parallel_for(
      values.size(), [&](std::size_t i) { values[i] += sums(0, i); }, 4096);
}

void LinearTetEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  sum_gradients(x, scale, nullptr, g);
}

void LinearTetEnergy::add_gradient(const Points& x, std::span<const Index> tets, std::span<const double> weights,
                                   double scale, Points& g) const {
  const Selection selection = select(tets, weights);
  sum_gradients(x, scale, &selection, g);
}

void LinearTetEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                      SymBlockMatrix& H) const {
  sum_derivatives(x, scale, projection, nullptr, g, H);
}

void LinearTetEnergy::add_derivatives(const Points& x, std::span<const Index> tets, std::span<const double> weights,
                                      double scale, Projection projection, Points& g, SymBlockMatrix& H) const {
  const Selection selection = select(tets, weights);
  sum_derivatives(x, scale, projection, &selection, g, H);
}

// The edges of all tets between vertices that have equations.
void LinearTetEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const ElasticLayout::Chunk& chunk : layout_.chunks()) {
    const std::span<const Index> vertices = layout_.chunk_vertices(chunk);
    for (const ElasticLayout::LocalEdge edge : layout_.chunk_edges(chunk)) {
      const Index row = vertices[edge.row], column = vertices[edge.column];
      if (column < layout_.dynamic_count()) pairs.emplace_back(row, column);
    }
  }
}

bool LinearTetEnergy::requires_positive_volume(Index tet) const {
  if (groups_.empty() || tet >= groups_.back().tet_end) return false;
  return groups_[layout_.chunks()[layout_.chunk_of(tet)].group].model->requires_positive_volume();
}

// Models with ln J: the step filter keeps J > 0 for their tets.
bool LinearTetEnergy::requires_positive_volume() const {
  return std::any_of(groups_.begin(), groups_.end(), [](const ElasticGroup& group) {
    return group.tet_end > group.tet_begin && group.model->requires_positive_volume();
  });
}

// Calls work(group, first tet of the chunk, F, batch) for all tets, in parallel; F G with states.
template <class F>
void LinearTetEnergy::for_each_tet_batch(const Points& x, const PointStates* states, F&& work) const {
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        for_each_batch(static_cast<Index>(c), x, states, nullptr,
                       [&](const ElasticGroup& group, Index, const double* positions, const TetBatch& batch) {
                         LanePair f[9];
                         gather_deformation(positions, batch, f);
                         work(group, layout_.chunks()[c].tet_begin, f, batch);
                       });
      },
      1);
}

// F of each tet, 9 numbers row-major.
void LinearTetEnergy::deformation_gradients(const Points& x, std::span<double> out) const {
  assert(out.size() == std::size_t{9} * tet_count());
  for_each_tet_batch(x, nullptr, [&](const ElasticGroup&, Index first, const LanePair* f, const TetBatch& batch) {
    alignas(64) double lanes[batch_lanes];
    for (int k = 0; k < 9; ++k) {
      store_pair(f[k], lanes);
      for_each_used(batch, [&](int l) { out[std::size_t{9} * (first + batch.local[l]) + k] = lanes[l]; });
    }
  });
}

// Cauchy stress sigma = c P F^T / J, with the factor c and the F G of states, and the von Mises stress of its deviator,
//
//   sqrt(((s_xx - s_yy)^2 + (s_yy - s_zz)^2 + (s_zz - s_xx)^2) / 2 + 3 (s_xy^2 + s_yz^2 + s_xz^2)).
void LinearTetEnergy::stress(const Points& x, std::span<double> cauchy, std::span<double> von_mises) const {
  assert(cauchy.size() == std::size_t{6} * tet_count() && von_mises.size() == static_cast<std::size_t>(tet_count()));
  for_each_tet_batch(x, states_, [&](const ElasticGroup& group, Index first, const LanePair* f, const TetBatch& batch) {
    alignas(64) double F[9][batch_lanes], P[9][batch_lanes];
    for (int k = 0; k < 9; ++k) store_pair(f[k], F[k]);
    for_each_half(group, f, batch, [&](int half, const HalfBatch& in) {
      Lanes p[9];
      piola(group, in, p);
      for (int k = 0; k < 9; ++k) store_lanes(p[k], P[k] + half * lane_count);
    });
    for_each_used(batch, [&](int l) {
      Mat3 Fl, Pl;
      for (int k = 0; k < 9; ++k) Fl(k / 3, k % 3) = F[k][l], Pl(k / 3, k % 3) = P[k][l];
      // P F^T is symmetric up to rounding; the off-diagonal entries are the means of both halves.
      const Mat3 s = batch.factor * Pl * Fl.transpose() / Fl.determinant();
      const double xy = 0.5 * (s(0, 1) + s(1, 0)), yz = 0.5 * (s(1, 2) + s(2, 1)), xz = 0.5 * (s(0, 2) + s(2, 0));
      const Index tet = first + batch.local[l];
      double* out = cauchy.data() + std::size_t{6} * tet;
      out[0] = s(0, 0), out[1] = s(1, 1), out[2] = s(2, 2), out[3] = xy, out[4] = yz, out[5] = xz;
      const double dx = s(0, 0) - s(1, 1), dy = s(1, 1) - s(2, 2), dz = s(2, 2) - s(0, 0);
      von_mises[tet] = std::sqrt(0.5 * (dx * dx + dy * dy + dz * dz) + 3 * (xy * xy + yz * yz + xz * xz));
    });
  });
}

void LinearTetEnergy::tet_energies(const Points& x, std::span<double> out) const {
  for_each_tet_batch(x, states_, [&](const ElasticGroup& group, Index first, const LanePair* f, const TetBatch& batch) {
    alignas(64) double lanes[batch_lanes];
    store_pair(batch.volume * density(group, f, batch), lanes);
    for_each_used(batch, [&](int l) { out[first + batch.local[l]] = lanes[l]; });
  });
}

// The smallest J = det F over all tets.
double LinearTetEnergy::min_jacobian(const Points& x) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  parallel_for(
      layout_.chunks().size(),
      [&](std::size_t c) {
        double least = infinity;
        for_each_batch(static_cast<Index>(c), x, nullptr, nullptr,
                       [&](const ElasticGroup&, Index, const double* positions, const TetBatch& batch) {
                         LanePair f[9];
                         gather_deformation(positions, batch, f);
                         // det F by cofactors of the first row.
                         const LanePair j = f[0] * (f[4] * f[8] - f[5] * f[7]) +
                                            (f[1] * (f[5] * f[6] - f[3] * f[8]) + f[2] * (f[3] * f[7] - f[4] * f[6]));
                         alignas(64) double lanes[batch_lanes];
                         store_pair(j, lanes);
                         for_each_used(batch, [&](int l) { least = std::min(least, lanes[l]); });
                       });
        chunk_values_[c] = least;
      },
      1);
  double least = infinity;
  for (double value : chunk_values_) least = std::min(least, value);
  return least;
}

}  // namespace sinew

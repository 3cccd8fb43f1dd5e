#include "sinew/reduced/elastic_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/material/stress.h"
#include "sinew/material/stretch_kernel.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/muscle.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_packs = 64;

// Symbols (theory, section 6): F = R S deformation gradient and its stretch, F = U diag(sigma) V^T; s the independent
// symmetric stretch of a point, l its multiplier; psi(s) = W(eigenvalues of s); w the point's weight times volume.
// Symmetric matrices have 6 entries (00 11 22 12 02 01), F and P nine, row-major. Every variable has a value in each
// lane.

// The n entries of a pack's matrices.
template <int n>
void load(const double* values, std::size_t pack, Lanes* out) {
  for (int k = 0; k < n; ++k) out[k] = load_lanes(values + (n * pack + k) * lane_count);
}

template <int n>
void store(const Lanes* values, std::size_t pack, double* out) {
  for (int k = 0; k < n; ++k) store_lanes(values[k], out + (n * pack + k) * lane_count);
}

double sum_lanes(const Lanes& a) {
  double sum = 0;
  for (int l = 0; l < lane_count; ++l) sum += a[l];
  return sum;
}

// volume * value, and zero in the lanes that only fill a pack, even where the value is not finite.
Lanes where_used(const Lanes& volume, const Lanes& value) {
  return select(volume > Lanes(0.0), volume * value, Lanes(0.0));
}

// All entries of a symmetric matrix, row-major.
void as_full(const Lanes* s, Lanes* f) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f[3 * i + j] = s[symmetric_entry(i, j)];
}

}  // namespace

// What finish_step() needs of begin_step(), for one pack.
struct ElasticPoints::StepPack {
  Svd3<Lanes> svd;
  Lanes factor[9];
  Lanes difference[6];  // S - s, in the frame V
  Lanes gradient[6];    // psi'(s), in the frame V
  StretchModes<Lanes> modes;
};

ElasticPoints::~ElasticPoints() = default;
ElasticPoints::ElasticPoints(ElasticPoints&&) noexcept = default;

// Points in packs of lane_count with one model and part each, so that a kernel has neither branch nor gather. The
// last pack of a group repeats a point with volume zero.
ElasticPoints::ElasticPoints(const System& system, const Cubature& cubature, std::span<const double> volumes,
                             std::span<const Index> part)
    : point_count_(cubature.point_count()) {
  std::vector<Index> points;  // of a material, by part
  for (const ElasticGroup& group : system.groups) {
    // The points of one material and part, in packs of lane_count; a cubature rule's tets ascend like the groups.
    const auto begin = std::ranges::lower_bound(cubature.tets, group.tet_begin) - cubature.tets.begin();
    const auto end = std::ranges::lower_bound(cubature.tets, group.tet_end) - cubature.tets.begin();
    points.resize(static_cast<std::size_t>(end - begin));
    std::iota(points.begin(), points.end(), static_cast<Index>(begin));
    if (!part.empty()) std::ranges::stable_sort(points, {}, [&](Index i) { return part[i]; });
    for (std::size_t first = 0, last = 0; first < points.size(); first = last) {
      while (last < points.size() && (part.empty() || part[points[last]] == part[points[first]])) ++last;
      for (std::size_t i = first; i < last; i += lane_count) {
        packs_.push_back(Pack{group.model, !group.fiber_stiffness.empty(), {}, {}});
        for (std::size_t l = i; l < i + lane_count; ++l) {
          const Index point = points[std::min(l, last - 1)], tet = cubature.tets[point];
          tet_.push_back(tet);
          point_.push_back(point);
          volume_.push_back(l < last ? volumes[tet] * cubature.weights[point] : 0.0);
        }
      }
    }
  }
  set_parameters(system);
  step_.resize(packs_.size());
  partial_.resize((packs_.size() + chunk_packs - 1) / chunk_packs);
}

// Model, parameters and fibers of each slot, from the elastic group of its tet.
void ElasticPoints::set_parameters(const System& system, double time) {
  for (std::size_t i = 0; i < tet_.size(); ++i) {
    const auto group = std::ranges::upper_bound(system.groups, tet_[i], {}, &ElasticGroup::tet_end);
    ElementParameters of = element_parameters(*group, tet_[i] - group->tet_begin);
    move_fibers(system, tet_[i], time, of);
    Pack& pack = packs_[i / lane_count];
    const std::size_t l = i % lane_count;
    pack.model = group->model;
    pack.fiber = !group->fiber_stiffness.empty();
    for (int k = 0; k < MaterialModel::max_kernel_parameters; ++k) pack.kernel[k][l] = of.kernel[k];
    pack.fibers.stiffness[l] = of.fiber_stiffness;
    pack.fibers.tension[l] = of.fiber_tension;
    for (int k = 0; k < 3; ++k) pack.fibers.direction[k][l] = of.fiber_direction[k];
  }
}

// The sum over all packs, in a fixed order, of f(pack, its number, its volumes), which is one number or an array of
// two.
template <class F>
auto ElasticPoints::sum_packs(F&& f) const {
  using Sum = decltype(f(packs_[0], std::size_t{0}, Lanes()));
  constexpr bool single = std::is_same_v<Sum, double>;
  const auto add = [](const Sum& part, std::array<double, 2>& sum) {
    if constexpr (single) {
      sum[0] += part;
    } else {
      for (int k = 0; k < 2; ++k) sum[k] += part[k];
    }
  };
  parallel_chunks(packs_.size(), chunk_packs, [&](std::size_t begin, std::size_t end) {
    std::array<double, 2> sum{};
    for (std::size_t p = begin; p < end; ++p) add(f(packs_[p], p, load_lanes(volume_.data() + p * lane_count)), sum);
    partial_[begin / chunk_packs] = sum;
  });
  std::array<double, 2> sum{};
  for (const auto& part : partial_)
    for (int k = 0; k < 2; ++k) sum[k] += part[k];
  if constexpr (single) {
    return sum[0];
  } else {
    return sum;
  }
}

// W(F). Models of invariants alone need no decomposition of F.
Lanes ElasticPoints::density(const Pack& pack, const Lanes* f) {
  StretchDerivatives<Lanes> w;
  if (pack.model->has_invariant_form()) {
    w.value = pack.model->energy(strain_invariants(f), pack.kernel);
  } else {
    Svd3<Lanes> svd;
    svd3(f, svd);
    pack.model->evaluate(svd.s, pack.kernel, Order::value, w);
  }
  if (pack.fiber) w.value += fiber_energy(f, pack.fibers);
  return w.value;
}

// scale sum_c w_c W(F_c).
double ElasticPoints::value(const double* F, double scale) const {
  return scale * sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
           Lanes f[9];
           load<9>(F, p, f);
           return sum_lanes(where_used(volume, density(pack, f)));
         });
}

// W at each point, without weights.
std::vector<double> ElasticPoints::energies(const double* F) const {
  std::vector<double> energies(tet_.size());
  sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
    Lanes f[9];
    load<9>(F, p, f);
    store_lanes(where_used(volume, density(pack, f)), energies.data() + p * lane_count);
    return 0.0;
  });
  return energies;
}

// P_c = scale w_c dW/dF = scale w_c U diag(w_i) V^T, and k (|F d| - 1) (F d)/|F d| d^T of fibers.
void ElasticPoints::stress(const double* F, double scale, double* P) const {
  sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
    Lanes f[9], stress[9];
    load<9>(F, p, f);
    Svd3<Lanes> svd;
    svd3(f, svd);
    StretchDerivatives<Lanes> w;
    pack.model->evaluate(svd.s, pack.kernel, Order::gradient, w);
    stress_from_stretches(svd, w.first, stress);
    const Lanes factor = scale * volume;
    for (Lanes& entry : stress) entry *= factor;
    if (pack.fiber) {
      FiberState<Lanes> state;
      fiber_state(f, pack.fibers, false, false, state);
      for (int k = 0; k < 9; ++k) stress[k] += factor * (state.force[k / 3] * pack.fibers.direction[k % 3]);
    }
    store<9>(stress, p, P);
    return 0.0;
  });
}

// P_c = scale w_c dW/dF and K_c = scale w_c d2W/dF2 at each point. The Hessian is the sum of weighted squares of its
// eigenmodes (theory, section 1): in the frame F = U diag(sigma) V^T, with columns u_i, v_j,
//
//   y_k = u_k v_k^T                            coupled by the 3x3 block [w_ij],
//   z+- = (u_i v_j^T +- u_j v_i^T) / sqrt 2    with the flip and twist values,
//
// and of fibers M (x) d d^T (material/fiber.h). About 9 x 45 multiplications a point.
double ElasticPoints::linearize(const double* F, double scale, double* P, double* H, Projection projection) const {
  const bool psd = projection == Projection::psd;
  return scale * sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
           Lanes f[9], stress[9], h[45];
           load<9>(F, p, f);
           Svd3<Lanes> svd;
           svd3(f, svd);
           StretchDerivatives<Lanes> w;
           pack.model->evaluate(svd.s, pack.kernel, Order::value, w);
           Lanes density = w.value;
           if (pack.fiber) density += fiber_energy(f, pack.fibers);
           pack.model->evaluate(svd.s, pack.kernel, Order::hessian, w);
           if (psd) project(w);
           const Lanes factor = scale * volume;
           stress_from_stretches(svd, w.first, stress);
           for (Lanes& entry : stress) entry *= factor;
           // Scaling modes: h = sum_k x_k y_k^T with x_k = sum_l w_kl y_l, the lower triangle of 9 x 9.
           Lanes y[3][9], x[9];
           const auto outer = [&](int i, int j, int r, int c) { return svd.u[3 * r + i] * svd.v[3 * c + j]; };
           for (int k = 0; k < 3; ++k)
             for (int r = 0; r < 3; ++r)
               for (int c = 0; c < 3; ++c) y[k][3 * r + c] = outer(k, k, r, c);
           const auto add = [&](const Lanes* a, const Lanes* b, bool first) {
             for (int i = 0, e = 0; i < 9; ++i)
               for (int j = 0; j <= i; ++j, ++e) h[e] = first ? a[i] * b[j] : h[e] + a[i] * b[j];
           };
           for (int k = 0; k < 3; ++k) {
             const Lanes *a = y[(k + 1) % 3], *b = y[(k + 2) % 3];
             for (int i = 0; i < 9; ++i)
               x[i] = factor * (w.diagonal[k] * y[k][i] + (w.mixed[(k + 2) % 3] * a[i] + w.mixed[(k + 1) % 3] * b[i]));
             add(x, y[k], k == 0);
           }
           // Flip and twist modes of the pair (i, j).
           for (int k = 0; k < 3; ++k) {
             const int i = (k + 1) % 3, j = (k + 2) % 3;
             for (const double sign : {1.0, -1.0}) {
               const Lanes weight = (0.5 * factor) * (sign > 0 ? w.flip[k] : w.twist[k]);
               Lanes z[9];
               for (int r = 0; r < 3; ++r)
                 for (int c = 0; c < 3; ++c) z[3 * r + c] = outer(i, j, r, c) + sign * outer(j, i, r, c);
               for (int e = 0; e < 9; ++e) x[e] = weight * z[e];
               add(x, z, false);
             }
           }
           if (pack.fiber) {
             FiberState<Lanes> state;
             fiber_state(f, pack.fibers, true, psd, state);
             const Lanes* d = pack.fibers.direction;
             for (int k = 0; k < 9; ++k) stress[k] += factor * (state.force[k / 3] * d[k % 3]);
             for (int i = 0, e = 0; i < 9; ++i)
               for (int j = 0; j <= i; ++j, ++e)
                 h[e] += factor * (state.m[symmetric_entry(i / 3, j / 3)] * (d[i % 3] * d[j % 3]));
           }
           store<9>(stress, p, P);
           store<45>(h, p, H);
           return sum_lanes(where_used(volume, density));
         });
}

// S = V diag(sigma) V^T. Of materials with J > 0 stretches stay above least_stretch, where psi is finite.
void ElasticPoints::stretches(const double* F, double* s) const {
  sum_packs([&](const Pack& pack, std::size_t p, const Lanes&) {
    Lanes f[9], out[6];
    load<9>(F, p, f);
    Svd3<Lanes> svd;
    svd3(f, svd);
    if (pack.model->requires_positive_volume())
      for (Lanes& value : svd.s) value = maximum(value, Lanes(least_stretch));
    symmetric_from_axes(svd.v, svd.s, out);
    store<6>(out, p, s);
    return 0.0;
  });
}

// The local part of the condensed system (SMFEM, equations 5 and 6; theory, section 6). In the Lagrangian
//
//   sum_c w_c (psi(s) + l : (S(F) - s))
//
// ds and l are eliminated at each point, which leaves for the positions
//
//   P = w (dS/dF)^T : (psi' + psi'' : (S - s)),   K = w (dS/dF)^T : psi'' : dS/dF.
//
// 1. s in the frame V of F, its eigenvalues, psi, psi' and the projected psi'' as six weighted squares of modes. In V
//    the derivative dS is a product entry by entry (polar_factors), and s is nearly diagonal.
// 2. Fibers add three modes.
// 3. P and K, pulled back to F.
double ElasticPoints::begin_step(const double* F, const double* s, double scale, double* P, double* H) {
  return scale * sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
           StepPack& step = step_[p];
           const Lanes factor = scale * volume;
           Lanes f[9], sp[6], values[3], axes[9], S[6];
           load<9>(F, p, f);
           load<6>(s, p, sp);
           svd3(f, step.svd);
           polar_factors(step.svd.s, step.factor);
           // 1. s in the frame V and its eigenvalues there, psi and its projected second derivatives as modes.
           into_frame(sp, step.svd.v, S);
           symmetric_axes(S, values, axes);
           StretchDerivatives<Lanes> w;
           pack.model->evaluate(values, pack.kernel, Order::value, w);
           Lanes density = w.value;
           pack.model->evaluate(values, pack.kernel, Order::hessian, w);
           project(w);
           stretch_modes(w, axes, step.modes);
           for (int i = 0; i < 6; ++i) {
             step.difference[i] = (i < 3 ? step.svd.s[i] : Lanes(0.0)) - S[i];
             step.gradient[i] =
                 w.first[0] * step.modes.z[0][i] + (w.first[1] * step.modes.z[1][i] + w.first[2] * step.modes.z[2][i]);
           }
           if (pack.fiber) {
             Lanes full[9], d[3], V[9];
             as_full(S, full);  // 2. the fiber's modes, with its direction in the frame V
             for (int i = 0; i < 9; ++i) V[i] = step.svd.v[i];
             for (int i = 0; i < 3; ++i)
               d[i] = V[i] * pack.fibers.direction[0] +
                      (V[3 + i] * pack.fibers.direction[1] + V[6 + i] * pack.fibers.direction[2]);
             Fiber<Lanes> fiber{pack.fibers.stiffness, {d[0], d[1], d[2]}, pack.fibers.tension};
             FiberState<Lanes> state;
             fiber_state(full, fiber, true, true, state);
             density += fiber_energy(full, fiber);
             Lanes values_m[3], n[9];
             symmetric_axes(state.m, values_m, n);
             step.modes.count = 9;
             for (int k = 0; k < 3; ++k) {
               step.modes.weight[6 + k] = values_m[k];
               for (int i = 0; i < 3; ++i)
                 for (int j = i; j < 3; ++j)
                   step.modes.z[6 + k][symmetric_entry(i, j)] = 0.5 * (n[3 * i + k] * d[j] + n[3 * j + k] * d[i]);
             }
             for (int i = 0; i < 3; ++i)
               for (int j = i; j < 3; ++j)
                 step.gradient[symmetric_entry(i, j)] += 0.5 * (state.force[i] * d[j] + state.force[j] * d[i]);
           }
           // 3. Right-hand side and matrix, pulled back to F.
           Lanes t[6], out[9], h[45];
           for (int i = 0; i < 6; ++i) t[i] = step.gradient[i];
           apply_modes(step.modes, step.difference, t);
           pull_back(step.svd, step.factor, t, out);
           for (Lanes& entry : out) entry *= factor;
           add_modes(step.svd, step.factor, step.modes, factor, h);
           store<9>(out, p, P);
           store<45>(h, p, H);
           return sum_lanes(where_used(volume, density));
         });
}

// Back substitution at each point (SMFEM, equations 7 and 8):
//
//   ds = S - s + dS/dF : dF,   l = psi' + psi'' : ds.
//
// l is replaced and never stepped. Returns sum_c w_c (dS : psi'' : dS - ds : psi'' : ds), which completes g . dy to
// the slope of L; `constraint` is sum_c w_c l : (S - s).
double ElasticPoints::finish_step(const double* dF, double scale, double* ds, double* l, double& constraint) const {
  const auto [slope, mismatch] = sum_packs([&](const Pack&, std::size_t p, const Lanes& volume) {
    const StepPack& step = step_[p];
    Lanes f[9], dS[6], d[6], H_dS[6], H_d[6], t[6], out[6];
    load<9>(dF, p, f);
    push_forward_frame(step.svd, step.factor, f, dS);
    for (int i = 0; i < 6; ++i) {
      d[i] = step.difference[i] + dS[i];
      H_dS[i] = H_d[i] = Lanes(0.0);
    }
    apply_modes(step.modes, dS, H_dS);
    apply_modes(step.modes, d, H_d);
    for (int i = 0; i < 6; ++i) t[i] = step.gradient[i] + H_d[i];
    out_of_frame(d, step.svd.v, out);
    store<6>(out, p, ds);
    out_of_frame(t, step.svd.v, out);
    store<6>(out, p, l);
    return std::array{sum_lanes(where_used(volume, symmetric_product(dS, H_dS) - symmetric_product(d, H_d))),
                      sum_lanes(where_used(volume, symmetric_product(t, step.difference)))};
  });
  constraint = scale * mismatch;
  return scale * slope;
}

// sum_c w_c V_c psi(s_c), without the constraint.
// sum_c w_c V_c psi(s_c), the elastic energy that `mixed` reports.
double ElasticPoints::stretch_energy(const double* s) const {
  return sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
    Lanes sp[6];
    load<6>(s, p, sp);
    Lanes identity[9];
    for (int i = 0; i < 9; ++i) identity[i] = Lanes(i % 4 == 0 ? 1.0 : 0.0);
    return sum_lanes(where_used(volume, stretch_density(pack, sp, identity)));
  });
}

// Smallest det F of all points: whether one has inverted.
double ElasticPoints::min_jacobian(const double* F) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < packs_.size(); ++p) {
    Lanes f[9];
    load<9>(F, p, f);
    const Lanes J =
        f[0] * (f[4] * f[8] - f[5] * f[7]) + (f[1] * (f[5] * f[6] - f[3] * f[8]) + f[2] * (f[3] * f[7] - f[4] * f[6]));
    for (int l = 0; l < lane_count; ++l) smallest = std::min(smallest, static_cast<double>(J[l]));
  }
  return smallest;
}

// psi(s). `frame` is a rotation (row-major) in which s is nearly diagonal, so that its eigenvalues take fewer sweeps.
Lanes ElasticPoints::stretch_density(const Pack& pack, const Lanes* s, const Lanes* frame) {
  Lanes local[6], values[3], axes[9];
  into_frame(s, frame, local);
  symmetric_axes(local, values, axes);
  StretchDerivatives<Lanes> w;
  pack.model->evaluate(values, pack.kernel, Order::value, w);
  if (!pack.fiber) return w.value;
  Lanes full[9];
  as_full(s, full);
  return w.value + fiber_energy(full, pack.fibers);
}

// The Lagrangian of SMFEM, equation 4, without E_q: scale sum_c w_c (psi(s_c) + l_c : (S(F_c) - s_c)).
double ElasticPoints::mixed_value(const double* F, const double* s, const double* l, double scale) const {
  return scale * sum_packs([&](const Pack& pack, std::size_t p, const Lanes& volume) {
           Lanes f[9], sp[6], lp[6], S[6];
           load<9>(F, p, f);
           load<6>(s, p, sp);
           load<6>(l, p, lp);
           Svd3<Lanes> svd;
           svd3(f, svd);
           symmetric_from_axes(svd.v, svd.s, S);
           for (int i = 0; i < 6; ++i) S[i] -= sp[i];
           return sum_lanes(where_used(volume, stretch_density(pack, sp, svd.v) + symmetric_product(lp, S)));
         });
}

}  // namespace sinew

#include "sinew/potential/inelastic_strain.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/LU>

#include "sinew/core/parallel.h"
#include "sinew/material/fiber.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/external_force.h"
#include "sinew/model/initial_strain.h"
#include "sinew/potential/second_stress_terms.h"
#include "sinew/potential/volume_energy.h"

namespace sinew {
namespace {

constexpr int release_numbers = 9, stress_numbers = 6;

// The free stretch s of a tet: heat expands lengths by exp(a dT), swelling volumes by 1 + v.
double free_stretch(const System& system, const ElasticGroup& group, std::size_t entry, Index tet, double time,
                    double ramp) {
  const SystemBody& body = system.bodies[system.tet_body[tet]];
  double s = body.swelling.empty() ? 1 : std::cbrt(1 + body.swelling.at(time, ramp, 0));
  if (group.expansion.empty() || system.tet_heat.empty()) return s;
  const TetHeat& heat = system.tet_heat[tet];
  if (heat.source < 0) return s;
  const double rise = body.heat[heat.source].at(time, ramp, static_cast<std::size_t>(heat.entry));
  return s * std::exp(value_of(group.expansion, entry) * rise);
}

// f(first point, points in use) for packs of points, in parallel.
template <class F>
void for_each_pack(std::size_t begin, std::size_t end, F&& f) {
  const std::size_t packs = (end - begin + lane_count - 1) / lane_count;
  parallel_for(
      packs,
      [&](std::size_t p) {
        const std::size_t first = begin + p * lane_count;
        f(first, static_cast<int>(std::min<std::size_t>(lane_count, end - first)));
      },
      64);
}

}  // namespace

bool grows_into_others(const System& system, Index body) {
  return !system.interference_steps.empty() && system.interference_steps[body] > 1;
}

InelasticBody inelastic_body(const System& system) {
  if (!system.bolts.empty()) return {system.bolts[0].body, "bolts"};
  for (std::size_t b = 0; b < system.interference_steps.size(); ++b)
    if (system.interference_steps[b] > 1) return {static_cast<Index>(b), "interference over several steps"};
  for (const ElasticGroup& group : system.groups) {
    if (group.tet_begin == group.tet_end) continue;
    if (!group.families.empty()) return {system.tet_body[group.tet_begin], "fiber families"};
    if (!group.viscosity.empty()) return {system.tet_body[group.tet_begin], "viscosity"};
    if (group.model->plastic()) return {system.tet_body[group.tet_begin], "plasticity"};
    if (group.initial_stretch.cols() > 0) return {system.tet_body[group.tet_begin], "initial strain"};
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      const Index body = system.tet_body[t];
      if (!system.bodies[body].swelling.empty()) return {body, "swelling"};
      if (!group.expansion.empty() && !system.bodies[body].heat.empty()) return {body, "temperature"};
    }
  }
  return {};
}

InelasticStrain::InelasticStrain(const System& system, std::span<const ElasticGroup> groups, std::vector<Index> tet,
                                 int points)
    : system_(system), tet_(std::move(tet)), points_(points) {
  for (const ElasticGroup& group : groups) {
    Record record{history_size_, 0};
    if (!group.viscosity.empty()) record.width = stress_numbers * (1 + static_cast<int>(group.viscosity.size()));
    if (group.model->plastic()) record.width = release_numbers + 1;
    history_size_ += record.width * (end_point(group) - first_point(group));
    records_.push_back(record);
    PointStates::Group own;
    own.has_stress = !group.viscosity.empty();
    if (!group.bulk_relaxes) own.bulk = group.model->volume_part().parameter;
    own.has_plastic_strain = group.model->plastic() != nullptr;
    const bool swells = std::ranges::any_of(system.bodies, [](const SystemBody& b) { return !b.swelling.empty(); });
    own.has_release = own.has_plastic_strain || swells || !group.expansion.empty() || group.initial_stretch.cols() > 0;
    own.has_release = own.has_release || grows(group);
    states_.groups.push_back(own);
  }
  if (!system.bolts.empty()) find_cuts(groups);
  const std::size_t all = groups.empty() ? 0 : end_point(groups.back());
  const auto any = [&](auto member) {
    return std::ranges::any_of(states_.groups, [&](const PointStates::Group& g) { return g.*member; });
  };
  if (any(&PointStates::Group::has_release)) states_.release.resize(release_numbers * all);
  if (any(&PointStates::Group::has_stress)) states_.stress.resize(stress_numbers * all);
  if (any(&PointStates::Group::has_plastic_strain)) states_.plastic_strain.resize(all);
}

// The tets of the energy that bolts cut. All points of their groups have a G.
void InelasticStrain::find_cuts(std::span<const ElasticGroup> groups) {
  std::map<Index, CutTet> of_tet;  // of the system
  for (std::size_t b = 0; b < system_.bolts.size(); ++b)
    for (std::size_t k = 0; k < system_.bolts[b].tets.size(); ++k)
      of_tet[system_.bolts[b].tets[k]] = {0, static_cast<Index>(b), static_cast<Index>(k)};
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (Index t = groups[g].tet_begin; t < groups[g].tet_end; ++t) {
      const auto found = of_tet.find(tet_[t]);
      if (found == of_tet.end()) continue;
      states_.groups[g].has_release = true;
      cuts_.push_back({static_cast<std::size_t>(t), found->second.bolt, found->second.cut});
    }
}

bool InelasticStrain::grows(const ElasticGroup& group) const {
  for (Index t = group.tet_begin; t < group.tet_end; ++t)
    if (grows_into_others(system_, system_.tet_body[tet_[t]])) return true;
  return false;
}

// Where bodies overlap at rest, an interference of the share 1 - c: the shape without stress is moved from the mesh by
// c times the displacement to the start, which has the gradient F_start,
//
//   G <- M^-1 G,   M = I + c (F_start - I).
//
// Each step is a fit with a smaller overlap: contact grows evenly, and nothing but contact presses the body.
void InelasticStrain::release_start(double time, const ElasticGroup& group) {
  parallel_for(
      end_point(group) - first_point(group),
      [&](std::size_t k) {
        const std::size_t point = first_point(group) + k;
        const double c = interference_factor(system_, system_.tet_body[tet_[point / points_]], time);
        if (c == 0) return;
        const Eigen::Map<const RowMat3> F(start_.data() + release_numbers * point);
        Eigen::Map<RowMat3> G(states_.release.data() + release_numbers * point);
        const Mat3 M = (1 - c) * Mat3::Identity() + c * F;
        G = (M.inverse() * G).eval();
      },
      1024);
}

// G = M^-1 F0 Fp^-1 / s: the shortening M of bolts, the strain F0 of the mesh at rest, plastic flow, and the free
// stretch. With M = I - s n (grad H)^T (model/bolt.h), M^-1 = I + s n (grad H)^T / (1 - s n . grad H).
void InelasticStrain::set_release(const StepContext& context, double time, std::span<const double> shortening,
                                  std::span<const ElasticGroup> groups) {
  const double ramp = context.load_factor;  // of temperatures and swelling without keyframes
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ElasticGroup& group = groups[g];
    if (!states_.groups[g].has_release) continue;
    const bool plastic = states_.groups[g].has_plastic_strain;
    const Eigen::Index initial = group.initial_stretch.cols();
    parallel_for(
        end_point(group) - first_point(group),
        [&](std::size_t k) {
          const std::size_t point = first_point(group) + k, tet = point / points_, entry = tet - group.tet_begin;
          RowMat3 G = RowMat3::Identity() / free_stretch(system_, group, entry, tet_[tet], time, ramp);
          if (initial > 0)
            G = G * Eigen::Map<const RowMat3>(
                        group.initial_stretch.col(initial == 1 ? 0 : static_cast<Eigen::Index>(entry)).data());
          if (plastic)
            G = (G * Eigen::Map<const RowMat3>(history_.data() + records_[g].begin + records_[g].width * k)).eval();
          Eigen::Map<RowMat3>(states_.release.data() + release_numbers * point) = G;
        },
        1024);
  }
  for (const ElasticGroup& group : groups)
    if (!start_.empty() && grows(group)) release_start(time, group);
  for (const CutTet& cut : cuts_) {
    const Bolt& bolt = system_.bolts[cut.bolt];
    const Vec3 shift = shortening[cut.bolt] * bolt.setup.normal, gradient = bolt.gradient.col(cut.cut);
    const RowMat3 M_inverse = Mat3::Identity() + shift * gradient.transpose() / (1 - shift.dot(gradient));
    for (int p = 0; p < points_; ++p) {
      Eigen::Map<RowMat3> G(states_.release.data() + release_numbers * (cut.tet * points_ + p));
      G = (M_inverse * G).eval();
    }
  }
}

// S0 = (F G)^-1 P of points next to each other, with P the stress of W and of the pressure of mixed elements, or of W'
// alone if the bulk part does not relax.
void InelasticStrain::elastic_stress(const ElasticGroup& group, bool has_release, std::size_t first, int used,
                                     std::span<const double> F, std::span<const double> pressures,
                                     Lanes* stress) const {
  const auto points = [&](const double* values, int width, int k) {
    return Lanes([&](auto lane) { return values[width * (first + std::min<std::size_t>(lane, used - 1)) + k]; });
  };
  Lanes f[9];
  for (int k = 0; k < 9; ++k) f[k] = points(F.data(), 9, k);
  if (has_release) {
    Lanes release[9], released[9];
    for (int k = 0; k < 9; ++k) release[k] = points(states_.release.data(), 9, k);
    multiply3(f, release, released);
    std::copy_n(released, 9, f);
  }
  const auto parameter = [&](auto&& value) {
    return Lanes(
        [&](auto lane) { return value((first + std::min<std::size_t>(lane, used - 1)) / points_ - group.tet_begin); });
  };
  Lanes kernel[MaterialModel::max_kernel_parameters];
  for (std::size_t p = 0; p < group.parameters.size(); ++p)
    kernel[p] = parameter([&](std::size_t tet) { return value_of(group.parameters[p], tet); });
  if (!group.bulk_relaxes) kernel[group.model->volume_part().parameter] = 0;
  Svd3<Lanes> svd;
  svd3(f, svd);
  StretchDerivatives<Lanes> w;
  group.model->evaluate(svd.s, kernel, Order::gradient, w);
  if (!pressures.empty() && is_mixed(group.elements) && group.bulk_relaxes)
    add_pressure(svd.s, points(pressures.data(), 1, 0), Order::gradient, w);
  // V diag(w_i / s_i) V^T
  Lanes values[3];
  for (int i = 0; i < 3; ++i) values[i] = w.first[i] / svd.s[i];
  symmetric_from_axes(svd.v, values, stress);
  Index tets[lane_count];
  for (int l = 0; l < lane_count; ++l)
    tets[l] = static_cast<Index>((first + std::min(l, used - 1)) / points_) - group.tet_begin;
  elastic_detail::for_each_family({group, kernel, tets}, [&](const FiberFamily& family) {
    add_family_stress(family, family_derivatives(family, f), stress);
  });
  if (group.fiber_stiffness.empty()) return;
  // k c d d^T with the fiber's force k c F d
  Fiber<Lanes> fiber;
  const bool uniform = group.fiber_direction.cols() == 1;
  fiber.stiffness = parameter([&](std::size_t tet) { return value_of(group.fiber_stiffness, tet); });
  if (!group.fiber_tension.empty())
    fiber.tension = parameter([&](std::size_t tet) { return value_of(group.fiber_tension, tet); });
  for (int i = 0; i < 3; ++i)
    fiber.direction[i] =
        parameter([&](std::size_t tet) { return group.fiber_direction(i, uniform ? 0 : static_cast<Index>(tet)); });
  Lanes image[3], length, strain;
  fiber_image(f, fiber.direction, image);
  fiber_strain(image, length, strain);
  const Lanes tension = (fiber.stiffness * strain + fiber.tension) / maximum(length, Lanes(0x1p-50));
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) stress[symmetric_entry(i, j)] += tension * fiber.direction[i] * fiber.direction[j];
}

// Viscous points have been at F for long: Q = 0. Plastic ones have not flowed.
std::vector<double> InelasticStrain::initial_history(const StepContext& context, std::span<const ElasticGroup> groups,
                                                     std::span<const double> F, std::span<const double> pressures) {
  std::vector<double> history(history_size_, 0.0);
  history_ = history;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t k = 0; groups[g].model->plastic() && k < end_point(groups[g]) - first_point(groups[g]); ++k)
      for (int i = 0; i < 3; ++i) history[records_[g].begin + records_[g].width * k + 4 * i] = 1;
  set_release(context, context.inertia ? context.time_end - context.step : context.time_end,
              context.inertia ? context.start_shortening : context.shortening, groups);
  step_ = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!groups[g].viscosity.empty()) relax(groups[g], g, F, pressures, history);
  history_ = {};
  return history;
}

// With h the step, e_i = exp(-h / time_i) and m_i the mean of exp(-t / time_i) over the step, the branches add up to
//
//   sum_i Q_i(end) = sum_i (e_i Q_i + g_i m_i (S0(end) - S0)),
//
// exact where S0 changes evenly. What multiplies S0(end) is the factor c - 1, the rest is S. In statics branches have
// relaxed: c = 1, S = 0.
void InelasticStrain::begin_step(const StepContext& context, std::span<const ElasticGroup> groups,
                                 std::span<const double> history) {
  history_ = history;
  step_ = context.inertia ? context.step : 0;
  set_release(context, context.time_end, context.shortening, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ElasticGroup& group = groups[g];
    PointStates::Group& state = states_.groups[g];
    const Record& record = records_[g];
    if (state.has_plastic_strain)
      parallel_for(
          end_point(group) - first_point(group),
          [&](std::size_t k) {
            states_.plastic_strain[first_point(group) + k] = history[record.begin + record.width * k + release_numbers];
          },
          4096);
    if (!state.has_stress) continue;
    double share = 0;
    if (step_ > 0)
      for (const ViscousBranch& branch : group.viscosity) share += branch.modulus * branch.mean(step_);
    state.factor = 1 + share;
    parallel_for(
        end_point(group) - first_point(group),
        [&](std::size_t k) {
          const double* at = history.data() + record.begin + record.width * k;
          double* S = states_.stress.data() + stress_numbers * (first_point(group) + k);
          for (int i = 0; i < stress_numbers; ++i) {
            S[i] = -share * at[i];
            for (std::size_t b = 0; b < group.viscosity.size() && step_ > 0; ++b)
              S[i] += group.viscosity[b].decay(step_) * at[stress_numbers * (b + 1) + i];
            S[i] /= state.factor;
          }
        },
        1024);
  }
}

void InelasticStrain::end_step(std::span<const ElasticGroup> groups, std::span<const double> F,
                               std::span<const double> pressures, std::span<double> next) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g].viscosity.empty()) relax(groups[g], g, F, pressures, next);
    if (groups[g].model->plastic()) flow(groups[g], records_[g], F, next);
  }
}

// S0 and Q_i at the end of the step.
void InelasticStrain::relax(const ElasticGroup& group, std::size_t number, std::span<const double> F,
                            std::span<const double> pressures, std::span<double> next) const {
  const Record& record = records_[number];
  for_each_pack(first_point(group), end_point(group), [&](std::size_t first, int used) {
    Lanes stress[stress_numbers];
    elastic_stress(group, states_.groups[number].has_release, first, used, F, pressures, stress);
    for (int l = 0; l < used; ++l) {
      const std::size_t at = record.begin + record.width * (first + l - first_point(group));
      const double* from = history_.data() + at;
      double* to = next.data() + at;
      for (std::size_t b = 0; b < group.viscosity.size(); ++b) {
        const ViscousBranch& branch = group.viscosity[b];
        const double decay = step_ > 0 ? branch.decay(step_) : 0;
        const double gain = step_ > 0 ? branch.modulus * branch.mean(step_) : 0;
        for (int i = 0; i < stress_numbers; ++i) {
          const std::size_t q = stress_numbers * (b + 1) + i;
          to[q] = decay * from[q] + gain * (stress[i][l] - from[i]);
        }
      }
      for (int i = 0; i < stress_numbers; ++i) to[i] = stress[i][l];
    }
  });
}

// With the trial state F G = U diag(s) V^T and the flow e along its axes:
//
//   Fp^-1(end) = Fp^-1 V diag(exp(-e_i)) V^T,   p(end) = p + dp.
void InelasticStrain::flow(const ElasticGroup& group, const Record& record, std::span<const double> F,
                           std::span<double> next) const {
  for_each_pack(first_point(group), end_point(group), [&](std::size_t first, int used) {
    Lanes f[9], release[9], trial[9];
    for (int k = 0; k < 9; ++k) {
      const auto points = [&](std::span<const double> values) {
        return Lanes([&](auto lane) { return values[9 * (first + std::min<std::size_t>(lane, used - 1)) + k]; });
      };
      f[k] = points(F);
      release[k] = points(states_.release);
    }
    multiply3(f, release, trial);
    Svd3<Lanes> svd;
    svd3(trial, svd);
    for (int l = 0; l < used; ++l) {
      const std::size_t at = record.begin + record.width * (first + l - first_point(group));
      const double* from = history_.data() + at;
      double* to = next.data() + at;
      ElementParameters own = element_parameters(group, (first + l) / points_ - group.tet_begin);
      own.kernel[HenckyPlastic::plastic_strain] = from[release_numbers];
      const double s[3] = {svd.s[0][l], svd.s[1][l], svd.s[2][l]};
      const HenckyPlastic::Flow flow = group.model->plastic()->flow(s, own.kernel);
      Mat3 V, G;
      for (int k = 0; k < 9; ++k) V(k / 3, k % 3) = svd.v[k][l], G(k / 3, k % 3) = from[k];
      const Vec3 shrink(std::exp(-flow.strain[0]), std::exp(-flow.strain[1]), std::exp(-flow.strain[2]));
      if (flow.increment > 0) G = (G * V * shrink.asDiagonal() * V.transpose()).eval();
      for (int k = 0; k < 9; ++k) to[k] = G(k / 3, k % 3);
      to[release_numbers] = from[release_numbers] + flow.increment;
    }
  });
}

void InelasticStrain::plastic_strain(std::span<const ElasticGroup> groups, std::span<const double> history,
                                     std::span<double> out) const {
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t k = first_point(groups[g]); k < end_point(groups[g]) && groups[g].model->plastic(); ++k)
      out[k] = history[records_[g].begin + records_[g].width * (k - first_point(groups[g])) + release_numbers];
}

}  // namespace sinew

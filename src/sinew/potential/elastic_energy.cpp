#include "sinew/potential/elastic_energy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/material/hencky.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quadratic_jacobian.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/muscle.h"

namespace sinew {
namespace {

constexpr int corner_parts = 4;  // the parts at the corners of a ten-node tet come first

// Groups of some kinds of elements, with tets counted from `begin` in units of `parts`.
template <class Wanted>
std::vector<ElasticGroup> groups_of(const std::vector<ElasticGroup>& groups, Index begin, int parts, Wanted&& wanted) {
  std::vector<ElasticGroup> result;
  for (const ElasticGroup& group : groups) {
    if (!wanted(group.elements)) continue;
    ElasticGroup own = group;
    own.tet_begin = (group.tet_begin - begin) / parts;
    own.tet_end = (group.tet_end - begin) / parts;
    const auto thin = [&](std::vector<double>& values) {
      if (values.size() <= 1) return;
      for (Index t = 0; t < own.tet_end - own.tet_begin; ++t) values[t] = values[t * parts];
      values.resize(own.tet_end - own.tet_begin);
    };
    if (parts > 1) {
      for (std::vector<double>& values : own.parameters) thin(values);
      thin(own.fiber_stiffness);
      thin(own.fiber_tension);
      thin(own.expansion);
      const auto thin_directions = [&](Points& directions) {
        if (directions.cols() <= 1) return;
        for (Index t = 0; t < own.tet_end - own.tet_begin; ++t) directions.col(t) = directions.col(t * parts).eval();
        directions.conservativeResize(3, own.tet_end - own.tet_begin);
      };
      thin_directions(own.fiber_direction);
      if (own.initial_stretch.cols() > 1) {
        for (Index t = 0; t < own.tet_end - own.tet_begin; ++t)
          own.initial_stretch.col(t) = own.initial_stretch.col(t * parts).eval();
        own.initial_stretch.conservativeResize(9, own.tet_end - own.tet_begin);
      }
      for (Points& family : own.families) thin_directions(family);
    }
    result.push_back(std::move(own));
  }
  return result;
}

bool is_linear(Elements e) {
  return e == Elements::linear;
}
bool is_linear_mixed(Elements e) {
  return e == Elements::linear_mixed;
}

// Without what mixed elements average.
std::vector<ElasticGroup> kept(std::vector<ElasticGroup> groups) {
  for (ElasticGroup& group : groups)
    if (is_mixed(group.elements)) group = NodalVolume::kept(group);
  return groups;
}

std::vector<ElasticGroup> quadratic_groups(const std::vector<ElasticGroup>& groups, Index begin) {
  return groups_of(groups, begin, parts_of_quadratic, is_quadratic);
}

// The mixed ones, from their first tet on.
std::vector<ElasticGroup> mixed_of(const std::vector<ElasticGroup>& quadratic, Index begin) {
  return groups_of(quadratic, begin, 1, is_mixed);
}

// Young's modulus by tet; 0: the material may turn inside out.
std::vector<double> barrier_stiffness(const std::vector<ElasticGroup>& groups) {
  std::vector<double> stiffness;
  for (const ElasticGroup& group : groups)
    for (Index t = 0; t < group.tet_end - group.tet_begin; ++t)
      stiffness.push_back(group.model->requires_positive_volume()
                              ? group.model->equivalent_young(element_parameters(group, t).kernel)
                              : 0);
  return stiffness;
}

double von_mises(const double* s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt((a * a + b * b + c * c) / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

// The third of the trace of each stress, which is taken from it. Mixed elements average the volume change, so the mean
// stress of a single tet or point has no meaning of its own.
std::vector<double> take_pressure(std::span<double> stress) {
  std::vector<double> pressure;
  for (std::size_t k = 0; k < stress.size(); k += 6) {
    const double mean = (stress[k] + stress[k + 1] + stress[k + 2]) / 3;
    pressure.push_back(mean);
    for (int i = 0; i < 3; ++i) stress[k + i] -= mean;
  }
  return pressure;
}

void add_pressure(std::span<const double> pressure, std::span<double> stress) {
  for (std::size_t k = 0; k < pressure.size(); ++k)
    for (int i = 0; i < 3; ++i) stress[6 * k + i] += pressure[k];
}

// Values at the points of ten-node tets, `width` each, as those of their parts.
void spread_to_parts(std::span<const double> points, int width, double* out) {
  const std::size_t tets = points.size() / (quadratic_tet_points * static_cast<std::size_t>(width));
  for (std::size_t q = 0; q < tets; ++q) {
    const double* at = points.data() + q * quadratic_tet_points * width;
    double* to = out + q * parts_of_quadratic * width;
    for (int k = 0; k < width; ++k) {
      double sum = 0;
      for (int p = 0; p < quadratic_tet_points; ++p) sum += to[p * width + k] = at[p * width + k];
      for (int p = corner_parts; p < parts_of_quadratic; ++p) to[p * width + k] = sum / quadratic_tet_points;
    }
  }
}

// Groups with the parallel solids of plastic ones after them; `parallel` gets the tets that these belong to.
std::vector<ElasticGroup> with_parallel(std::vector<ElasticGroup> groups, std::vector<Index>& parallel) {
  static const auto elastic = std::make_shared<const Hencky>();
  parallel.clear();
  if (groups.empty()) return groups;
  const Index own = groups.back().tet_end;
  const std::size_t count = groups.size();
  for (std::size_t g = 0; g < count; ++g) {
    const HenckyPlastic* plastic = groups[g].model->plastic();
    if (!plastic || plastic->plasticity().kinematic == 0) continue;
    ElasticGroup second;
    second.elements = is_quadratic(groups[g].elements) ? Elements::quadratic : Elements::linear;
    second.model = elastic;
    second.expansion = groups[g].expansion;
    second.initial_stretch = groups[g].initial_stretch;
    second.tet_begin = own + static_cast<Index>(parallel.size());
    second.parameters.resize(2);
    for (Index t = groups[g].tet_begin; t < groups[g].tet_end; ++t) {
      const double mu = element_parameters(groups[g], static_cast<std::size_t>(t - groups[g].tet_begin)).kernel[1];
      const LameParameters lame = plastic->parallel(mu);
      second.parameters[0].push_back(lame.lambda);
      second.parameters[1].push_back(lame.mu);
      parallel.push_back(t);
    }
    second.tet_end = own + static_cast<Index>(parallel.size());
    groups.push_back(std::move(second));
  }
  return groups;
}

// The columns [begin, begin + count), and those of parallel solids after them.
template <class Elements>
Elements with_parallel(const Elements& tets, Index begin, Index count, const std::vector<Index>& parallel) {
  Elements result(tets.rows(), count + static_cast<Index>(parallel.size()));
  result.leftCols(count) = tets.middleCols(begin, count);
  for (std::size_t k = 0; k < parallel.size(); ++k)
    result.col(count + static_cast<Index>(k)) = tets.col(begin + parallel[k]);
  return result;
}

Index count_of(const std::vector<ElasticGroup>& groups) {
  return groups.empty() ? 0 : groups.back().tet_end;
}

}  // namespace

ElasticEnergy::ElasticEnergy(const System& s)
    : system_(s),
      is_inelastic_(inelastic_body(s).body >= 0),
      tet_count_(s.tet_count()),
      quadratic_begin_(s.quadratic_begin()) {
  const Index n = s.dynamic_count;
  const auto make = [&](auto& part, const auto& tets, Index begin, Index first_tet, int points,
                        std::vector<ElasticGroup> groups) {
    using TetEnergy = std::remove_reference_t<decltype(*part.energy)>;
    const Index count = count_of(groups);
    groups = with_parallel(std::move(groups), part.parallel);
    if (is_inelastic_) {
      std::vector<Index> tet;
      const Index parts = points == 1 ? 1 : parts_of_quadratic;
      for (Index t = 0; t < count; ++t) tet.push_back(first_tet + t * parts);
      for (const Index t : part.parallel) tet.push_back(tet[t]);
      part.inelastic = std::make_unique<InelasticStrain>(s, groups, std::move(tet), points);
    }
    const bool all = begin == 0 && count == tets.cols() && part.parallel.empty();
    part.energy = all ? std::make_unique<TetEnergy>(s.rest, tets, std::move(groups), n)
                      : std::make_unique<TetEnergy>(s.rest, with_parallel(tets, begin, count, part.parallel),
                                                    std::move(groups), n);
  };
  const std::vector<ElasticGroup> groups_at_start = groups_at(s, 0);
  const std::vector<ElasticGroup> linear = groups_of(groups_at_start, 0, 1, is_linear);
  const Index linear_end = count_of(linear);
  // Tets behind the last group, which springs hold, are of linear_ where all elements are linear.
  if (s.all_linear() && !is_inelastic_)
    linear_.energy = std::make_unique<LinearTetEnergy>(s.rest, s.tets, linear, n);
  else
    make(linear_, s.tets, 0, 0, 1, linear);
  if (const auto mixed = groups_of(groups_at_start, linear_end, 1, is_linear_mixed); !mixed.empty()) {
    make(mixed_, s.tets, linear_end, linear_end, 1, kept(mixed));
    linear_volume_ = std::make_unique<NodalVolume>(s.rest, Tets(s.tets.middleCols(linear_end, count_of(mixed))), mixed,
                                                   std::span(s.tet_material).subspan(linear_end, count_of(mixed)), n);
  }
  if (s.quadratic_tets.cols() > 0) {
    const std::vector<ElasticGroup> quadratic = quadratic_groups(groups_at_start, quadratic_begin_);
    make(quadratic_, s.quadratic_tets, 0, quadratic_begin_, quadratic_tet_points, kept(quadratic));
    quadratic_barrier_ =
        std::make_unique<QuadraticTetBarrier>(s.rest, s.quadratic_tets, barrier_stiffness(quadratic), n);
    if (is_mixed(quadratic.back().elements)) {
      const auto first = std::ranges::find_if(quadratic, [](const ElasticGroup& g) { return is_mixed(g.elements); });
      const Index begin = first->tet_begin, end = quadratic.back().tet_end;
      std::vector<Index> material;
      for (Index q = begin; q < end; ++q) material.push_back(s.tet_material[quadratic_begin_ + parts_of_quadratic * q]);
      first_mixed_quadratic_ = begin;
      first_mixed_group_ = static_cast<Index>(first - quadratic.begin());
      quadratic_volume_ =
          std::make_unique<NodalVolume>(s.rest, QuadraticTets(s.quadratic_tets.middleCols(begin, end - begin)),
                                        mixed_of(quadratic, begin), material, n);
    }
  }
  set_start();
  std::size_t history = 0;
  for (Part<LinearTetEnergy>* part : {&linear_, &mixed_})
    if (part->inelastic) part->history_begin = std::exchange(history, history + part->inelastic->history_size());
  quadratic_.history_begin = history;
}

// F of the positions from which bodies that overlap at rest start.
void ElasticEnergy::set_start() {
  if (!is_inelastic_ || system_.interference_start.cols() == 0) return;
  Points start = system_.rest;
  start.leftCols(system_.dynamic_count) += system_.interference_start;
  for_each_part([&](auto& part, NodalVolume*, Index, Index) { part.inelastic->set_start(gradients(part, start)); });
}

template <class F>
void ElasticEnergy::for_each_part(F&& f) const {
  f(linear_, static_cast<NodalVolume*>(nullptr), 0, 0);
  if (mixed_.energy) f(mixed_, linear_volume_.get(), 0, 0);
  if (quadratic_.energy)
    f(quadratic_, quadratic_volume_.get(), quadratic_tet_points * first_mixed_quadratic_, first_mixed_group_);
}

// What mixed elements add to stresses at x.
void ElasticEnergy::find_pressures(const Points& x) const {
  if (linear_volume_) mixed_.energy->set_pressures(linear_volume_->pressures(x));
  if (quadratic_volume_) quadratic_.energy->set_pressures(quadratic_volume_->pressures(x), first_mixed_quadratic_);
}

// Fibers are then those of the start, until a step begins.
void ElasticEnergy::adapt(Change change) {
  if (change == Change::materials || change == Change::fibers) set_groups(groups_at(system_, 0));
}

void ElasticEnergy::set_groups(const std::vector<ElasticGroup>& groups) {
  std::vector<Index> parallel;  // the same tets as before
  linear_.energy->set_groups(with_parallel(groups_of(groups, 0, 1, is_linear), parallel));
  if (mixed_.energy) {
    const auto mixed = groups_of(groups, linear_count(), 1, is_linear_mixed);
    mixed_.energy->set_groups(with_parallel(kept(mixed), parallel));
    linear_volume_->set_groups(mixed);
  }
  if (!quadratic_.energy) return;
  const std::vector<ElasticGroup> quadratic = quadratic_groups(groups, quadratic_begin_);
  quadratic_.energy->set_groups(with_parallel(kept(quadratic), parallel));
  quadratic_barrier_->set_stiffness(barrier_stiffness(quadratic));
  if (quadratic_volume_) quadratic_volume_->set_groups(mixed_of(quadratic, first_mixed_quadratic_));
}

// F of the motion at all points of a part.
template <class TetEnergy>
std::vector<double> ElasticEnergy::gradients(const Part<TetEnergy>& part, const Points& x) const {
  constexpr int points = std::is_same_v<TetEnergy, QuadraticTetEnergy> ? quadratic_tet_points : 1;
  std::vector<double> F(std::size_t{9} * points * part.energy->tet_count());
  part.energy->deformation_gradients(x, F);
  return F;
}

// Pressures of a part's mixed elements by all of its points; empty: none.
template <class TetEnergy>
std::span<const double> ElasticEnergy::pressures(const Part<TetEnergy>& part, const Points& x,
                                                 std::vector<double>& space) const {
  if constexpr (std::is_same_v<TetEnergy, QuadraticTetEnergy>) {
    if (!quadratic_volume_) return {};
    const std::span<const double> mixed = quadratic_volume_->pressures(x);
    space.assign(std::size_t{quadratic_tet_points} * part.energy->tet_count(), 0.0);
    std::ranges::copy(mixed, space.begin() + quadratic_tet_points * first_mixed_quadratic_);
  } else {
    if (&part != &mixed_) return {};
    const std::span<const double> mixed = linear_volume_->pressures(x);
    space.assign(part.energy->tet_count(), 0.0);
    std::ranges::copy(mixed, space.begin());
  }
  return space;
}

void ElasticEnergy::begin_step(const StepContext& context) {
  if (moves_fibers(system_)) set_groups(groups_at(system_, context.time_end));
  if (!is_inelastic_) return;
  history_ = context.material_history;
  const bool first = history_.size() != history_size();
  history_.resize(history_size());
  set_states(false);
  for_each_part([&](auto& part, NodalVolume*, Index, Index) {
    if (first && part.inelastic->history_size() > 0) {
      std::vector<double> space;
      const std::vector<double> own = part.inelastic->initial_history(
          context, part.energy->groups(), gradients(part, context.start), pressures(part, context.start, space));
      std::ranges::copy(own, history_.begin() + static_cast<std::ptrdiff_t>(part.history_begin));
    }
    part.inelastic->begin_step(context, part.energy->groups(), part.history_of(history_));
  });
  set_states(true);
}

std::size_t ElasticEnergy::history_size() const {
  std::size_t size = 0;
  for_each_part([&](const auto& part, NodalVolume*, Index, Index) {
    if (part.inelastic) size += part.inelastic->history_size();
  });
  return size;
}

void ElasticEnergy::end_step(const Points& x, std::vector<double>& history) const {
  history.resize(history_.size());
  if (history.empty()) return;
  for_each_part([&](const auto& part, NodalVolume*, Index, Index) {
    if (part.inelastic->history_size() == 0) return;
    std::vector<double> space;
    part.inelastic->end_step(part.energy->groups(), gradients(part, x), pressures(part, x, space),
                             std::span(history).subspan(part.history_begin, part.inelastic->history_size()));
  });
}

bool ElasticEnergy::set_states(bool with) {
  if (has_states_ == with || !is_inelastic_) return has_states_;
  for_each_part([&](auto& part, NodalVolume* volume, Index first_point, Index first_group) {
    const PointStates* states = with ? &part.inelastic->states() : nullptr;
    part.energy->set_states(states);
    if (volume) volume->set_states(states, first_point, first_group);
  });
  return std::exchange(has_states_, with);
}

void ElasticEnergy::set_history(bool with) {
  if (!is_inelastic_) return;
  for_each_part([&](auto& part, NodalVolume* volume, Index first_point, Index first_group) {
    part.inelastic->set_history(with);
    if (volume && has_states_) volume->set_states(&part.inelastic->states(), first_point, first_group);
  });
}

double ElasticEnergy::value(const Points& x) const {
  double sum = linear_.energy->value(x);
  if (linear_volume_) sum += mixed_.energy->value(x) + linear_volume_->value(x);
  if (quadratic_.energy) sum += quadratic_.energy->value(x) + quadratic_barrier_->value(x);
  if (quadratic_volume_) sum += quadratic_volume_->value(x);
  return sum;
}

void ElasticEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  linear_.energy->add_vertex_energies(x, scale, values);
  if (linear_volume_) {
    mixed_.energy->add_vertex_energies(x, scale, values);
    linear_volume_->add_vertex_energies(x, scale, values);
  }
  if (quadratic_.energy) {
    quadratic_.energy->add_vertex_energies(x, scale, values);
    quadratic_barrier_->add_vertex_energies(x, scale, values);
  }
  if (quadratic_volume_) quadratic_volume_->add_vertex_energies(x, scale, values);
}

void ElasticEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  find_pressures(x);
  linear_.energy->add_gradient(x, scale, g);
  if (linear_volume_) mixed_.energy->add_gradient(x, scale, g);
  if (!quadratic_.energy) return;
  quadratic_.energy->add_gradient(x, scale, g);
  quadratic_barrier_->add_gradient(x, {}, scale, g);
}

void ElasticEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                    SymBlockMatrix& H) const {
  find_pressures(x);
  linear_.energy->add_derivatives(x, scale, projection, g, H);
  if (linear_volume_) {
    mixed_.energy->add_derivatives(x, scale, projection, g, H);
    linear_volume_->add_hessian(x, {}, scale, projection, H);
  }
  if (!quadratic_.energy) return;
  quadratic_.energy->add_derivatives(x, scale, projection, g, H);
  quadratic_barrier_->add_derivatives(x, {}, scale, projection, g, H);
  if (quadratic_volume_) quadratic_volume_->add_hessian(x, {}, scale, projection, H);
}

void ElasticEnergy::add_derivatives(const Points& x, std::span<const Index> tets, std::span<const double> weights,
                                    double scale, Projection projection, Points& g, SymBlockMatrix& H) const {
  if (!linear_volume_ && !quadratic_.energy && linear_.parallel.empty())
    return linear_.energy->add_derivatives(x, tets, weights, scale, projection, g, H);
  find_pressures(x);
  list(tets, weights);
  const auto add_listed = [&](const Part<LinearTetEnergy>& part, Index begin) {
    list_of(part, begin);
    part.energy->add_derivatives(x, listed_, listed_weights_, scale, projection, g, H);
  };
  const Index linear = linear_count();
  add_listed(linear_, 0);
  if (linear_volume_) {
    add_listed(mixed_, linear);
    linear_volume_->add_hessian(x, std::span(factors_).subspan(linear, quadratic_begin_ - linear), scale, projection,
                                H);
  }
  if (!quadratic_.energy) return;
  set_quadratic_factors();
  const std::span<const double> own = std::span(quadratic_factors_).first(quadratic_.own_count());
  quadratic_.energy->add_derivatives(x, quadratic_factors_, scale, projection, g, H);
  quadratic_barrier_->add_derivatives(x, own, scale, projection, g, H);
  if (quadratic_volume_) quadratic_volume_->add_hessian(x, own.subspan(first_mixed_quadratic_), scale, projection, H);
}

// factors_: the weights of the listed tets, by tet.
void ElasticEnergy::list(std::span<const Index> tets, std::span<const double> weights) const {
  factors_.assign(tet_count_, 0.0);
  for (std::size_t k = 0; k < tets.size(); ++k) factors_[tets[k]] = weights.empty() ? 1 : weights[k];
}

// The listed tets of a part that begins at `begin`, with their weights.
void ElasticEnergy::list_of(const Part<LinearTetEnergy>& part, Index begin) const {
  listed_.clear();
  listed_weights_.clear();
  const auto add = [&](Index own, Index tet) {
    if (factors_[begin + tet] != 0) listed_.push_back(own), listed_weights_.push_back(factors_[begin + tet]);
  };
  for (Index t = 0; t < part.own_count(); ++t) add(t, t);
  for (std::size_t k = 0; k < part.parallel.size(); ++k)
    add(part.own_count() + static_cast<Index>(k), part.parallel[k]);
}

void ElasticEnergy::set_quadratic_factors() const {
  quadratic_factors_.resize(quadratic_.energy->tet_count());
  for (Index q = 0; q < quadratic_.own_count(); ++q)
    quadratic_factors_[q] = factors_[quadratic_begin_ + parts_of_quadratic * q];
  for (std::size_t k = 0; k < quadratic_.parallel.size(); ++k)
    quadratic_factors_[quadratic_.own_count() + k] = quadratic_factors_[quadratic_.parallel[k]];
}

void ElasticEnergy::add_gradient(const Points& x, std::span<const Index> tets, double scale, Points& g) const {
  find_pressures(x);
  list(tets, {});
  const auto add_listed = [&](const Part<LinearTetEnergy>& part, Index begin) {
    list_of(part, begin);
    part.energy->add_gradient(x, listed_, listed_weights_, scale, g);
  };
  add_listed(linear_, 0);
  if (linear_volume_) add_listed(mixed_, linear_count());
  if (!quadratic_.energy) return;
  set_quadratic_factors();
  quadratic_.energy->add_gradient(x, quadratic_factors_, scale, g);
  quadratic_barrier_->add_gradient(x, std::span(quadratic_factors_).first(quadratic_.own_count()), scale, g);
}

void ElasticEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  linear_.energy->collect_pairs(pairs);
  if (linear_volume_) linear_volume_->collect_pairs(pairs);  // all pairs of vertices of a tet are in one star
  if (quadratic_.energy) quadratic_.energy->collect_pairs(pairs);
  if (quadratic_volume_) quadratic_volume_->collect_pairs(pairs);
}

void ElasticEnergy::deformation_gradients(const Points& x, std::span<double> out) const {
  const auto copy = [&](const Part<LinearTetEnergy>& part, Index begin) {
    const std::vector<double> F = gradients(part, x);
    std::copy_n(F.begin(), std::size_t{9} * part.own_count(), out.begin() + std::ptrdiff_t{9} * begin);
  };
  copy(linear_, 0);
  if (mixed_.energy) copy(mixed_, linear_count());
  if (!quadratic_.energy) return;
  const std::vector<double> points = gradients(quadratic_, x);
  spread_to_parts(std::span(points).first(std::size_t{36} * quadratic_.own_count()), 9,
                  out.data() + std::size_t{9} * quadratic_begin_);
}

// Stresses of parallel solids add up: `width` numbers for each tet, which end as those of part.own_count() tets.
template <class TetEnergy>
void ElasticEnergy::add_parallel(const Part<TetEnergy>& part, std::size_t width, std::vector<double>& stress) {
  const std::size_t own = width * part.own_count();
  for (std::size_t k = 0; k < part.parallel.size(); ++k)
    for (std::size_t i = 0; i < width; ++i) stress[width * part.parallel[k] + i] += stress[own + width * k + i];
  stress.resize(own);
}

void ElasticEnergy::stress(const Points& x, std::span<double> cauchy, std::span<double> mises) const {
  find_pressures(x);
  const auto of_linear = [&](const Part<LinearTetEnergy>& part, const NodalVolume* volume, Index begin) {
    std::vector<double> own(std::size_t{6} * part.energy->tet_count()), own_mises(part.energy->tet_count());
    part.energy->stress(x, own, own_mises);
    for (std::size_t k = 0; k < part.parallel.size(); ++k) own_mises[part.parallel[k]] = -1;
    add_parallel(part, 6, own);
    if (volume) {
      std::vector<double> pressure = take_pressure(own);
      volume->smooth(pressure);
      add_pressure(pressure, own);
    }
    std::ranges::copy(own, cauchy.begin() + std::ptrdiff_t{6} * begin);
    for (Index t = 0; t < part.own_count(); ++t)
      mises[begin + t] = own_mises[t] < 0 ? von_mises(own.data() + std::size_t{6} * t) : own_mises[t];
  };
  of_linear(linear_, nullptr, 0);
  if (mixed_.energy) of_linear(mixed_, linear_volume_.get(), linear_count());
  if (!quadratic_.energy) return;
  std::vector<double> points(std::size_t{24} * quadratic_.energy->tet_count());
  quadratic_.energy->stress(x, points);
  add_parallel(quadratic_, std::size_t{6} * quadratic_tet_points, points);
  if (quadratic_volume_) {
    const std::size_t values = std::size_t{6} * quadratic_tet_points;
    const std::span own = std::span(points).subspan(values * first_mixed_quadratic_);
    std::vector<double> pressure = take_pressure(own);
    quadratic_volume_->smooth(pressure);
    add_pressure(pressure, own);
  }
  spread_to_parts(points, 6, cauchy.data() + std::size_t{6} * quadratic_begin_);
  for (Index t = quadratic_begin_; t < quadratic_begin_ + parts_of_quadratic * quadratic_.own_count(); ++t)
    mises[t] = von_mises(cauchy.data() + std::size_t{6} * t);
}

void ElasticEnergy::energy_density(const Points& x, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  const auto of_linear = [&](const Part<LinearTetEnergy>& part, const NodalVolume* volume, Index begin) {
    std::vector<double> own(static_cast<std::size_t>(part.energy->tet_count()));
    part.energy->tet_energies(x, own);
    add_parallel(part, 1, own);
    const std::span<const double> volumes = part.energy->rest_volumes();
    const Index count = std::min(part.own_count(), static_cast<Index>(out.size()) - begin);  // without tets of springs
    for (Index t = 0; t < count; ++t) out[begin + t] = own[t] / volumes[t];
    if (!volume) return;
    const std::vector<double> of_volume = volume->energy_densities(x);
    for (Index t = 0; t < count; ++t) out[begin + t] += of_volume[t];
  };
  of_linear(linear_, nullptr, 0);
  if (mixed_.energy) of_linear(mixed_, linear_volume_.get(), linear_count());
  if (!quadratic_.energy) return;
  std::vector<double> points(std::size_t{quadratic_tet_points} * quadratic_.energy->tet_count());
  quadratic_.energy->energy_densities(x, points);
  add_parallel(quadratic_, quadratic_tet_points, points);
  if (quadratic_volume_) {
    const std::vector<double> of_volume = quadratic_volume_->energy_densities(x);
    for (std::size_t k = 0; k < of_volume.size(); ++k)
      points[std::size_t{quadratic_tet_points} * first_mixed_quadratic_ + k] += of_volume[k];
  }
  spread_to_parts(points, 1, out.data() + quadratic_begin_);
}

std::vector<double> ElasticEnergy::plastic_strain(const std::vector<double>& history) const {
  if (!system_.flows()) return {};
  std::vector<double> out(tet_count_, 0.0);
  if (history.size() != history_size()) return out;
  const auto of_linear = [&](const Part<LinearTetEnergy>& part, Index begin) {
    std::vector<double> own(part.energy->tet_count());
    part.inelastic->plastic_strain(part.energy->groups(), part.history_of(history), own);
    std::copy_n(own.begin(), part.own_count(), out.begin() + begin);
  };
  of_linear(linear_, 0);
  if (mixed_.energy) of_linear(mixed_, linear_count());
  if (!quadratic_.energy) return out;
  std::vector<double> points(std::size_t{quadratic_tet_points} * quadratic_.energy->tet_count());
  quadratic_.inelastic->plastic_strain(quadratic_.energy->groups(), quadratic_.history_of(history), points);
  spread_to_parts(std::span(points).first(std::size_t{quadratic_tet_points} * quadratic_.own_count()), 1,
                  out.data() + quadratic_begin_);
  return out;
}

double ElasticEnergy::min_jacobian(const Points& x) const {
  double least = linear_.energy->min_jacobian(x);
  if (linear_volume_) least = std::min(least, mixed_.energy->min_jacobian(x));
  if (!quadratic_.energy) return least;
  // det(dx/dxi) over its value at rest, at corners and points; dx/dxi is linear in between.
  const double of_quadratic = parallel_min(system_.quadratic_tets.cols(), least, [&](std::size_t q) {
    const Index* nodes = system_.quadratic_tets.col(static_cast<Index>(q)).data();
    const CornerJacobians now = corner_jacobians(x, nodes), before = corner_jacobians(system_.rest, nodes);
    double own = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 4; ++i) {
      Mat3 at_point = Mat3::Zero(), at_rest = at_point;
      for (int k = 0; k < 4; ++k) {
        at_point += quadrature_coordinate(i, k) * now[k];
        at_rest += quadrature_coordinate(i, k) * before[k];
      }
      own = std::min(
          {own, now[i].determinant() / before[i].determinant(), at_point.determinant() / at_rest.determinant()});
    }
    return own;
  });
  return std::min(least, of_quadratic);
}

}  // namespace sinew

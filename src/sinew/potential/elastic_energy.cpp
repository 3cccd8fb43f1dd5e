#include "sinew/potential/elastic_energy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quadratic_jacobian.h"
#include "sinew/model/element_parameters.h"
#include "sinew/potential/free_stretch.h"

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
      thin(own.free_stretch);
      if (own.fiber_direction.cols() > 1) {
        for (Index t = 0; t < own.tet_end - own.tet_begin; ++t)
          own.fiber_direction.col(t) = own.fiber_direction.col(t * parts).eval();
        own.fiber_direction.conservativeResize(3, own.tet_end - own.tet_begin);
      }
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

}  // namespace

ElasticEnergy::LinearMixed::LinearMixed(const System& s, Index begin, const std::vector<ElasticGroup>& groups)
    : begin(begin),
      tets(s.rest, s.tets.middleCols(begin, groups.back().tet_end), kept(groups), s.dynamic_count),
      volume(s.rest, Tets(s.tets.middleCols(begin, groups.back().tet_end)), groups,
             std::span(s.tet_material).subspan(begin, groups.back().tet_end), s.dynamic_count) {}

ElasticEnergy::ElasticEnergy(const System& s)
    : system_(s), is_heated_(heated_body(s) >= 0), tet_count_(s.tet_count()), quadratic_begin_(s.quadratic_begin()) {
  const Index n = s.dynamic_count;
  std::vector<ElasticGroup> linear = groups_of(s.groups, 0, 1, is_linear);
  const Index linear_end = linear.empty() ? 0 : linear.back().tet_end;
  linear_ = std::make_unique<LinearTetEnergy>(s.rest, s.all_linear() ? s.tets : Tets(s.tets.leftCols(linear_end)),
                                              std::move(linear), n);
  if (const auto mixed = groups_of(s.groups, linear_end, 1, is_linear_mixed); !mixed.empty())
    mixed_ = std::make_unique<LinearMixed>(s, linear_end, mixed);
  if (s.quadratic_tets.cols() == 0) return;
  const std::vector<ElasticGroup> quadratic = quadratic_groups(s.groups, quadratic_begin_);
  quadratic_ = std::make_unique<QuadraticTetEnergy>(s.rest, s.quadratic_tets, kept(quadratic), n);
  quadratic_barrier_ = std::make_unique<QuadraticTetBarrier>(s.rest, s.quadratic_tets, barrier_stiffness(quadratic), n);
  if (!is_mixed(quadratic.back().elements)) return;
  const auto first = std::ranges::find_if(quadratic, [](const ElasticGroup& g) { return is_mixed(g.elements); });
  const Index begin = first->tet_begin, end = quadratic.back().tet_end;
  std::vector<Index> material;
  for (Index q = begin; q < end; ++q) material.push_back(s.tet_material[quadratic_begin_ + parts_of_quadratic * q]);
  quadratic_mixed_ = std::make_unique<QuadraticMixed>(
      QuadraticMixed{begin, end,
                     NodalVolume(s.rest, QuadraticTets(s.quadratic_tets.middleCols(begin, end - begin)),
                                 mixed_of(quadratic, begin), material, n)});
}

// What mixed elements add to stresses at x.
void ElasticEnergy::find_pressures(const Points& x) const {
  if (mixed_) mixed_->tets.set_pressures(mixed_->volume.pressures(x));
  if (quadratic_mixed_) quadratic_->set_pressures(quadratic_mixed_->volume.pressures(x), quadratic_mixed_->begin);
}

void ElasticEnergy::adapt(Change change) {
  if (change != Change::materials) return;
  set_groups(system_.groups);
  warm();
}

void ElasticEnergy::begin_step(const StepContext& context) {
  if (!is_heated_ || (time_ == context.time_end && ramp_ == context.load_factor)) return;
  time_ = context.time_end;
  ramp_ = context.load_factor;
  warm();
}

void ElasticEnergy::cool() {
  if (is_heated_) set_groups(system_.groups);
}

void ElasticEnergy::warm() {
  if (is_heated_ && !std::isnan(time_)) set_groups(with_free_stretch(system_, time_, ramp_));
}

void ElasticEnergy::set_groups(const std::vector<ElasticGroup>& groups) {
  linear_->set_groups(groups_of(groups, 0, 1, is_linear));
  if (mixed_) {
    const auto mixed = groups_of(groups, mixed_->begin, 1, is_linear_mixed);
    mixed_->tets.set_groups(kept(mixed));
    mixed_->volume.set_groups(mixed);
  }
  if (!quadratic_) return;
  const std::vector<ElasticGroup> quadratic = quadratic_groups(groups, quadratic_begin_);
  quadratic_->set_groups(kept(quadratic));
  quadratic_barrier_->set_stiffness(barrier_stiffness(quadratic));
  if (quadratic_mixed_) quadratic_mixed_->volume.set_groups(mixed_of(quadratic, quadratic_mixed_->begin));
}

double ElasticEnergy::value(const Points& x) const {
  double sum = linear_->value(x);
  if (mixed_) sum += mixed_->tets.value(x) + mixed_->volume.value(x);
  if (quadratic_) sum += quadratic_->value(x) + quadratic_barrier_->value(x);
  if (quadratic_mixed_) sum += quadratic_mixed_->volume.value(x);
  return sum;
}

void ElasticEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  linear_->add_vertex_energies(x, scale, values);
  if (mixed_) {
    mixed_->tets.add_vertex_energies(x, scale, values);
    mixed_->volume.add_vertex_energies(x, scale, values);
  }
  if (quadratic_) {
    quadratic_->add_vertex_energies(x, scale, values);
    quadratic_barrier_->add_vertex_energies(x, scale, values);
  }
  if (quadratic_mixed_) quadratic_mixed_->volume.add_vertex_energies(x, scale, values);
}

void ElasticEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  find_pressures(x);
  linear_->add_gradient(x, scale, g);
  if (mixed_) mixed_->tets.add_gradient(x, scale, g);
  if (!quadratic_) return;
  quadratic_->add_gradient(x, scale, g);
  quadratic_barrier_->add_gradient(x, scale, g);
}

void ElasticEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                    SymBlockMatrix& H) const {
  find_pressures(x);
  linear_->add_derivatives(x, scale, projection, g, H);
  if (mixed_) {
    mixed_->tets.add_derivatives(x, scale, projection, g, H);
    mixed_->volume.add_hessian(x, {}, scale, projection, H);
  }
  if (!quadratic_) return;
  quadratic_->add_derivatives(x, scale, projection, g, H);
  quadratic_barrier_->add_derivatives(x, {}, scale, projection, g, H);
  if (quadratic_mixed_) quadratic_mixed_->volume.add_hessian(x, {}, scale, projection, H);
}

void ElasticEnergy::add_derivatives(const Points& x, std::span<const Index> tets, std::span<const double> weights,
                                    double scale, Projection projection, Points& g, SymBlockMatrix& H) const {
  if (!mixed_ && !quadratic_) return linear_->add_derivatives(x, tets, weights, scale, projection, g, H);
  find_pressures(x);
  factors_.assign(tet_count_, 0.0);
  for (std::size_t k = 0; k < tets.size(); ++k) factors_[tets[k]] = weights[k];
  // The listed tets of a range, counted from its beginning, with their weights.
  const auto add_listed = [&](const LinearTetEnergy& energy, Index begin, Index end) {
    listed_.clear();
    listed_weights_.clear();
    for (Index t = begin; t < end; ++t)
      if (factors_[t] != 0) listed_.push_back(t - begin), listed_weights_.push_back(factors_[t]);
    energy.add_derivatives(x, listed_, listed_weights_, scale, projection, g, H);
  };
  const Index linear = linear_count();
  add_listed(*linear_, 0, linear);
  if (mixed_) {
    add_listed(mixed_->tets, linear, quadratic_begin_);
    mixed_->volume.add_hessian(x, std::span(factors_).subspan(linear, quadratic_begin_ - linear), scale, projection, H);
  }
  if (!quadratic_) return;
  quadratic_factors_.resize(quadratic_->tet_count());
  for (std::size_t q = 0; q < quadratic_factors_.size(); ++q)
    quadratic_factors_[q] = factors_[quadratic_begin_ + parts_of_quadratic * q];
  quadratic_->add_derivatives(x, quadratic_factors_, scale, projection, g, H);
  quadratic_barrier_->add_derivatives(x, quadratic_factors_, scale, projection, g, H);
  if (!quadratic_mixed_) return;
  const std::span<const double> mixed = std::span(quadratic_factors_).subspan(quadratic_mixed_->begin);
  quadratic_mixed_->volume.add_hessian(x, mixed, scale, projection, H);
}

void ElasticEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  linear_->collect_pairs(pairs);
  if (mixed_) mixed_->volume.collect_pairs(pairs);  // all pairs of vertices of a tet are in one star
  if (quadratic_) quadratic_->collect_pairs(pairs);
  if (quadratic_mixed_) quadratic_mixed_->volume.collect_pairs(pairs);
}

void ElasticEnergy::deformation_gradients(const Points& x, std::span<double> out) const {
  linear_->deformation_gradients(x, out.first(std::size_t{9} * linear_->tet_count()));
  if (mixed_)
    mixed_->tets.deformation_gradients(
        x, out.subspan(std::size_t{9} * mixed_->begin, std::size_t{9} * mixed_->tets.tet_count()));
  if (!quadratic_) return;
  std::vector<double> points(std::size_t{36} * quadratic_->tet_count());
  quadratic_->deformation_gradients(x, points);
  spread_to_parts(points, 9, out.data() + std::size_t{9} * quadratic_begin_);
}

void ElasticEnergy::stress(const Points& x, std::span<double> cauchy, std::span<double> mises) const {
  const auto of = [](const LinearTetEnergy& tets, std::span<double> values, int width, Index begin) {
    return values.subspan(static_cast<std::size_t>(begin) * width, static_cast<std::size_t>(tets.tet_count()) * width);
  };
  find_pressures(x);
  linear_->stress(x, of(*linear_, cauchy, 6, 0), of(*linear_, mises, 1, 0));
  if (mixed_) {
    const std::span<double> own = of(mixed_->tets, cauchy, 6, mixed_->begin);
    mixed_->tets.stress(x, own, of(mixed_->tets, mises, 1, mixed_->begin));
    std::vector<double> pressure = take_pressure(own);
    mixed_->volume.smooth(pressure);
    add_pressure(pressure, own);
  }
  if (!quadratic_) return;
  std::vector<double> points(std::size_t{24} * quadratic_->tet_count());
  quadratic_->stress(x, points);
  if (quadratic_mixed_) {
    const std::size_t values = std::size_t{6} * quadratic_tet_points;
    const std::span own = std::span(points).subspan(values * quadratic_mixed_->begin);
    std::vector<double> pressure = take_pressure(own);
    quadratic_mixed_->volume.smooth(pressure);
    add_pressure(pressure, own);
  }
  spread_to_parts(points, 6, cauchy.data() + std::size_t{6} * quadratic_begin_);
  for (Index t = quadratic_begin_; t < quadratic_begin_ + parts_of_quadratic * quadratic_->tet_count(); ++t)
    mises[t] = von_mises(cauchy.data() + std::size_t{6} * t);
}

double ElasticEnergy::min_jacobian(const Points& x) const {
  double least = linear_->min_jacobian(x);
  if (mixed_) least = std::min(least, mixed_->tets.min_jacobian(x));
  if (!quadratic_) return least;
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

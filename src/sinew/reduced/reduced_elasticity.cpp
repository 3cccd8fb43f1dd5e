#include "sinew/reduced/reduced_elasticity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// y_c += scale A_c x_c at each point c, A_c symmetric 9 x 9 (45 entries, the lower triangle by rows). Points lie in
// packs of SIMD lanes: entry k of all points of a pack is one load.
void multiply_points(const std::vector<double>& A, const std::vector<double>& x, double scale, std::vector<double>& y) {
  const std::size_t packs = x.size() / (9 * lane_count);
  for (std::size_t p = 0; p < packs; ++p) {
    const double* a = A.data() + p * 45 * lane_count;
    const double* in = x.data() + p * 9 * lane_count;
    double* out = y.data() + p * 9 * lane_count;
    for (int i = 0; i < 9; ++i) {
      Lanes sum(0.0);
      for (int j = 0; j < 9; ++j) {
        const int row = std::max(i, j), column = std::min(i, j);
        sum += load_lanes(a + (row * (row + 1) / 2 + column) * lane_count) * load_lanes(in + j * lane_count);
      }
      store_lanes(load_lanes(out + i * lane_count) + scale * sum, out + i * lane_count);
    }
  }
}

void add_multiple(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

}  // namespace

ReducedElasticity::ReducedElasticity(const System& system, const ReducedModel& model, const CoordinateStep& step,
                                     Formulation formulation)
    : model_(model), step_(step), formulation_(formulation) {
  const Kinematics& space = *model.kinematics;
  for (MatX* m : {&forces_, &way_, &work_forces_}) m->setZero(space.unknown_rows(), space.unknown_columns());
  const Index slots = model.points->slot_count();
  const auto count = static_cast<std::size_t>(slots);
  for (auto* values : {&F_, &dF_, &P_}) values->assign(9 * count, 0);
  K_.assign(45 * count, 0);
  l_.assign(6 * count, 0);
  for (Index c = 0; c < slots; ++c)
    rate_.push_back(system.bodies[system.tet_body[model.points->tet(c)]].damping_stiffness);
  if (std::ranges::none_of(rate_, [](double rate) { return rate > 0; })) {
    rate_.clear();
    return;
  }
  damping_.assign(45 * count, 0);
  for (auto* values : {&F_reference_, &stress_}) values->assign(9 * count, 0);
}

// 1/(2 h^) sum_c w_c (F - F^) : xi K_t : (F - F^), with the projected Hessian K_t at the start of the step and F^ at
// the integrator's reference (theory, section 1, "Springs, loads, damping").
void ReducedElasticity::begin_step(const MatX& start) {
  if (!is_damped()) return;
  find_gradients(start);
  model_.points->linearize(F_.data(), 1, P_.data(), damping_.data());
  for (std::size_t i = 0; i < damping_.size(); ++i)
    damping_[i] *= rate_[i / (45 * lane_count) * lane_count + i % lane_count];
  model_.gradients->deformation_gradients(step_.reference, F_reference_);
}

// F_c(y) at all points, kept while y stays: value, gradient and Hessian at one y need the decomposition's input
// alike.
void ReducedElasticity::find_gradients(const MatX& y) const {
  if (F_at_.size() > 0 && F_at_ == y) return;
  model_.gradients->deformation_gradients(y, F_);
  F_at_ = y;
}

const double* ReducedElasticity::deformation_gradients(const MatX& y) const {
  find_gradients(y);
  return F_.data();
}

void ReducedElasticity::stretches(const MatX& y, double* s) const {
  find_gradients(y);
  model_.points->stretches(F_.data(), s);
}

// Value of the damping term at F_; its stress (xi/h^) K_t (F - F^) and stiffness (xi/h^) K_t are added to P and K if
// asked for.
double ReducedElasticity::damping(std::vector<double>* P, std::vector<double>* K) const {
  if (!is_damped()) return 0;
  const double factor = step_.scale / step_.reference_step;
  for (std::size_t i = 0; i < F_.size(); ++i) dF_[i] = F_[i] - F_reference_[i];
  std::ranges::fill(stress_, 0.0);
  multiply_points(damping_, dF_, factor, stress_);
  double value = 0;
  for (std::size_t i = 0; i < dF_.size(); ++i) value += 0.5 * dF_[i] * stress_[i];
  if (P) add_multiple(1, stress_, *P);
  if (K) add_multiple(factor, damping_, *K);
  return value;
}

void ReducedElasticity::forces(const MatX& y, MatX& f) const {
  find_gradients(y);
  model_.points->stress(F_.data(), step_.scale, P_.data());
  damping(&P_, nullptr);
  f.setZero();
  model_.gradients->add_forces(P_, f);
}

double ReducedElasticity::value(const MatX& y, const double* s) const {
  find_gradients(y);
  if (!model_.gradients->has_energy()) {
    // Outside the domain there are no forces.
    if (!std::isfinite(model_.points->value(F_.data(), step_.scale))) return std::numeric_limits<double>::infinity();
    forces(y, work_forces_);
    return 0.5 * (forces_ + work_forces_).cwiseProduct(way_).sum();
  }
  const double elastic = is_mixed() ? model_.points->mixed_value(F_.data(), s, l_.data(), step_.scale)
                                    : model_.points->value(F_.data(), step_.scale);
  return elastic + damping(nullptr, nullptr);
}

void ReducedElasticity::add_gradient(const MatX& y, const double* s, MatX& g) const {
  if (is_mixed()) {
    find_gradients(y);
    model_.points->begin_step(F_.data(), s, step_.scale, P_.data(), K_.data());
    damping(&P_, nullptr);
    model_.gradients->add_forces(P_, g);
    return;
  }
  forces(y, work_forces_);
  g += work_forces_;
}

// Everything at the points for one direction:
//
//   P_c = a h^2 w_c dW/dF,  K_c = a h^2 w_c d2W/dF2                                      standard,
//   P_c, K_c of the condensed saddle point problem (reduced/elastic_points.h)           mixed.
void ReducedElasticity::linearize(const MatX& y, const double* s, std::vector<double>& K) {
  find_gradients(y);
  K.resize(K_.size());
  elastic_ = is_mixed() ? model_.points->begin_step(F_.data(), s, step_.scale, P_.data(), K.data())
                        : model_.points->linearize(F_.data(), step_.scale, P_.data(), K.data());
  elastic_ += damping(&P_, &K);
}

void ReducedElasticity::add_linearized_forces(MatX& g) {
  if (model_.gradients->has_energy()) {
    model_.gradients->add_forces(P_, g);
    return;
  }
  elastic_ = 0;
  forces_.setZero();
  model_.gradients->add_forces(P_, forces_);
  g += forces_;
}

const std::vector<double>& ReducedElasticity::unprojected_stiffness(const MatX& y) {
  find_gradients(y);
  model_.points->linearize(F_.data(), step_.scale, P_.data(), K_.data(), Projection::none);
  damping(nullptr, &K_);
  return K_;
}

// From dF = dF/dy dy: ds and l (SMFEM, equations 7 and 8).
void ReducedElasticity::finish_direction(const MatX& d, double* ds) {
  model_.gradients->directions(d, dF_);
  point_slope_ = model_.points->finish_step(dF_.data(), step_.scale, ds, l_.data(), constraint_);
}

}  // namespace sinew

#include "sinew/dynamics/condensed_problem.h"

#include <algorithm>
#include <cmath>

#include "sinew/solver/prescribed_motion.h"

namespace sinew {
namespace {

// y += scale A x at each slot, with symmetric 9 x 9 matrices A (45 entries, lower triangle by rows), in packs of lanes.
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

CondensedProblem::CondensedProblem(const System& system, const CondensedModel& model, Formulation formulation)
    : system_(system), model_(model), formulation_(formulation) {
  rest_size_ = system.rest.leftCols(system.dynamic_count).cwiseAbs().maxCoeff();
  for (const double m : system.mass) mass_ += m;
  for (MatX* m : {&way_, &shifted_y_}) m->setZero(model.space->rows(), model.space->columns());
  for (MatX* m : {&g_, &forces_, &drift_, &shifted_d_, &shifted_g_})
    m->setZero(model.space->unknown_rows(), model.space->unknown_columns());
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

// Stiffness damping refers to the projected Hessian K_t at the start of the step, times xi of the body of each point,
// and to F^ at the reference.
void CondensedProblem::begin_step(const SpaceStep& step, const MatX& start) {
  step_ = &step;
  linearized_ = false;
  model_.space->begin_step(step, start);
  if (!is_damped()) return;
  model_.space->deformation_gradients(start, false, F_);
  model_.points->linearize(F_.data(), 1, P_.data(), damping_.data());
  for (std::size_t i = 0; i < damping_.size(); ++i)
    damping_[i] *= rate_[i / (45 * lane_count) * lane_count + i % lane_count];
  model_.space->deformation_gradients(step.reference, false, F_reference_);
}

void CondensedProblem::lag_friction(const MatX& y) {
  model_.space->lag_friction(y);
  leave();
}

double CondensedProblem::aim(const MatX& y) {
  way_ = y;
  model_.space->place(step_->time, way_);
  way_ -= y;
  const double prescribed = way_.size() > 0 ? way_.cwiseAbs().maxCoeff() : 0;
  return std::max(prescribed, model_.space->obstacles_left());
}

// (g(y + e way) - g(y)) / e, obstacles going along. The barrier is smooth on the scale of a small part of the smallest
// gap, e |way|; e is a power of two.
void CondensedProblem::linearize_with_drift(const MatX& y, const std::vector<double>& s, double left) {
  const double reach = system_.contact_distance;
  const double gap = std::min(model_.space->contact(y).min_distance, reach > 0 ? reach : system_.diagonal);
  const double e = std::ldexp(1.0, std::min(0, std::ilogb(gap / left)) - 16);
  shifted_y_ = y + e * way_;
  model_.space->go(e);
  if (is_mixed()) {
    linearize(shifted_y_, s);
    shifted_g_ = g_;
  } else {
    gradient_at(shifted_y_, shifted_g_);
  }
  model_.space->go(0);
  linearize(y, s);
  drift_ = (shifted_g_ - g_) / e;
}

bool CondensedProblem::is_jammed(const MatX& y) const {
  return model_.space->contact(y).min_distance < jammed_gap * system_.contact_distance;
}

void CondensedProblem::place(const MatX& y, const MatX& d, double t, MatX& trial) {
  model_.space->go(t);
  model_.space->move(y, d, t, trial);
  if (t == 1)
    model_.space->place(step_->time, trial);
  else
    trial += t * way_;
}

const double* CondensedProblem::deformation_gradients(const MatX& y) {
  model_.space->deformation_gradients(y, false, F_);
  return F_.data();
}

void CondensedProblem::stretches(const MatX& y, std::vector<double>& s) {
  s.resize(6 * static_cast<std::size_t>(model_.points->slot_count()));
  model_.points->stretches(deformation_gradients(y), s.data());
}

// The value of stiffness damping, scale / (2 h^) sum_c (F - F^) : xi K_t : (F - F^); its stress and
// stiffness are added to P and K where these are given.
double CondensedProblem::stiffness_damping(std::vector<double>* P, std::vector<double>* K) {
  if (!is_damped()) return 0;
  const double factor = step_->scale / step_->reference_step;
  for (std::size_t i = 0; i < F_.size(); ++i) dF_[i] = F_[i] - F_reference_[i];
  std::ranges::fill(stress_, 0.0);
  multiply_points(damping_, dF_, factor, stress_);
  double value = 0;
  for (std::size_t i = 0; i < dF_.size(); ++i) value += 0.5 * dF_[i] * stress_[i];
  if (P) add_multiple(1, stress_, *P);
  if (K) add_multiple(factor, damping_, *K);
  return value;
}

// P and K at the points, the gradient g = grad E_q + sum_c dF^T P_c, and the elastic part of the merit function without
// the term of the constraint.
void CondensedProblem::linearize(const MatX& y, const std::vector<double>& s) {
  model_.space->deformation_gradients(y, false, F_);
  elastic_ = is_mixed() ? model_.points->begin_step(F_.data(), s.data(), step_->scale, P_.data(), K_.data())
                        : model_.points->linearize(F_.data(), step_->scale, P_.data(), K_.data());
  elastic_ += stiffness_damping(&P_, &K_);
  model_.space->gradient(y, g_);
  if (model_.space->has_energy()) {
    model_.space->add_forces(P_, g_);
  } else {
    forces_.setZero(g_.rows(), g_.cols());
    model_.space->add_forces(P_, forces_);
    g_ += forces_;
  }
  linearized_ = true;
}

// Back substitution at the points from dF = dF/dy dy (SMFEM, section 4).
double CondensedProblem::finish_direction(CondensedPoint& d, bool with_way) {
  if (!is_mixed()) return 0;
  shifted_d_ = d.y;
  // Dense modes have no place for it among their unknowns: stretches then follow in the next iteration.
  if (with_way && way_.rows() == d.y.rows() && way_.cols() == d.y.cols()) shifted_d_ += way_;
  model_.space->deformation_gradients(shifted_d_, true, dF_);
  double constraint = 0;
  const double slope = model_.points->finish_step(dF_.data(), step_->scale, d.s.data(), l_.data(), constraint);
  elastic_ += constraint;
  return slope;
}

double CondensedProblem::merit(const CondensedPoint& at) {
  model_.space->deformation_gradients(at.y, false, F_);
  const double elastic = is_mixed() ? model_.points->mixed_value(F_.data(), at.s.data(), l_.data(), step_->scale)
                                    : model_.points->value(F_.data(), step_->scale);
  return model_.space->value(at.y) + elastic + stiffness_damping(nullptr, nullptr);
}

void CondensedProblem::gradient_at(const MatX& y, MatX& g) {
  model_.space->deformation_gradients(y, false, F_);
  model_.points->stress(F_.data(), step_->scale, P_.data());
  stiffness_damping(&P_, nullptr);
  model_.space->gradient(y, g);
  model_.space->add_forces(P_, g);
}

}  // namespace sinew

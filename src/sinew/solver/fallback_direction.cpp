#include "sinew/solver/fallback_direction.h"

namespace sinew {

void FallbackDirection::adapt(Change change) {
  first_->adapt(change);
  if (second_) second_->adapt(change);
}

void FallbackDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  fallen_back_ = falls_back_ = false;
  iterations_ = cuts_ = 0;
  first_->begin_step(context, potential);
}

// From here on the second method makes all directions of the step. A method that fails once at a state mostly fails
// again near it.
void FallbackDirection::fall_back() {
  if (!second_) second_ = make_second_();
  second_->begin_step(*context_, *potential_);
  fallen_back_ = true;
  falls_back_ = false;
}

DirectionResult FallbackDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  if (falls_back_) fall_back();
  DirectionResult result = current().direction(x, drift, g, d);
  if (result.ok || result.overflow || fallen_back_) return result;
  fall_back();
  DirectionResult second = second_->direction(x, drift, g, d);
  second.linear_iterations += result.linear_iterations;
  second.linear_solve_seconds += result.linear_solve_seconds;
  return second;
}

DirectionResult FallbackDirection::correction(const Points& x, const Points& g, Points& d) {
  return current().correction(x, g, d);
}

// Falls back after most_cuts short steps in a row, or after `patience` iterations without convergence.
void FallbackDirection::accepted(const Points& x, double alpha, double model_error) {
  current().accepted(x, alpha, model_error);
  if (fallen_back_) return;
  ++iterations_;
  cuts_ = alpha < short_step ? cuts_ + 1 : 0;
  falls_back_ = cuts_ >= most_cuts || iterations_ >= patience;
}

void FallbackDirection::end_step() {
  first_->end_step();
  if (fallen_back_) second_->end_step();
}

bool FallbackDirection::retry() {
  if (current().retry()) return true;
  return falls_back_ = !fallen_back_;
}

}  // namespace sinew

#include "sinew/solver/reach_homotopy.h"

namespace sinew {
namespace {

constexpr double first_factor = 8;
constexpr double short_step = 0.1;
constexpr int most_short_steps = 3;  // short steps in a row until barriers get longer
constexpr int most_iterations = 25;  // with one factor

}  // namespace

// f = 8 after three short steps in a row, then f / 2 after each step that is not short.
double ReachHomotopy::next(double alpha, bool cut, bool ends) {
  if (factor_ == 1) {
    cuts_ = cut && alpha < short_step ? cuts_ + 1 : 0;
    if (used_ || cuts_ < most_short_steps) return 1;
    used_ = true;
    return factor_ = first_factor;
  }
  ++iterations_;
  if (ends) return factor_ = 1;
  if (alpha >= short_step || iterations_ >= most_iterations) {
    factor_ *= 0.5;
    iterations_ = 0;
  }
  return factor_;
}

}  // namespace sinew

#include "sinew/solver/contact_stiffening.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double tiny_gap = 1e-9;  // over the scene's diagonal

}  // namespace

// kappa <- min(2 kappa, most) if the smallest gap is below 1e-9 of the diagonal and still closing (IPC, supplement),
// or if what is prescribed presses bodies that have come to rest.
double ContactStiffening::next(double gap, double diagonal, bool pressed, double stiffness, double most) {
  const bool closes = gap < tiny_gap * diagonal && gap < last_gap_;
  last_gap_ = gap;
  return closes || pressed ? std::max(stiffness, std::min(2 * stiffness, most)) : stiffness;
}

}  // namespace sinew

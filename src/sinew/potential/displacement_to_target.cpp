// What is prescribed in full space: fixed coordinates of vertices, obstacles and planes.
#include <algorithm>
#include <cmath>

#include "sinew/contact/kinematics.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

// d_p = target - x of fixed coordinates and obstacles, and how far the farthest still is.
DisplacementToTarget IncrementalPotential::displacement_to_target(const Points& x, std::vector<PlaneState>& planes,
                                                                  Points& d) const {
  const StepContext& context = *context_;
  const Index n = system_->dynamic_count, all = system_->vertex_count();
  DisplacementToTarget displacement;
  d.setZero(3, all);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context.prescribed[3 * i + k] == prescribed_flag) {
        d(k, i) = context.target(k, i) - x(k, i);
        displacement.remaining = std::max(displacement.remaining, std::abs(d(k, i)));
      }
  for (Index i = system_->body_vertex_count(); i < all; ++i) {
    d.col(i) = context.target.col(i) - x.col(i);
    const double distance = d.col(i).cwiseAbs().maxCoeff();
    displacement.remaining = std::max(displacement.remaining, distance);
    displacement.of_obstacles |= distance > 0;
  }
  if (displacement.remaining > 0) complete(d);
  displacement.of_planes = planes_have_to_move(planes, context.plane_end);
  return displacement;
}

// drift = (grad B(x + e d) - grad B(x)) / e with d the motion of obstacles and planes and the contacts held: how
// contact forces change before bodies move (theory, section 2, "Prescribed motion"). Without it bodies would react to
// a moving obstacle only after it has closed the gap.
void IncrementalPotential::drift(const Points& x, const std::vector<PlaneState>& planes, const Points& d,
                                 Points& drift) {
  const StepContext& context = *context_;
  const Index n = system_->dynamic_count, first = system_->body_vertex_count(), all = system_->vertex_count();
  drift.setZero(3, n);
  if (contact_->contacts().empty()) return;
  double motion = 0;
  for (Index i = first; i < all; ++i) motion = std::max(motion, d.col(i).norm());
  for (std::size_t p = 0; p < planes.size(); ++p)
    motion = std::max({motion, (context.plane_end[p].point - planes[p].point).norm(),
                       (context.plane_end[p].normal - planes[p].normal).norm() * system_->diagonal});
  const double reach = system_->contact_distance;
  const double gap = contact_->filters() ? std::min(contact_->min_distance(), reach) : reach;
  // A small fraction of the smallest gap: the barrier is smooth on that scale. A power of two keeps scaling exact.
  const double epsilon = std::ldexp(1.0, std::min(0, std::ilogb(gap / motion)) - 16);
  moved_ = x;
  for (Index i = first; i < all; ++i) moved_.col(i) += epsilon * d.col(i);
  before_.setZero(3, n);
  add_contact_gradient(x, planes, before_);
  add_contact_gradient(moved_, interpolate_all(planes, context.plane_end, epsilon), drift);
  drift = (drift - before_) / epsilon;
}

// Exactly on the targets, without the rounding of x + d.
void IncrementalPotential::place_prescribed(Points& x) const {
  const Index n = system_->dynamic_count;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context_->prescribed[3 * static_cast<std::size_t>(i) + k] == prescribed_flag)
        x(k, i) = context_->target(k, i);
  for (Index i = system_->body_vertex_count(); i < x.cols(); ++i) x.col(i) = context_->target.col(i);
  complete(x);
}

}  // namespace sinew

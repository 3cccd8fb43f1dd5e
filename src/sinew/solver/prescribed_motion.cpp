#include "sinew/solver/prescribed_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/kinematics.h"

namespace sinew {
namespace {

bool same_planes(const std::vector<PlaneState>& a, const std::vector<PlaneState>& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (a[p].point != b[p].point || a[p].normal != b[p].normal) return false;
  return true;
}

}  // namespace

std::vector<PlaneState> interpolate_all(const std::vector<PlaneState>& from, const std::vector<PlaneState>& to,
                                        double alpha) {
  if (alpha == 1) return to;
  std::vector<PlaneState> planes = from;
  for (std::size_t p = 0; p < planes.size(); ++p) planes[p] = interpolate(from[p], to[p], alpha);
  return planes;
}

void PrescribedMotion::begin() {
  relax_next_ = false;
  blocked_count_ = relaxed_count_ = 0;
}

// Displacements to the targets of all prescribed coordinates, obstacles and planes. After the filter has cut such
// motion short, one iteration holds it (relax), so that the bodies can give way, and the next one goes on (open).
Aim PrescribedMotion::aim(IncrementalPotential& potential, const Points& x, std::vector<PlaneState>& planes, Points& d,
                          Points& drift) {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count, all = potential.system().vertex_count();
  Aim aim;
  // The way to the targets; `left` is the largest part of it [m].
  d.setZero(3, all);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context.fixed[3 * i + k]) {
        d(k, i) = context.target(k, i) - x(k, i);
        aim.left = std::max(aim.left, std::abs(d(k, i)));
      }
  bool obstacles_moving = false;
  for (Index i = n; i < all; ++i) {
    d.col(i) = context.target.col(i) - x.col(i);
    const double distance = d.col(i).cwiseAbs().maxCoeff();
    aim.left = std::max(aim.left, distance);
    if (distance > 0) obstacles_moving = true;
  }
  // In a relaxing iteration nothing prescribed moves.
  const bool planes_moving = !same_planes(planes, context.plane_end);
  if (!planes_moving) planes = context.plane_end;
  aim.waits = aim.left > 0 || planes_moving;
  aim.relax = aim.waits && relax_next_;
  aim.open = aim.waits && !aim.relax;
  aim.planes = aim.relax ? planes : context.plane_end;
  if (aim.open && (obstacles_moving || planes_moving) && !potential.contact().contacts().empty()) {
    this->drift(potential, x, planes, d, drift);
  } else if (aim.open) {
    drift.setZero(3, n);
  }
  for (std::size_t p = 0; p < planes.size(); ++p)
    aim.left = std::max(aim.left, (planes[p].point - context.plane_end[p].point).norm());
  if (aim.relax) d.setZero();
  return aim;
}

// The change of the gradient by the motion d of obstacles and planes to first order, (grad B(x + eps d) - grad B(x)) /
// eps with the contacts held. Without it the bodies would react to a moving obstacle only after it has closed the gap.
void PrescribedMotion::drift(IncrementalPotential& potential, const Points& x, const std::vector<PlaneState>& planes,
                             const Points& d, Points& drift) {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count, all = potential.system().vertex_count();
  double motion = 0;
  for (Index i = n; i < all; ++i) motion = std::max(motion, d.col(i).norm());
  for (std::size_t p = 0; p < planes.size(); ++p)
    motion = std::max({motion, (context.plane_end[p].point - planes[p].point).norm(),
                       (context.plane_end[p].normal - planes[p].normal).norm() * potential.system().diagonal});
  const ContactModel& contact = potential.contact();
  const double reach = potential.system().contact_distance;
  const double gap = contact.filters() ? std::min(contact.min_distance(), reach) : reach;
  // A small fraction of the smallest gap: the barrier is smooth on that scale. A power of two keeps scaling exact.
  const double epsilon = std::ldexp(1.0, std::min(0, std::ilogb(gap / motion)) - 16);
  moved_ = x;
  for (Index i = n; i < all; ++i) moved_.col(i) += epsilon * d.col(i);
  before_.setZero(3, n);
  drift.setZero(3, n);
  potential.contact().add_gradient(x, planes, context.contact_scale(), before_);
  potential.contact().add_gradient(moved_, interpolate_all(planes, context.plane_end, epsilon), context.contact_scale(),
                                   drift);
  drift = (drift - before_) / epsilon;
}

void PrescribedMotion::place(const IncrementalPotential& potential, Points& x) const {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context.fixed[3 * static_cast<std::size_t>(i) + k]) x(k, i) = context.target(k, i);
  for (Index i = n; i < x.cols(); ++i) x.col(i) = context.target.col(i);
}

// A step counts as without room where it is zero, or where it is short and gaps are below jammed_gap of the contact
// distance.
bool PrescribedMotion::blocked(const Aim& aim, double alpha, double min_distance, double contact_distance) {
  relaxed_count_ = aim.relax ? relaxed_count_ + 1 : 0;
  const bool close = waits_for_room(aim, min_distance, contact_distance);
  relax_next_ = (aim.open && alpha < shortest_way) || (close && relaxed_count_ < most_relaxed);
  const bool jammed = aim.open && alpha < 0.5 && min_distance < jammed_gap * contact_distance;
  if (!aim.relax) blocked_count_ = alpha < 1e-10 || jammed ? blocked_count_ + 1 : 0;
  return blocked();
}

bool PrescribedMotion::waits_for_room(const Aim& aim, double min_distance, double contact_distance) const {
  return aim.relax && min_distance < 2 * closest_gap * contact_distance;
}

bool PrescribedMotion::blocked() const {
  return blocked_count_ == most_blocked;
}

}  // namespace sinew

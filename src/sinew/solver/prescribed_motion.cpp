#include "sinew/solver/prescribed_motion.h"

#include <algorithm>

namespace sinew {
void PrescribedMotion::begin() {
  relax_next_ = false;
  blocked_count_ = relaxed_count_ = 0;
}

// Displacements d_p to the targets of prescribed coordinates, obstacles and planes. In IPC an augmented Lagrangian
// pulls them there; here they are unknowns with a known displacement, filtered with all else. If the filter cuts
// their motion short, they wait for one iteration (relax), so that bodies can give way, and go on in the next (open).
Aim PrescribedMotion::aim(Potential& potential, const Points& q, std::vector<PlaneState>& planes, Points& d,
                          Points& drift) {
  const DisplacementToTarget displacement = potential.displacement_to_target(q, planes, d);
  const std::vector<PlaneState>& targets = potential.plane_targets();
  Aim aim;
  aim.remaining = displacement.remaining;
  // In a relaxing iteration nothing prescribed moves.
  aim.waits = displacement.remaining > 0 || displacement.of_planes;
  aim.relax = aim.waits && relax_next_;
  aim.open = aim.waits && !aim.relax;
  aim.planes = aim.relax ? planes : targets;
  if (aim.open && (displacement.of_obstacles || displacement.of_planes)) {
    potential.drift(q, planes, d, drift);
  } else if (aim.open) {
    drift.setZero(3, potential.columns());
  }
  for (std::size_t p = 0; p < planes.size(); ++p)
    aim.remaining = std::max(aim.remaining, (planes[p].point - targets[p].point).norm());
  if (aim.relax) d.setZero();
  return aim;
}

// Without room is a step of length zero, or a short one at gaps below jammed_gap of the contact distance.
// most_blocked of them in a row end the step: bodies are jammed.
bool PrescribedMotion::blocked(const Aim& aim, double alpha, double min_distance, double contact_distance) {
  relaxed_count_ = aim.relax ? relaxed_count_ + 1 : 0;
  const bool close = waits_for_room(aim, min_distance, contact_distance);
  relax_next_ = (aim.open && alpha < shortest_share) || (close && relaxed_count_ < most_relaxed);
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

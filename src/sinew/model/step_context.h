// The data of one time step: predictor, scale factors, lagged reference, prescribed targets, external forces.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/model/embedding.h"

namespace sinew {

// Flags of coordinates that are not free: they move to a target, or follow others (model/tie.h).
inline constexpr char prescribed_flag = 1, tied_flag = 2;

// Whether a vertex is prescribed along all axes, so that basis functions vanish there. They need not vanish at tied
// vertices, because these move with the vertices that they follow.
inline bool all_prescribed(std::span<const char> flags, std::size_t vertex) {
  const char* axes = flags.data() + 3 * vertex;
  return axes[0] == prescribed_flag && axes[1] == prescribed_flag && axes[2] == prescribed_flag;
}

// The data of a step that are the same for all coordinates.
struct StepScalars {
  bool inertia = true;        // false in statics
  double step = 0;            // h [s]; 1 in statics
  double reference_step = 0;  // h^ [s]; 1 in statics
  double scale = 1;           // a h^2 [s^2]; 1 in statics
  double contact_factor = 1;  // weight of contact and friction in the potential; not 1 with Newmark
  double time_end = 0;        // time at the end of the step [s]
  double load_factor = 1;     // in statics: ramp of gravity and of loads without keyframes
  double spin2 = 0;           // square of the frame's speed at time_end [1/s^2]; in statics times load_factor
  double spin_up = 0;         // mean angular acceleration of the frame over the step [1/s^2]
  double own_slip_step = 0;   // if slip is measured from other positions than x^ [s]; else 0
};

// Data of E(x) = 1/2 |x - predictor|_M^2 + scale * potential(x) (theory, section 2). `reference` and `reference_step`
// are x^ and h^: the integrator's velocity is (x - reference) / reference_step.
struct StepContext : StepScalars {
  Points start;                          // 3 x n_all, x_t
  Points predictor;                      // 3 x dynamic_count, x~ (unset in statics)
  Points reference;                      // 3 x n_all, x^
  Points own_slip_reference;             // positions from which slip is measured; empty: x^
  std::vector<double> material_history;  // State::material_history at x_t
  // By bolt, across its cut, at the start and at the end of the step [m].
  std::vector<double> start_shortening, shortening;
  Points spin_across, spin_along;  // in a rotating frame (model/rotating_frame.h), by column of bodies; else empty
  Points dead_force;               // in statics, 3 x dynamic_count [N]; in dynamics part of the predictor

  // Coordinates of the bodies that are prescribed at time_end, and those of tied vertices.
  std::vector<char> prescribed;           // 3 dynamic_count flags, see above
  std::vector<char> held;                 // by tie: whether it holds over the step
  std::shared_ptr<const Embedding> ties;  // the tied vertices, all below dynamic_count; null: none
  Points target;                          // 3 x n_all: targets of prescribed coordinates and of all obstacle vertices
  std::vector<PlaneState> plane_start, plane_reference, plane_end;  // at x_t, slip_reference(), the end

  double contact_scale() const { return contact_factor * scale; }
  // Friction uses the velocity (x - slip_reference()) / slip_step().
  const Points& slip_reference() const { return own_slip_reference.cols() > 0 ? own_slip_reference : reference; }
  double slip_step() const { return own_slip_reference.cols() > 0 ? own_slip_step : reference_step; }
};

}  // namespace sinew

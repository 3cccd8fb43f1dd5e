// Connected bodies as sources of sound: their modes of vibration, and the motion of their surface in each mode.
#pragma once

#include <vector>

#include "sinew/contact/body_frame.h"
#include "sinew/model/system.h"
#include "sinew/sound/sound_settings.h"

namespace sinew {

// The k vibration modes u of a body. The amplitude q of a mode obeys q'' + d q' + omega^2 q = p, with p = u^T f for the
// forces f [N]. Modes have unit norm in the mass: q has the unit m kg^(1/2), p the unit N kg^(-1/2).
struct ModalBody {
  Index body = 0;               // number in the scene
  std::vector<Index> vertices;  // vertices of the system that move
  Vec3 center = Vec3::Zero();   // centre of mass at rest [m]
  std::vector<double> omega;    // k [1/s], ascending
  std::vector<double> damping;  // k: d [1/s]
  std::vector<Index> surface;   // m surface vertices of the system
  Points places;                // 3 x m: rest positions from the centre [m]
  MatX modes;                   // 3 m x k, interleaved [kg^(-1/2)]
  // m x k: a third of the areas around a vertex, times normal and mode [m^2 kg^(-1/2)].
  MatX flow;
  double lowest = 0, highest = 0;  // frequencies of all computed modes [Hz]

  Index mode_count() const { return static_cast<Index>(omega.size()); }

  // Returns the pose of the body: x = frame.center + frame.rotation (X - center) fits the vertices at x best.
  BodyFrame frame(const System& system, const Points& x) const;
  // Returns p for nodal forces (3 x dynamic_count) [N], which are rotated back to rest with the body.
  VecX modal_forces(const BodyFrame& frame, const Points& forces) const;
};

// Returns the connected bodies with their audible modes: from 20 Hz to 20 kHz and not overdamped. The damping d is
// alpha + beta omega^2 with the body's damping (mass alpha, stiffness beta), else 2 zeta omega with the ratio zeta of
// the settings. fixed: 3 dynamic_count flags of coordinates that do not move. Throws InputError if a body has no
// stiffness at rest.
std::vector<ModalBody> modal_bodies(const System& system, const std::vector<char>& fixed,
                                    const SoundSettings& settings);

}  // namespace sinew

// From the vibration of a surface to the pressure at two ears.
#pragma once

#include <array>

#include "sinew/sound/modal_body.h"

namespace sinew {

inline constexpr double speed_of_sound = 343;  // of air at 20 C [m/s]
inline constexpr double air_density = 1.2;     // [kg/m^3]

// A head that looks at the scene: ears are at head -+ radius right.
struct Listener {
  Vec3 head = Vec3::Zero();
  Vec3 right = Vec3::UnitX();
  double radius = 0.09;  // [m]

  Vec3 side(int ear) const { return ear == 0 ? Vec3(-right) : right; }  // 0: left
  Vec3 ear(int ear) const { return head + radius * side(ear); }
  // From x to an ear; never nearer than the head's radius [m].
  double distance(int ear, const Vec3& x) const;
};

// The listener of the settings. Up is against gravity, or y without it. Default: in front of the middle of the bodies
// at rest (+z if y is up, -y if z is up), one scene diagonal away, at least 1 m. It is 30 degrees above, because plates
// and bars that lie are silent beside them.
Listener make_listener(const SoundSettings& settings, const System& system);

struct ComplexGains {
  VecX re, im;  // k
};

// The pressure [Pa] at an ear per acceleration q'' [kg^(1/2) m/s^2] of each mode, as complex factors at the modes'
// frequencies. The body's centre is heard with the delay |x_c - ear| / c. Every part of the surface is a simple source
// (Rayleigh; O'Brien, Cook and Essl 2001, "Synthesizing sounds from physically based motion"). Accelerations replace
// their plane waves, so that bodies smaller than their waves are as quiet as they should be:
//
//   T_i = H rho / (4 pi) sum_v (a_v . u_v,i) exp(-i omega_i (r_v - r_c) / c) / r_v,
//
// a_v the area vector of a vertex, r_v and r_c its and the centre's distance from the ear. Reflections, also those of
// the bodies, are left out. H is the shadow of a spherical head (Brown and Duda 1998, "A structural model for binaural
// sound synthesis", equation 4), theta the angle between ear and source:
//
//   H = (1 + i alpha omega / (2 omega_0)) / (1 + i omega / (2 omega_0)),   omega_0 = c / radius,
//   alpha = 1.05 + 0.95 cos(1.2 theta).
ComplexGains pressure_gains(const ModalBody& body, const BodyFrame& frame, const Listener& listener, int ear);

}  // namespace sinew

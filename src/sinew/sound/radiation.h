// Computes the pressure at two ears from the vibration of a surface.
#pragma once

#include <array>

#include "sinew/sound/modal_body.h"

namespace sinew {

inline constexpr double speed_of_sound = 343;  // of air at 20 C [m/s]
inline constexpr double air_density = 1.2;     // [kg/m^3]

// A head that looks at the scene. Its ears are at head - radius right and head + radius right.
struct Listener {
  Vec3 head = Vec3::Zero();
  Vec3 right = Vec3::UnitX();
  double radius = 0.09;  // [m]

  Vec3 side(int ear) const { return ear == 0 ? Vec3(-right) : right; }  // direction to an ear; 0: left
  Vec3 ear(int ear) const { return head + radius * side(ear); }
  // Distance from x to an ear, at least the head's radius [m].
  double distance(int ear, const Vec3& x) const;
};

// Makes the listener of the settings. Up is against gravity, or y without gravity. By default the listener is in front
// of the middle of the bodies at rest (+z if y is up, -y if z is up). The distance is one scene diagonal, at least 1 m.
// It is 30 degrees above, because lying plates and bars are silent at their sides.
Listener make_listener(const SoundSettings& settings, const System& system);

struct ComplexGains {
  VecX re, im;  // k factors
};

// Returns the pressure [Pa] at an ear for an acceleration q'' [kg^(1/2) m/s^2] of each mode, as complex factors at the
// modes' frequencies. The body's centre is heard with the delay |x_c - ear| / c. Every part of the surface is a simple
// source (Rayleigh; O'Brien, Cook and Essl 2001, "Synthesizing sounds from physically based motion"). Accelerations
// replace the plane waves of that paper, so that bodies smaller than their waves are as quiet as they should be:
//
//   T_i = H rho / (4 pi) sum_v (a_v . u_v,i) exp(-i omega_i (r_v - r_c) / c) / r_v,
//
// where a_v is the area vector of a vertex, and r_v and r_c are the distances of the vertex and of the centre from the
// ear. Reflections, also by the bodies, are left out. H is the shadow of a spherical head (Brown and Duda 1998, "A
// structural model for binaural sound synthesis", equation 4), with the angle theta between ear and source:
//
//   H = (1 + i alpha omega / (2 omega_0)) / (1 + i omega / (2 omega_0)),   omega_0 = c / radius,
//   alpha = 1.05 + 0.95 cos(1.2 theta).
ComplexGains pressure_gains(const ModalBody& body, const BodyFrame& frame, const Listener& listener, int ear);

}  // namespace sinew

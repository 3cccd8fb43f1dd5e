// Affine bodies move as x = A X + t, with twelve coordinates at any resolution (Lan, Kaufman, Li, Jiang, Yang 2022,
// "Affine body dynamics"). Here such a body is one tet with a stiff material, whose corners are its control points. The
// body's own mesh follows the corners (model/embedding.h).
#pragma once

#include "sinew/model/embedding.h"
#include "sinew/model/setup.h"

namespace sinew {

// Moments of a body in kg and m: int rho, int rho x / m, and int rho (x - c)(x - c)^T / m.
struct MassMoments {
  double mass = 0, volume = 0;
  Vec3 center = Vec3::Zero();
  Mat3 spread = Mat3::Zero();  // [m^2]
  double young = 0;            // Young's modulus, mean over the volume [Pa]
};

// Returns the moments of a body's tets, or of the volume that its closed surface encloses.
MassMoments mass_moments(const BodySetup& body);

// Replaces the mesh of a body by its control tet. The mesh becomes body.follower, with body.follower_rows. Fixes that
// hold the whole body then hold the control points. Throws InputError if a fix leaves the body some freedom, if a
// surface is not closed, and for materials of springs.
void make_affine(BodySetup& body);

}  // namespace sinew

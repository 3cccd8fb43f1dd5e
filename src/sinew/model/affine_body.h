// Affine bodies: x = A X + t, twelve coordinates for a body of any resolution (Lan, Kaufman, Li, Jiang, Yang 2022,
// "Affine body dynamics"). Here such a body is one tet, whose corners are its control points, with a stiff material;
// the body's own mesh follows the corners (model/embedding.h).
#pragma once

#include "sinew/model/embedding.h"
#include "sinew/model/setup.h"

namespace sinew {

// Moments of inertia of a body [kg, m]: int rho, int rho x / m, and int rho (x - c)(x - c)^T / m.
struct MassMoments {
  double mass = 0, volume = 0;
  Vec3 center = Vec3::Zero();
  Mat3 spread = Mat3::Zero();  // [m^2]
  double young = 0;            // mean over the volume [Pa]
};

// The moments of a body's tets, or of the volume that its closed surface encloses.
MassMoments mass_moments(const BodySetup& body);

// Replaces the mesh of a body by its control tet. The mesh becomes body.follower, with body.follower_rows; fixes that
// hold the whole body hold the control points. Throws InputError where a fix leaves the body some freedom, where a
// surface is not closed, and for materials of springs.
void make_affine(BodySetup& body);

}  // namespace sinew

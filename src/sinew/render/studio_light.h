// The light of a studio, as on the page of a run (web/src/studio.js): a room with lamps that surfaces mirror, and a key
// light. Directions are those of the room, whose y axis points up.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Radiance that arrives from a direction (unit), linear.
Vec3 studio_radiance(const Vec3& direction);

// A direction that stands for those around it, with their share of all light.
struct StudioLamp {
  Vec3 direction;
  double weight = 0;
};

// Directions, dense where the light is strong; their weights sum to 1. Equal counts give equal lamps.
std::vector<StudioLamp> studio_lamps(int count);

// Irradiance over pi of a surface with normal n is the sum of coefficient k times harmonic k of n. The harmonics are 1,
// y, z, x, xy, yz, 3 z^2 - 1, xz and x^2 - y^2. Their factors are in the coefficients. Source: R. Ramamoorthi and P.
// Hanrahan, An efficient representation for irradiance environment maps, 2001.
std::vector<Vec3> studio_harmonics();

// The light that surfaces of roughness 0 to 1 mirror. Each of `levels` roughnesses has a square picture of directions,
// 3 floats a pixel, one below the other. A direction d is at (p + 1) / 2, with p = d.xz / (|x| + |y| + |z|). If d.y <
// 0, p is (1 - |p.yx|) sign(p). Weights of directions are those of GGX (B. Walter et al., Microfacet models for
// refraction, 2007).
struct StudioMirror {
  int size = 0, levels = 0;
  std::vector<float> pixels;
};
StudioMirror studio_mirror(int size, int levels);

// `count` directions on the sphere, evenly spread (a spiral with the golden angle).
Points even_directions(int count);

}  // namespace sinew

// Closed surfaces as a complex: triangles that separate labelled regions, and the sharp edges among them. What
// mesh_complex() fills.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solid.h"
#include "surface_input.h"

#include "sinew/core/types.h"

namespace sinew::mesher {

struct SurfaceComplex {
  Points vertices;                        // 3 x n [m]
  Triangles triangles;                    // 3 x f, each once
  std::vector<std::array<int, 2>> sides;  // f, the labels in front of a triangle (where its normal points) and behind
  std::vector<std::string> regions;       // label r is regions[r - 1]; 0 is outside
  std::vector<Polyline> features;         // two meet at their end points only
};

struct ComplexOptions {
  double feature_angle = 60;    // [degrees] between normals, above which an edge is kept; 180: only where regions meet
  double shortest_feature = 0;  // [m]; what hangs together in less than that is left out
};

// Nested surfaces: the inner one replaces the outer one there. Triangles that two surfaces share become one interface.
// A closed part of a surface inside another part of the same surface is a cavity where it faces inwards, else a region
// of its own. The surfaces have passed check_surfaces().
SurfaceComplex make_complex(const std::vector<InputSurface>& surfaces, const ComplexOptions& options);

}  // namespace sinew::mesher

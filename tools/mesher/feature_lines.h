// The sharp edges of a surface as lines from corner to corner.
#pragma once

#include <array>
#include <vector>

#include "solid.h"

#include "sinew/core/types.h"

namespace sinew::mesher {

// Edges where the normals of the two triangles are more than `angle` [degrees] apart, and all edges where more than two
// triangles meet or the labels beside the triangles (in front, behind) change. What hangs together in less than
// `shortest` [m] is left out unless it is of the latter kind: it is roughness of a scanned surface.
std::vector<Polyline> feature_lines(const Points& vertices, const Triangles& triangles,
                                    const std::vector<std::array<int, 2>>& sides, double angle, double shortest);

}  // namespace sinew::mesher

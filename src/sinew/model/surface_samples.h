// Sample points inside surface triangles, at which convergent contact integrates the pressure (theory, section 3).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/model/collision_mesh.h"
#include "sinew/model/embedding.h"

namespace sinew {

// Barycentric coordinates of the samples of a triangle, which share its area equally: the centroids of the cuts^2
// triangles that result when each edge is cut in `cuts` >= 1 parts. The rule is exact for linear functions, so a
// uniform pressure gives the consistent forces of the triangle's own corners. Forces on the other surface are
// consistent if its mesh is nested in this one; else their error falls with 1 / cuts^2.
std::vector<std::array<double, 3>> sample_weights(int cuts);

// Returns the vertices that the point with these barycentric coordinates follows. Corners from `first` on follow others
// themselves: corner v has the row rows[v - first].
Embedding::Row follow(const std::array<Index, 3>& corners, const std::array<double, 3>& weights, Index first,
                      std::span<const Embedding::Row> rows);

// Sets the areas, shares and signs of a mesh with samples (CollisionMesh). rest: 3 x n_all [m].
//
// Two bodies share the pressure between them: one carries s of it with its own samples, the other 1 - s. For meshes of
// one size, s = 1/2. With edges shorter by sqrt(2) or more, the finer mesh carries all. Samples of a coarse mesh are
// too far apart for the hat functions of a fine one. Obstacles have no samples.
void measure_samples(const Points& rest, CollisionMesh& mesh);

}  // namespace sinew

// The contacts of a surface sample of convergent contact with a triangle.
#pragma once

#include <vector>

#include "sinew/contact/stencil.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Appends the stencils with gaps below `reach` [m] of the sample mesh.vertices[vertex] with a triangle and with the
// edges and corners for which that triangle stands. Their barriers begin at the reach, which is dhat [m] or more. The
// gap is the distance less `offset` [m]. Returns the squared distance to the triangle [m^2]. x: 3 x n_all [m].
//
// A sample that is over a triangle is also near the triangles around it. Their sum would count it twice near an edge
// and six times near a vertex. The union of triangles is counted once by inclusion and exclusion (Li et al. 2023,
// "Convergent Incremental Potential Contact"):
//
//   sum_t b(d_t) - sum_e (t(e) - 1) b(d_e) + sum_v (1 - t(v) + sum_e (t(e) - 1)) b(d_v),
//
// with t(e), t(v) the numbers of triangles around an edge and a vertex. Stencils between the same features are merged
// afterwards, and most cancel. Triangles around an edge may have different reaches. The
// difference that is left then repels, as the edge has the reach of one of them.
double sample_stencils(const CollisionMesh& mesh, Index vertex, Index triangle, const Points& x, double dhat,
                       double reach, std::vector<ContactStencil>& stencils, double offset = 0);

}  // namespace sinew

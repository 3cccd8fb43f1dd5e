// Domains and partitions for the tests of bases, without a System.
#pragma once

#include <functional>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew::testing {

// young(centroid), fixed(position) of each tet and vertex.
Domain domain_of(
    const TetMesh& mesh, const std::function<double(const Vec3&)>& young = [](const Vec3&) { return 1e6; },
    const std::function<bool(const Vec3&)>& fixed = [](const Vec3&) { return false; });

// Two or more meshes side by side, as one.
TetMesh joined(const std::vector<TetMesh>& meshes);

// The mesh without the tets that `removed` says, and without the vertices that only those use.
TetMesh cut(const TetMesh& mesh, const std::function<bool(const Vec3& centroid)>& removed);

// Connected clusters grown from `handles` well-spread tets of each component, in steps of tet to tet whose cost is
// divided by sqrt(E); centres: the vertex nearest to the volume centroid, a free one where there is any.
Partition grown_partition(const Domain& domain, Index handles);

// phi as n x k, dense.
MatX dense_weights(const HandleBasis& basis);

// U as 3 n x 12 k, dense.
MatX dense_basis(const HandleBasis& basis, const Points& rest);

}  // namespace sinew::testing

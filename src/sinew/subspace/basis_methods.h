// Makes handle bases by name, including those for comparison.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct BasisMethod {
  const char* name;
  HandleBasis (*make)(const Domain& domain, const Partition& partition);
};

// sms: sparse, by material and geometry (subspace/sms.h). rbf: radial functions (subspace/rbf.h). biharmonic: smooth,
// by geometry alone (subspace/biharmonic_coordinates.h). eigenmodes: one global mode for each cluster
// (subspace/skinning_eigenmodes.h).
std::span<const BasisMethod> basis_method_table();
std::vector<std::string> basis_methods();

// Makes the basis. Throws InputError for an unknown name.
HandleBasis make_basis(const Domain& domain, const Partition& partition, const std::string& method);

}  // namespace sinew

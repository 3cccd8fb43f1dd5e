#include "sinew/subspace/basis_methods.h"

#include <array>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/subspace/biharmonic_coordinates.h"
#include "sinew/subspace/rbf.h"
#include "sinew/subspace/skinning_eigenmodes.h"
#include "sinew/subspace/sms.h"

namespace sinew {

std::span<const BasisMethod> basis_method_table() {
  static constexpr std::array<BasisMethod, 4> table{{
      {"sms", [](const Domain& domain, const Partition& partition) { return sms_basis(domain, partition); }},
      {"rbf", rbf_basis},
      {"biharmonic", biharmonic_coordinates},
      {"eigenmodes", [](const Domain& domain,
                        const Partition& partition) { return skinning_eigenmodes(domain, partition.cluster_count()); }},
  }};
  return table;
}

std::vector<std::string> basis_methods() {
  std::vector<std::string> names;
  for (const BasisMethod& method : basis_method_table()) names.push_back(method.name);
  return names;
}

HandleBasis make_basis(const Domain& domain, const Partition& partition, const std::string& method) {
  for (const BasisMethod& entry : basis_method_table()) {
    if (method == entry.name) return entry.make(domain, partition);
  }
  fail_input(code::subspace, "basis \"{}\" is unknown{}use one of {}", method,
             did_you_mean_then(method, basis_methods()), quoted_list(basis_methods()));
}

}  // namespace sinew

// Makes cubature rules by name.
#pragma once

#include <string>
#include <vector>

#include "sinew/cubature/moment_fitting.h"
#include "sinew/cubature/stiffness_fitting.h"

namespace sinew {

struct CubatureOptions {
  std::string method = "modal";       // one of cubature_methods()
  MomentFittingOptions fitting;       // for "modal" and "polynomial"
  StiffnessFittingOptions stiffness;  // for "stiffness"
};

struct CubatureReport {
  Index points = 0, tets = 0;
  double seconds = 0;
  FittingReport fitting;
};

// Returns "modal", "polynomial", "stiffness" and "all".
std::vector<std::string> cubature_methods();

// Makes the rule. Throws InputError for an unknown method or an option that the method does not have.
Cubature make_cubature(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                       const CubatureOptions& options, CubatureReport* report = nullptr);

// Returns the full sum: every tet with weight 1.
Cubature full_cubature(Index tet_count);

}  // namespace sinew

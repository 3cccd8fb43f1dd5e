// What partitions and bases see of a system: rest shape, stiffness and what is fixed.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

struct Domain {
  Points vertices;                 // 3 x n, rest [m]
  Tets tets;                       // 4 x m
  std::vector<double> volume;      // m, rest [m^3]
  std::vector<double> young;       // m: Young's modulus at rest [Pa] (its like, for models without one)
  std::vector<double> lambda, mu;  // m: Lame parameters of the linearisation at rest [Pa]; 0 where it has no stiffness
  std::vector<double> mass;        // n: lumped [kg]
  std::vector<Index> material;     // m, any numbering: where it differs between neighbours is an interface
  std::vector<Index> component;    // m: connected through faces, numbered from 0
  Index component_count = 0;
  std::vector<char> fixed;  // n: prescribed along all three axes

  Index vertex_count() const { return static_cast<Index>(vertices.cols()); }
  Index tet_count() const { return static_cast<Index>(tets.cols()); }
};

// Labels of the sets of tets that are joined through faces, counted from 0 in the order of each set's first tet. kind:
// one number a tet, which is the same within a set; empty: all are.
std::vector<Index> face_components(const Tets& tets, Index& count, std::span<const Index> kind = {});

// The dynamic vertices and the tets of a system, in its own numbering; fixed: 3 dynamic_count flags of prescribed
// coordinates (StepContext::prescribed).
Domain make_domain(const System& system, const std::vector<char>& fixed);

}  // namespace sinew

// The input of partitions and bases: rest shape, stiffness and fixed vertices of a system.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

struct Domain {
  Points vertices;                 // 3 x n, rest [m]
  Tets tets;                       // 4 x m
  std::vector<double> volume;      // m, rest [m^3]
  std::vector<double> young;       // m: Young's modulus at rest, or an equivalent [Pa]
  std::vector<double> lambda, mu;  // m: Lame parameters of the linearisation at rest [Pa]; 0 without stiffness
  std::vector<double> mass;        // n: lumped [kg]
  std::vector<Index> material;     // m: number of the material; neighbours with different numbers are at an interface
  std::vector<Index> component;    // m: number of the face-connected component, from 0
  Index component_count = 0;
  std::vector<char> fixed;  // n: prescribed along all axes

  Index vertex_count() const { return static_cast<Index>(vertices.cols()); }
  Index tet_count() const { return static_cast<Index>(tets.cols()); }
};

// Labels face-connected sets of tets, from 0 in the order of each set's first tet. kind: by tet; tets of a set have
// equal kinds. Empty: all kinds are equal.
std::vector<Index> face_components(const Tets& tets, Index& count, std::span<const Index> kind = {});

// Makes the domain of a system's dynamic vertices and tets, in the system's numbering. fixed: 3 dynamic_count flags of
// prescribed coordinates (StepContext::prescribed).
Domain make_domain(const System& system, const std::vector<char>& fixed);

}  // namespace sinew

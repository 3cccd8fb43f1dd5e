// Data that methods compute from a model before their first step, and that copies of a simulation share.
#pragma once

#include <memory>
#include <vector>

namespace sinew {

struct Hierarchy;     // multilevel/hierarchy.h
struct ModeLibrary;   // adaptive/mode_library.h
struct ReducedBasis;  // reduced/reduced_basis.h

struct Preparation {
  std::shared_ptr<const Hierarchy> hierarchy;
  std::shared_ptr<const ModeLibrary> library;
  std::shared_ptr<const ReducedBasis> basis;
  // For hierarchy and library: the prescribed flags by vertex or coordinate, as their owner keeps them.
  std::vector<char> fixed;
  double time = 0;     // at which the basis was made [s]
  bool loads = false;  // the stepper gets its state by load(), and needs none at the start
};

}  // namespace sinew

// The material of one tet: the kernel parameters of its model, and its fibers.
#pragma once

#include "sinew/material/model.h"
#include "sinew/model/system.h"

namespace sinew {

struct ElementParameters {
  double kernel[MaterialModel::max_kernel_parameters] = {};
  double fiber_stiffness = 0;  // [Pa]; 0: no fibers
  double fiber_tension = 0;    // active [Pa]
  Vec3 fiber_direction = Vec3::UnitX();
};

// Returns entry i of values that are given once for all, or one for each.
inline double value_of(const std::vector<double>& values, std::size_t i) {
  return values[values.size() == 1 ? 0 : i];
}

// Returns the parameters of tet i, counted in an ElasticGroup or a MaterialAssignment.
template <class Assigned>
ElementParameters element_parameters(const Assigned& assigned, std::size_t i) {
  ElementParameters result;
  for (std::size_t p = 0; p < assigned.parameters.size(); ++p) result.kernel[p] = value_of(assigned.parameters[p], i);
  if (assigned.fiber_stiffness.empty()) return result;
  result.fiber_stiffness = value_of(assigned.fiber_stiffness, i);
  if constexpr (requires { assigned.tet_begin; })  // of a group
    if (!assigned.fiber_tension.empty()) result.fiber_tension = value_of(assigned.fiber_tension, i);
  result.fiber_direction = assigned.fiber_direction.col(assigned.fiber_direction.cols() == 1 ? 0 : i);
  return result;
}

}  // namespace sinew

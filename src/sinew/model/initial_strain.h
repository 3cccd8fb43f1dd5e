// The strain that a mesh has at rest against its state without stress, from a strain or from the stress there.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

inline bool has_initial_strain(const MaterialAssignment& material) {
  return material.initial_strain.cols() > 0 || material.initial_stress.cols() > 0;
}

// The symmetric F of the state at rest: exp of the strain, or that with the given Cauchy stress. entry: of the tet.
// Throws InputError where the material cannot have the stress.
RowMat3 initial_stretch(const MaterialAssignment& material, std::size_t entry);

}  // namespace sinew

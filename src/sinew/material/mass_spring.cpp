#include "sinew/material/mass_spring.h"

#include <algorithm>

namespace sinew {

std::vector<ParameterInfo> MassSpring::parameters() const {
  std::vector<ParameterInfo> infos{
      {"young", "Pa", "Young's modulus", 0},
      {"thickness", "m", "thickness of cloth", 0},
      {"bending", "", "springs for bending", 0},
  };
  infos[thickness].constant = true;
  infos[bending].minimum_allowed = true;
  return infos;
}

std::vector<std::vector<std::string>> MassSpring::parameter_sets() const {
  return {{"young"}, {"young", "thickness"}, {"young", "thickness", "bending"}};
}

void MassSpring::kernel_from_user(int set, const double* user, double* kernel) const {
  std::fill_n(kernel, kernel_parameter_count(), 0.0);
  std::copy_n(user, set + 1, kernel);
}

const MassSpring& mass_spring() {
  static const MassSpring law;
  return law;
}

}  // namespace sinew

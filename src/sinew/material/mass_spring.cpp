#include "sinew/material/mass_spring.h"

#include <algorithm>

namespace sinew {

std::vector<ParameterInfo> MassSpring::parameters() const {
  std::vector<ParameterInfo> infos{
      {"young", "Pa", "Young's modulus", 0},
      {"thickness", "m", "thickness of cloth", 0},
      {"bending", "", "springs for bending", 0},
      {"stretch_limit", "", "largest strain of edges", 0},
  };
  infos[thickness].constant = true;
  infos[bending].minimum_allowed = infos[stretch_limit].minimum_allowed = true;
  return infos;
}

std::vector<std::vector<std::string>> MassSpring::parameter_sets() const {
  return {{"young"},
          {"young", "thickness"},
          {"young", "thickness", "bending"},
          {"young", "stretch_limit"},
          {"young", "thickness", "stretch_limit"},
          {"young", "thickness", "bending", "stretch_limit"}};
}

void MassSpring::kernel_from_user(int set, const double* user, double* kernel) const {
  std::fill_n(kernel, kernel_parameter_count(), 0.0);
  constexpr int unlimited_sets = 3;
  const int others = set % unlimited_sets + 1;
  std::copy_n(user, others, kernel);
  if (set >= unlimited_sets) kernel[stretch_limit] = user[others];
}

const MassSpring& mass_spring() {
  static const MassSpring law;
  return law;
}

}  // namespace sinew

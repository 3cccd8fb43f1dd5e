#include "sinew/material/lame_model.h"

#include "sinew/core/error.h"

namespace sinew {

ParameterInfo young_info() {
  return {"young", "Pa", "Young's modulus", 0.0};
}
ParameterInfo poisson_info() {
  return {"poisson", "", "Poisson's ratio; nearly incompressible: 0.49", -1.0, 0.5};
}
ParameterInfo mu_info() {
  return {"mu", "Pa", "shear modulus", 0.0};
}

std::vector<ParameterInfo> LameModel::parameters() const {
  return {young_info(), poisson_info(), {"lambda", "Pa", "Lamé's first parameter"}, mu_info()};
}

std::vector<std::vector<std::string>> LameModel::parameter_sets() const {
  return {{"young", "poisson"}, {"lambda", "mu"}};
}

void LameModel::kernel_from_user(int set, const double* user, double* kernel) const {
  const LameParameters lame = set == 0 ? lame_parameters(user[0], user[1]) : LameParameters{user[0], user[1]};
  if (!(3 * lame.lambda + 2 * lame.mu > 0)) {
    fail_input(code::material_value,
               "material model '{}': lambda is {} with mu {}, but lambda must be greater than -2/3 mu (a positive bulk "
               "modulus)",
               name(), lame.lambda, lame.mu);
  }
  kernel[0] = lame.lambda;
  kernel[1] = lame.mu;
}

}  // namespace sinew

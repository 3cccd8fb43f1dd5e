#include "sinew/material/rubber.h"

#include "sinew/core/error.h"
#include "sinew/material/lame_model.h"

namespace sinew {

ParameterInfo bulk_info() {
  return {"bulk", "Pa", "bulk modulus at rest", 0.0};
}

double bulk_modulus(double mu, double poisson) {
  return 2 * mu * (1 + poisson) / (3 * (1 - 2 * poisson));
}

std::vector<ParameterInfo> Rubber::parameters() const {
  std::vector<ParameterInfo> all = density_parameters();
  all.push_back(bulk_info());
  all.push_back(poisson_info());
  return all;
}

std::vector<std::vector<std::string>> Rubber::parameter_sets() const {
  std::vector<std::string> with_bulk, with_poisson;
  for (const ParameterInfo& info : density_parameters()) with_bulk.push_back(info.name);
  with_poisson = with_bulk;
  with_bulk.push_back("bulk");
  with_poisson.push_back("poisson");
  return {with_bulk, with_poisson};
}

// lambda = bulk - 2/3 mu.
LameParameters Rubber::linearized(const double* kernel) const {
  const double mu = shear_modulus(kernel + 1);
  return {kernel[0] - 2 * mu / 3, mu};
}

void Rubber::kernel_from_user(int set, const double* user, double* kernel) const {
  density_from_user(user, kernel + 1);
  const double volume = user[density_parameter_count()];
  kernel[0] = set == 0 ? volume : bulk_modulus(shear_modulus(kernel + 1), volume);
}

}  // namespace sinew

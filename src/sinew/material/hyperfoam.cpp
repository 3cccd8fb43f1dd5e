#include "sinew/material/hyperfoam.h"

#include "sinew/core/error.h"
#include "sinew/material/lame_model.h"
#include "sinew/material/logarithmic.h"

namespace sinew {

Hyperfoam::Hyperfoam(const UserCurves& data) : terms_(power_terms("hyperfoam", data)) {
  const auto found = data.lists.find("poisson");
  const std::size_t count = found == data.lists.end() ? 0 : found->second.size();
  if (count != terms_.mu.size())
    fail_input(code::material_value,
               "material model 'hyperfoam': mu has {} values and poisson has {}, but each term needs one of both",
               terms_.mu.size(), count);
  for (std::size_t p = 0; p < count; ++p) {
    const double nu = found->second[p];
    if (!(nu > -1 && nu < 0.5))
      fail_input(code::material_value,
                 "material model 'hyperfoam': poisson[{}] is {}, but it must be greater than -1 and less than 0.5", p,
                 nu);
    beta_.push_back(nu / (1 - 2 * nu));
  }
  for (const auto* list : {&terms_.mu, &terms_.alpha, &beta_}) data_.insert(data_.end(), list->begin(), list->end());
  const LameParameters lame = linearized(nullptr);
  if (!(3 * lame.lambda + 2 * lame.mu > 0))
    fail_input(
        code::material_value,
        "material model 'hyperfoam': the bulk modulus at rest, the sum of 2 mu (beta + 1/3), is {} Pa, but it must "
        "be positive",
        lame.lambda + 2 * lame.mu / 3);
}

std::vector<ParameterInfo> Hyperfoam::lists() const {
  std::vector<ParameterInfo> all = power_term_lists();
  all.push_back(poisson_info());
  all.back().description = "Poisson's ratio of each term";
  return all;
}

// lambda = sum 2 mu beta.
LameParameters Hyperfoam::linearized(const double*) const {
  double lambda = 0;
  for (std::size_t p = 0; p < beta_.size(); ++p) lambda += 2 * terms_.mu[p] * beta_[p];
  return {lambda, terms_.shear_modulus()};
}

void Hyperfoam::kernel_from_user(int, const double*, double*) const {
  if (terms_.mu.empty())
    fail_input(code::material_parameters,
               "material model 'hyperfoam': missing lists mu, alpha and poisson, one value for each term");
}

// With l_i = ln s_i, e_i = exp(alpha l_i) and v = exp(-alpha beta ln J), each term gives
//   W    2 mu/alpha^2 (sum_i (e_i - 1) + (v - 1)/beta), where the last part is -alpha ln J for beta = 0
//   T_i  2 mu/alpha (e_i - v)
//   H_ij 2 mu (e_i delta_ij + beta v).
void Hyperfoam::evaluate(const Lanes* s, const Lanes*, Order order, StretchDerivatives<Lanes>& out) const {
  const LogarithmicStretches at = logarithmic_stretches(stretch_strain(s));
  LogarithmicDerivatives w;
  for (int i = 0; i < 3; ++i) w.first[i] = w.diagonal[i] = w.mixed[i] = w.quotient[i] = Lanes(0.0);
  Lanes value(0.0);
  for (std::size_t p = 0; p < terms_.mu.size(); ++p) {
    const double mu = terms_.mu[p], alpha = terms_.alpha[p], beta = beta_[p];
    Lanes e[3];  // exp(alpha l_i) - 1
    for (int i = 0; i < 3; ++i) e[i] = expm1(alpha * at.l[i]);
    const Lanes v = expm1(-alpha * beta * at.log_j);  // v - 1
    if (order == Order::value) {
      const Lanes volume = beta == 0 ? Lanes(-alpha * at.log_j) : Lanes(v * (1 / beta));
      value += 2 * mu / (alpha * alpha) * (e[0] + (e[1] + e[2]) + volume);
      continue;
    }
    for (int i = 0; i < 3; ++i) w.first[i] += 2 * mu / alpha * (e[i] - v);
    if (order == Order::gradient) continue;
    const Lanes volume = beta * (1.0 + v);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      w.diagonal[i] += 2 * mu * ((1.0 + e[i]) + volume);
      w.mixed[i] += 2 * mu * volume;
      w.quotient[i] += 2 * mu / alpha * power_quotient(Lanes(alpha), 1.0 + e[k], s[j], s[k]);
    }
  }
  if (order == Order::value) {
    out.value = select(s[0] * (s[1] * s[2]) > 0.0, value, infinity_lanes());
    return;
  }
  stretch_derivatives(s, w, order, out);
}

}  // namespace sinew

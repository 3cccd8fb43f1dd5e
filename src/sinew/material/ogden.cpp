#include "sinew/material/ogden.h"

#include <cmath>
#include <numeric>

#include "sinew/core/error.h"
#include "sinew/material/lame_model.h"
#include "sinew/material/logarithmic.h"
#include "sinew/material/rubber.h"

namespace sinew {

double PowerTerms::shear_modulus() const {
  return std::accumulate(mu.begin(), mu.end(), 0.0);
}

PowerTerms power_terms(const std::string& model, const UserCurves& data) {
  const auto list = [&](const char* name) {
    const auto found = data.lists.find(name);
    if (found == data.lists.end() || found->second.empty())
      fail_input(code::material_parameters,
                 "material model '{}': missing list {}; give mu and alpha, one value for each term", model, name);
    return found->second;
  };
  PowerTerms terms{list("mu"), list("alpha")};
  if (terms.mu.size() != terms.alpha.size())
    fail_input(code::material_value,
               "material model '{}': mu has {} values and alpha has {}, but each term needs one of both", model,
               terms.mu.size(), terms.alpha.size());
  for (std::size_t p = 0; p < terms.mu.size(); ++p) {
    if (!std::isfinite(terms.mu[p]))
      fail_input(code::material_value, "material model '{}': mu[{}] is {}, but it must be a finite number", model, p,
                 terms.mu[p]);
    if (!std::isfinite(terms.alpha[p]) || terms.alpha[p] == 0)
      fail_input(code::material_value,
                 "material model '{}': alpha[{}] is {}, but it must be a finite number other than 0", model, p,
                 terms.alpha[p]);
  }
  if (!(terms.shear_modulus() > 0))
    fail_input(code::material_value,
               "material model '{}': the sum of mu, the shear modulus at rest, is {} Pa, but it must be positive",
               model, terms.shear_modulus());
  return terms;
}

std::vector<ParameterInfo> power_term_lists() {
  return {{"mu", "Pa", "part of each term in the shear modulus at rest"},
          {"alpha", "", "exponent of the stretches in each term, not 0"}};
}

Ogden::Ogden(const UserCurves& data) : terms_(power_terms("ogden", data)) {
  data_ = terms_.mu;
  data_.insert(data_.end(), terms_.alpha.begin(), terms_.alpha.end());
}

std::vector<ParameterInfo> Ogden::parameters() const {
  return {bulk_info(), poisson_info()};
}

LameParameters Ogden::linearized(const double* kernel) const {
  const double mu = terms_.shear_modulus();
  return {kernel[0] - 2 * mu / 3, mu};
}

void Ogden::kernel_from_user(int set, const double* user, double* kernel) const {
  if (terms_.mu.empty())
    fail_input(code::material_parameters,
               "material model 'ogden': missing lists mu and alpha, one value for each term");
  kernel[0] = set == 0 ? user[0] : bulk_modulus(terms_.shear_modulus(), user[0]);
}

// With d_i = ln s_i - ln J / 3, e_i = exp(alpha d_i) and their sum E, each term gives
//   W    2 mu/alpha^2 sum_i (e_i - 1)
//   T_i  2 mu/alpha (e_i - E/3)
//   H_ij 2 mu (e_i delta_ij - (e_i + e_j)/3 + E/9).
// All sums use e_i - 1, so that nothing cancels near rest.
void Ogden::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes& bulk = kernel[0];
  const LogarithmicStretches at = logarithmic_stretches(stretch_strain(s));
  LogarithmicDerivatives w;
  for (int i = 0; i < 3; ++i) {
    w.first[i] = bulk * at.log_j;
    w.diagonal[i] = w.mixed[i] = bulk;
    w.quotient[i] = Lanes(0.0);
  }
  Lanes value = 0.5 * bulk * at.log_j * at.log_j;
  for (std::size_t p = 0; p < terms_.mu.size(); ++p) {
    const double mu = terms_.mu[p], alpha = terms_.alpha[p];
    Lanes e[3];  // exp(alpha d_i) - 1
    for (int i = 0; i < 3; ++i) e[i] = expm1(alpha * at.deviatoric[i]);
    if (order == Order::value) {
      value += 2 * mu / (alpha * alpha) * (e[0] + (e[1] + e[2]));
      continue;
    }
    for (int i = 0; i < 3; ++i)
      w.first[i] += 2.0 / 3 * mu / alpha * ((e[i] - e[(i + 1) % 3]) + (e[i] - e[(i + 2) % 3]));
    if (order == Order::gradient) continue;
    const Lanes ninth = (e[0] + (e[1] + e[2]) + 3.0) * (1.0 / 9);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      w.diagonal[i] += 2 * mu * ((1.0 + e[i]) * (1.0 / 3) + ninth);
      w.mixed[i] += 2 * mu * (ninth - (2.0 + e[j] + e[k]) * (1.0 / 3));
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

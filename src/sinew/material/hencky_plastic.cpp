#include "sinew/material/hencky_plastic.h"

#include <cmath>

#include "sinew/material/hencky.h"
#include "sinew/material/logarithmic.h"

namespace sinew {

HenckyPlastic::HenckyPlastic(const Plasticity& plasticity) : plasticity_(plasticity) {
  check_plasticity(plasticity);
  const Plasticity& p = plasticity_;
  data_ = {p.yield_stress, p.hardening, p.saturation_stress, p.saturation_rate, p.kinematic};
  for (const auto* list : {&p.table_strain, &p.table_stress}) data_.insert(data_.end(), list->begin(), list->end());
}

void HenckyPlastic::kernel_from_user(int set, const double* user, double* kernel) const {
  LameModel::kernel_from_user(set, user, kernel);
  kernel[plastic_strain] = 0;
}

LameParameters HenckyPlastic::parallel(double mu) const {
  const double own = mu * (1 - share(mu));
  return {-2 * own / 3, own};
}

// 1. The trial stress q* and, lane by lane, dp and sigma' at the end.
// 2. T_i = k ln J + 2 m c d_i with c = q / q*, the share of the deviator that stays elastic.
// 3. H_ij = k - 2/3 m c + 2 m c delta_ij + 2 m (dq/dq* - c) n_i n_j with n = d / |d| and dq/dq* = r^2 sigma' / (3 m +
//    r^2 sigma'); Q = 2 m c (l_j - l_k) / (s_j - s_k).
void HenckyPlastic::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const LogarithmicStretches at = logarithmic_stretches(stretch_strain(s));
  const Lanes bulk = lambda + 2.0 / 3 * mu;
  const Lanes r = 3.0 * mu / (3.0 * mu + plasticity_.kinematic), m = r * mu;
  const Lanes square =
      at.deviatoric[0] * at.deviatoric[0] + (at.deviatoric[1] * at.deviatoric[1] + at.deviatoric[2] * at.deviatoric[2]);
  const Lanes trial = m * square_root(6.0 * square);
  Lanes elastic(1.0), tangent(1.0), work(0.0);  // c, dq/dq*, int sigma
  for (int l = 0; l < lane_count; ++l) {
    const double q = trial[l], ratio = r[l], p = kernel[plastic_strain][l];
    if (p == no_flow || !(q > ratio * yield_stress(plasticity_, p)) || !std::isfinite(q)) continue;
    const double stiffness = 3 * m[l] / (ratio * ratio);
    const double dp = plastic_increment(plasticity_, q / ratio, stiffness, p);
    const double slope = hardening_slope(plasticity_, p + dp);
    elastic[l] = 1 - 3 * m[l] * dp / (ratio * q);
    tangent[l] = slope / (stiffness + slope);
    work[l] = plastic_work(plasticity_, p, p + dp);
  }
  if (order == Order::value) {
    const Lanes w = 0.5 * bulk * (at.log_j * at.log_j) + m * (elastic * elastic) * square + work;
    out.value = select(s[0] * (s[1] * s[2]) > 0.0, w, infinity_lanes());
    return;
  }
  LogarithmicDerivatives w;
  const Lanes shear = 2.0 * m * elastic;
  for (int i = 0; i < 3; ++i) w.first[i] = bulk * at.log_j + shear * at.deviatoric[i];
  if (order == Order::hessian) {
    const Lanes along = 2.0 * m * (tangent - elastic) / select(square > 0.0, square, Lanes(1.0)),
                rest = bulk - shear * (1.0 / 3);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      w.diagonal[i] = rest + shear + along * (at.deviatoric[i] * at.deviatoric[i]);
      w.mixed[i] = rest + along * (at.deviatoric[j] * at.deviatoric[k]);
      w.quotient[i] = shear * logarithm_quotient(s[j], s[k]);
    }
  }
  stretch_derivatives(s, w, order, out);
}

// dp / r sqrt(3/2) d / |d|.
HenckyPlastic::Flow HenckyPlastic::flow(const double* s, const double* kernel) const {
  const double mu = kernel[1], r = share(mu), m = r * mu;
  double d[3], mean = 0, square = 0;
  for (int i = 0; i < 3; ++i) mean += (d[i] = std::log(s[i])) / 3;
  for (double& value : d) value -= mean, square += value * value;
  const double length = std::sqrt(square);
  Flow result;
  result.increment =
      plastic_increment(plasticity_, std::sqrt(6.0) * m * length / r, 3 * m / (r * r), kernel[plastic_strain]);
  if (result.increment > 0)
    for (int i = 0; i < 3; ++i) result.strain[i] = result.increment / r * std::sqrt(1.5) * d[i] / length;
  return result;
}

}  // namespace sinew

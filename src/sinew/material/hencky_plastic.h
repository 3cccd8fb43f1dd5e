// Hencky's solid with J2 plasticity, as the energy of one time step (Ortiz and Stainier 1999; theory, section 1).
//
// Kernel parameters: lambda, mu, and the equivalent plastic strain p at the start of the step. The stretches are those
// of the trial state F G, with the plastic strain G of the start of the step (potential/inelastic_strain.h). With l_i =
// ln s_i, their deviator d, and the trial stress q* = sqrt(6) mu |d|:
//
//   W = min over dp >= 0 of  k/2 (ln J)^2 + (q* - 3 mu dp)^2 / (6 mu) + int_p^(p + dp) sigma,   k = lambda + 2/3 mu.
//
// The minimum is the radial return q = q* - 3 mu dp = sigma(p + dp) (Simo 1992), exact in logarithmic strains.
//
// Kinematic hardening with the modulus H is a second, elastic solid in parallel (Besseling 1958), which for small
// strains is Prager's rule. The plastic part has the shear modulus m = r mu, r = 3 mu / (3 mu + H), and yields at r
// sigma(p). It flows by dp / r where the whole flows by dp:
//
//   q = q* - 3 m dp / r = r sigma(p + dp),   q* = sqrt(6) m |d|.
//
// The elastic part, parallel(), has mu - m.
#pragma once

#include <limits>

#include "sinew/material/hardening.h"
#include "sinew/material/lame_model.h"

namespace sinew {

class HenckyPlastic final : public LameModel {
 public:
  explicit HenckyPlastic(const Plasticity& plasticity);  // throws InputError

  // Index of p in the kernel parameters.
  static constexpr int plastic_strain = 2;
  // As plastic strain of the start: the solid is elastic, whatever its stress.
  static constexpr double no_flow = std::numeric_limits<double>::infinity();

  std::string name() const override { return "hencky"; }
  std::span<const double> data() const override { return data_; }
  const HenckyPlastic* plastic() const override { return this; }
  VolumePart volume_part() const override { return {VolumeEnergy::log_squared, 0}; }
  bool requires_positive_volume() const override { return true; }
  int kernel_parameter_count() const override { return 3; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

  const Plasticity& plasticity() const { return plasticity_; }
  // The end of a step with trial stretches s: the increment of p, and the logarithmic plastic strains to take from
  // those of the trial state along its axes.
  struct Flow {
    double increment = 0, strain[3] = {};
  };
  Flow flow(const double* s, const double* kernel) const;
  // lambda and mu of the elastic solid in parallel.
  LameParameters parallel(double mu) const;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;

 private:
  double share(double mu) const { return 3 * mu / (3 * mu + plasticity_.kinematic); }  // r

  Plasticity plasticity_;
  std::vector<double> data_;
};

}  // namespace sinew

// Nearly incompressible rubber models
//
//   W = phi(I1 J^(-2/3) - 3) + bulk/2 (ln J)^2,   J > 0,
//
// whose first term does not depend on the volume (Flory 1961). A model gives phi and its two derivatives.
//
// With x = I1 J^(-2/3) - 3, c = J^(-2/3), l_i = ln s_i and g_i = dx/dl_i = 2 c (s_i^2 - I1/3):
//
//   dW/dl_i       = phi' g_i + bulk ln J
//   d2W/dl_i dl_j = phi'' g_i g_j + phi' c (4 s_i^2 delta_ij - 4/3 (s_i^2 + s_j^2) + 4/9 I1) + bulk.
#pragma once

#include <string>

#include "sinew/material/lanes_math.h"
#include "sinew/material/model.h"

namespace sinew {

// phi(x) and its derivatives [Pa].
struct RubberDensity {
  Lanes value, slope, curvature;
};

// Base class. Users give the bulk modulus, or Poisson's ratio at rest; kernel parameter 0 is the bulk modulus, those of
// phi follow.
class Rubber : public MaterialModel {
 public:
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override;
  int kernel_parameter_count() const override { return 1 + density_parameter_count(); }
  VolumePart volume_part() const override { return {VolumeEnergy::log_squared, 0}; }
  bool requires_positive_volume() const override { return true; }
  LameParameters linearized(const double* kernel) const override;
  bool has_invariant_form() const override { return true; }

 protected:
  virtual std::vector<ParameterInfo> density_parameters() const = 0;
  virtual int density_parameter_count() const = 0;
  // Converts the user's values of density_parameters() to those of the kernel, as many. Throws InputError.
  virtual void density_from_user(const double* user, double* kernel) const = 0;
  // mu = 2 phi'(0) [Pa]; kernel: the parameters of phi.
  virtual double shear_modulus(const double* kernel) const = 0;

  void kernel_from_user(int set, const double* user, double* kernel) const final;
};

// Bulk modulus of a solid with shear modulus mu: 2 mu (1 + nu) / (3 (1 - 2 nu)).
double bulk_modulus(double mu, double poisson);

ParameterInfo bulk_info();

// Evaluation in terms of `Model::density(x, order, kernel)`, where kernel holds the parameters of phi.
template <class Model>
class RubberOf : public Rubber {
 public:
  Lanes energy(const StrainInvariants<Lanes>& t, const Lanes* kernel) const final {
    const Lanes log_j = log1p(t.j_minus1);
    const RubberDensity phi = Model::density(strain(t.i1, log_j), Order::value, kernel + 1);
    return select(t.j_minus1 > -1.0, phi.value + 0.5 * kernel[0] * log_j * log_j, infinity_lanes());
  }

  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const final {
    const auto t = stretch_strain(s);
    if (order == Order::value) {
      out.value = energy(strain_invariants(t), kernel);
      return;
    }
    const Lanes& bulk = kernel[0];
    const Lanes log_j = log1p(t.j_minus1), c = 1.0 + expm1(-2.0 / 3 * log_j);
    const Lanes i1 = t.a[0] + (t.a[1] + t.a[2]), third = (1.0 + i1 * (1.0 / 3));
    const RubberDensity phi = Model::density(strain(i1, log_j), order, kernel + 1);
    const Lanes inverse_j = 1.0 / (s[0] * s[1] * s[2]);
    const Lanes inverse[3] = {s[1] * s[2] * inverse_j, s[0] * s[2] * inverse_j, s[0] * s[1] * inverse_j};
    Lanes g[3], first[3];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      g[i] = 2.0 / 3 * c * ((t.a[i] - t.a[j]) + (t.a[i] - t.a[k]));
      first[i] = phi.slope * g[i] + bulk * log_j;
      out.first[i] = first[i] * inverse[i];
    }
    if (order == Order::gradient) return;
    // w_i = A s_i + B / s_i with A = 2 c phi', B = bulk ln J - 2 c phi' I1/3.
    const Lanes shear = 2.0 * c * phi.slope, pressure = bulk * log_j - shear * third;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Lanes pair = s[i] * inverse_j, square = s[i] * s[i];
      const Lanes second = phi.curvature * (g[i] * g[i]) + shear * (2.0 / 3) * (square + third) + bulk;
      out.diagonal[i] = (second - first[i]) * (inverse[i] * inverse[i]);
      out.mixed[i] =
          pair * (phi.curvature * (g[j] * g[k]) - shear * (2.0 / 3) * (s[j] * s[j] + s[k] * s[k] - third) + bulk);
      out.flip[i] = shear - pressure * pair;
      out.twist[i] = shear + pressure * pair;
    }
  }

 private:
  // x = c (I1 - 3 - 3 (J^(2/3) - 1)).
  static Lanes strain(const Lanes& i1, const Lanes& log_j) {
    return (1.0 + expm1(-2.0 / 3 * log_j)) * (i1 - 3.0 * expm1(2.0 / 3 * log_j));
  }
};

}  // namespace sinew

// Valanis-Landel solid whose derivative curves run through control points (Xu, Sin, Zhu, Barbic 2015, "Nonlinear
// material design using principal stretches"):
//
//   W = sum_i a(s_i) + sum_{i<j} b(s_i s_j) + c(s_0 s_1 s_2),   W = 0 at rest.
//
// a', b', c' [Pa] are monotone cubics between points and linear beyond them (material/curve.h), so W is defined for all
// F. The rest state has no stress if a'(1) + 2 b'(1) + c'(1) = 0. At rest
//
//   lambda = b'' + c'' - a' - b',   2 mu = a'' + b'' + a' + b',   all at 1.
#pragma once

#include "sinew/material/curve.h"

namespace sinew {

class Spline final : public MaterialModel {
 public:
  // Makes the table's entry, which is not a material; with_curves() makes materials from it.
  Spline() = default;
  // Throws InputError naming the curve, index and value.
  explicit Spline(const UserCurves& curves);

  std::string name() const override { return "spline"; }
  std::vector<ParameterInfo> parameters() const override { return {}; }
  std::vector<std::vector<std::string>> parameter_sets() const override { return {{}}; }
  std::vector<CurveInfo> curves() const override;
  SharedModel with_curves(const UserCurves& curves) const override;
  std::span<const double> data() const override { return data_; }
  std::map<std::string, ControlPoints> control_points() const override { return points_; }
  int kernel_parameter_count() const override { return 0; }
  bool requires_positive_volume() const override { return false; }
  LameParameters linearized(const double*) const override;
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;

 private:
  void check_stiffness() const;

  std::map<std::string, ControlPoints> points_;
  Curve a_, b_, c_;
  std::vector<double> data_;
};

}  // namespace sinew

// An isotropic hyperelastic model: its parameters as a user gives them, and its energy density over batches of
// principal stretches. The table of all of them is in registry.h. A model with a few numbers as parameters stores none,
// and one object serves all materials. A model with curves is an object with data for each material.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/material/stretch.h"

namespace sinew {

// A parameter as a user gives it: name, unit, allowed range (open at both ends unless `minimum_allowed`).
struct ParameterInfo {
  std::string name;
  std::string unit;  // "Pa", or "" when dimensionless
  std::string description;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_allowed = false;
  bool constant = false;  // of the rest state: it cannot change while a simulation runs
};

// Values by parameter name: one for all elements, or one for each.
using UserParameters = std::map<std::string, std::vector<double>>;

// Values by the model's own (kernel) parameter index, each one for all elements or one for each.
using KernelParameters = std::vector<std::vector<double>>;

// Points that a curve runs through: abscissae x, ascending, and the prescribed derivative dy of an energy [Pa].
struct ControlPoints {
  std::vector<double> x, dy;
};

// The curves of a model instance.
struct UserCurves {
  std::map<std::string, ControlPoints> points;  // by the name of the curve
  bool mend_rest = false;                       // shift a curve so that the rest state is free of stress
};

// A curve that a model takes.
struct CurveInfo {
  std::string name;
  std::string description;
  bool required = false;
};

struct LameParameters {
  double lambda = 0, mu = 0;  // [Pa]
};

// A material: a name, and parameters as a user gives them.
class MaterialLaw {
 public:
  static constexpr int max_kernel_parameters = 3;

  virtual ~MaterialLaw() = default;

  virtual std::string name() const = 0;

  // All parameters that the model understands, for schema and messages.
  virtual std::vector<ParameterInfo> parameters() const = 0;

  // The complete sets of parameter names, of which a user gives exactly one, e.g. {young, poisson} or {lambda, mu}.
  virtual std::vector<std::vector<std::string>> parameter_sets() const = 0;

  // Checks the user's parameters and turns them into those of the kernels. Throws InputError naming the model, the
  // parameter (with the element's number where it varies), the value found, the range, and a near name for a misspelt
  // one.
  KernelParameters resolve(const UserParameters& user) const;

  // The curves that instances of the model are made of; most models have none.
  virtual std::vector<CurveInfo> curves() const { return {}; }

  virtual int kernel_parameter_count() const = 0;

 protected:
  // One element's kernel parameters from the values of parameter set `set`, in its order; range checks are done before.
  // Throws InputError when the values contradict each other.
  virtual void kernel_from_user(int set, const double* user, double* kernel) const = 0;
};

class MaterialModel : public MaterialLaw {
 public:
  // An instance of the model with curves. Throws InputError naming the curve, the index and the value found, also where
  // the model takes no curves.
  virtual std::shared_ptr<const MaterialModel> with_curves(const UserCurves& curves) const;

  // All numbers that an instance holds: instances of one model with equal data are the same function. Empty for models
  // without curves and for the entry of a model with curves in the table, which is no material.
  virtual std::span<const double> data() const { return {}; }

  // The control points of an instance with curves, after they were mended.
  virtual std::map<std::string, ControlPoints> control_points() const { return {}; }

  // Whether W is infinite for J <= 0.
  virtual bool requires_positive_volume() const = 0;

  // Lamé parameters of the linearisation at rest; kernel: kernel_parameter_count() values.
  virtual LameParameters linearized(const double* kernel) const = 0;

  // A Young's modulus of comparable stiffness [Pa]; by default that of the linearisation.
  virtual double equivalent_young(const double* kernel) const;

  // At the stretches s[0..2] of one group of lanes: only W (value), only w_i (gradient), or w_i and all second
  // derivatives (hessian); kernel: one Lanes per kernel parameter. Outside the domain W is +inf and the derivatives are
  // unspecified.
  virtual void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const = 0;

  // Whether W follows from the invariants alone, so that its value needs no decomposition of F.
  virtual bool has_invariant_form() const { return false; }
  virtual Lanes energy(const StrainInvariants<Lanes>& invariants, const Lanes* kernel) const;
};

// How owners of materials hold a model: those of the table live as long as the program and are shared without a count.
using SharedModel = std::shared_ptr<const MaterialModel>;

double young_modulus(const LameParameters& lame);  // [Pa]
LameParameters lame_parameters(double young, double poisson);

}  // namespace sinew

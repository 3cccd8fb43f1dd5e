// An isotropic hyperelastic model: its parameters as a user gives them, and its energy density over batches of
// principal stretches. registry.h has the table of all models. A model with a few numbers as parameters stores none of
// them, so one object serves all materials. A model with curves or lists is an object with data for each material.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/material/stretch.h"

namespace sinew {

// A parameter as a user gives it: name, unit and allowed range (without its ends, unless they are allowed).
struct ParameterInfo {
  std::string name;
  std::string unit;  // "Pa", or "" if dimensionless
  std::string description;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_allowed = false, maximum_allowed = false;
  bool constant = false;  // defines the rest state, so it cannot change while a simulation runs
};

// Values by parameter name: one for all elements, or one for each element.
using UserParameters = std::map<std::string, std::vector<double>>;

// Values by index of the model's own (kernel) parameters: one for all elements, or one for each element.
using KernelParameters = std::vector<std::vector<double>>;

// Points through which a curve runs: ascending abscissae x, and the derivative dy of an energy at them [Pa].
struct ControlPoints {
  std::vector<double> x, dy;
};

// The data of a model instance: its curves, and its lists, for example one value for each term of a sum.
struct UserCurves {
  std::map<std::string, ControlPoints> points;       // by the name of the curve
  bool mend_rest = false;                            // shift a curve so that the rest state has no stress
  std::map<std::string, std::vector<double>> lists;  // by name
};

// A curve that defines an instance of a model.
struct CurveInfo {
  std::string name;
  std::string description;
  bool required = false;
};

struct LameParameters {
  double lambda = 0, mu = 0;  // [Pa]
};

// U(J) of a model whose W = W'(F) + k U(J) with a kernel parameter k [Pa] that W' does not have.
enum class VolumeEnergy { none, log_squared, squared };  // U: (ln J)^2 / 2, (J - 1)^2 / 2

struct VolumePart {
  VolumeEnergy form = VolumeEnergy::none;
  int parameter = -1;  // k
};

// A material law: a name, and parameters as a user gives them.
class MaterialLaw {
 public:
  static constexpr int max_kernel_parameters = 5;

  virtual ~MaterialLaw() = default;

  virtual std::string name() const = 0;

  // All parameters that the model accepts, for the schema and for messages.
  virtual std::vector<ParameterInfo> parameters() const = 0;

  // The complete sets of parameter names, for example {young, poisson} or {lambda, mu}. A user must give exactly one
  // set.
  virtual std::vector<std::vector<std::string>> parameter_sets() const = 0;

  // Checks the user's parameters and converts them to kernel parameters. Throws InputError naming the model, the
  // parameter (and the element, if values vary), the value found, the range, and the nearest name if a name is
  // misspelt.
  KernelParameters resolve(const UserParameters& user) const;

  // The curves that define an instance of the model; most models have none.
  virtual std::vector<CurveInfo> curves() const { return {}; }

  // The lists of numbers that define an instance of the model; most models have none. All are required.
  virtual std::vector<ParameterInfo> lists() const { return {}; }

  // Whether only instances with data are materials.
  bool needs_data() const { return !curves().empty() || !lists().empty(); }

  virtual int kernel_parameter_count() const = 0;

 protected:
  // Converts one element's values of parameter set `set`, in its order, to kernel parameters. Ranges are checked
  // before. Throws InputError if the values contradict each other.
  virtual void kernel_from_user(int set, const double* user, double* kernel) const = 0;
};

class HenckyPlastic;

class MaterialModel : public MaterialLaw {
 public:
  // Makes an instance of the model with curves or lists. Throws InputError naming the curve or list, the index and the
  // value found, or if the model has none.
  virtual std::shared_ptr<const MaterialModel> with_curves(const UserCurves& curves) const;

  // All numbers that define an instance: two instances of one model with equal data are the same function. Empty for
  // models without curves and lists, and for the table's entry of a model with some, which is not a material.
  virtual std::span<const double> data() const { return {}; }

  // The control points of an instance with curves, after mending.
  virtual std::map<std::string, ControlPoints> control_points() const { return {}; }

  // Whether W is infinite for J <= 0.
  virtual bool requires_positive_volume() const = 0;

  // Index of the first kernel parameter of fiber families (fiber_family.h); -1: the model has none.
  virtual int family_parameter() const { return -1; }

  // The model if it flows (hencky_plastic.h), else null.
  virtual const HenckyPlastic* plastic() const { return nullptr; }

  // The part of W that mixed elements average (potential/volume_energy.h).
  virtual VolumePart volume_part() const { return {}; }

  // Whether specimens change their volume in experiments, as foams do. Measured curves of other models count as those
  // of incompressible solids (measurement.h).
  virtual bool is_foam() const { return false; }

  // Lamé parameters of the linearisation at rest; kernel: kernel_parameter_count() values.
  virtual LameParameters linearized(const double* kernel) const = 0;

  // A Young's modulus of similar stiffness [Pa]; by default that of the linearisation.
  virtual double equivalent_young(const double* kernel) const;

  // Evaluates one group of lanes at the stretches s[0..2]. order: only W (value), only w_i (gradient), or w_i and all
  // second derivatives (hessian). kernel: one Lanes for each kernel parameter. Outside the domain W is +inf and the
  // derivatives are unspecified.
  virtual void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const = 0;

  // Whether W depends only on the invariants, so that its value needs no decomposition of F.
  virtual bool has_invariant_form() const { return false; }
  virtual Lanes energy(const StrainInvariants<Lanes>& invariants, const Lanes* kernel) const;
};

// A model as owners of materials store it. Models of the table live as long as the program and are not counted.
using SharedModel = std::shared_ptr<const MaterialModel>;

double young_modulus(const LameParameters& lame);  // [Pa]
LameParameters lame_parameters(double young, double poisson);

}  // namespace sinew

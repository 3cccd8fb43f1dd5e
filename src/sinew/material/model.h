// An isotropic hyperelastic model: its parameters as a user gives them, and its energy density over batches of
// principal stretches. Models are stateless; the table of all of them is in registry.h.
#pragma once

#include <limits>
#include <map>
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
};

// Values by parameter name: one for all elements, or one for each.
using UserParameters = std::map<std::string, std::vector<double>>;

// Values by the model's own (kernel) parameter index, each one for all elements or one for each.
using KernelParameters = std::vector<std::vector<double>>;

struct LameParameters {
  double lambda = 0, mu = 0;  // [Pa]
};

class MaterialModel {
 public:
  static constexpr int max_kernel_parameters = 3;

  virtual ~MaterialModel() = default;

  virtual std::string name() const = 0;

  // All parameters that the model understands, for schema and messages.
  virtual std::vector<ParameterInfo> parameters() const = 0;

  // The complete sets of parameter names, of which a user gives exactly one, e.g. {young, poisson} or {lambda, mu}.
  virtual std::vector<std::vector<std::string>> parameter_sets() const = 0;

  // Checks the user's parameters and turns them into those of the kernels. Throws InputError naming the model, the
  // parameter (with the element's number where it varies), the value found, the range, and a near name for a misspelt
  // one.
  KernelParameters resolve(const UserParameters& user) const;

  virtual int kernel_parameter_count() const = 0;

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

 protected:
  // One element's kernel parameters from the values of parameter set `set`, in its order; range checks are done before.
  // Throws InputError when the values contradict each other.
  virtual void kernel_from_user(int set, const double* user, double* kernel) const = 0;
};

// For "did you mean 'x'?": the nearest of `known` within two edits or a third of the word's length, or "".
std::string nearest_name(const std::string& word, std::span<const std::string> known);

double young_modulus(const LameParameters& lame);  // [Pa]
LameParameters lame_parameters(double young, double poisson);

}  // namespace sinew

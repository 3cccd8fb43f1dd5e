#include "sinew/material/model.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"

namespace sinew {

namespace {

// "young [Pa] and poisson"
std::string describe_set(const std::vector<std::string>& names, const std::vector<ParameterInfo>& infos) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto info = std::find_if(infos.begin(), infos.end(), [&](const auto& p) { return p.name == names[i]; });
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
    if (!info->unit.empty()) text += " [" + info->unit + "]";
  }
  return text;
}

// "young [Pa] and poisson, or lambda [Pa] and mu [Pa]"
std::string describe_sets(const MaterialLaw& model) {
  std::string text;
  for (const auto& set : model.parameter_sets()) {
    if (!text.empty()) text += ", or ";
    text += describe_set(set, model.parameters());
  }
  return text;
}

std::string describe_range(const ParameterInfo& info) {
  const bool low = std::isfinite(info.minimum), high = std::isfinite(info.maximum);
  if (low && high && info.minimum_allowed && info.maximum_allowed)
    return fmt::format("from {} to {}", info.minimum, info.maximum);
  if (low && high) return fmt::format("greater than {} and less than {}", info.minimum, info.maximum);
  if (low) return fmt::format("{} {}", info.minimum_allowed ? "at least" : "greater than", info.minimum);
  if (high) return fmt::format("less than {}", info.maximum);
  return "a finite number";
}

// "curves a, b and c"
std::string describe_curves(const MaterialLaw& model) {
  const std::vector<CurveInfo> curves = model.curves();
  std::string text = curves.size() == 1 ? "curve " : "curves ";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (i > 0) text += i + 1 == curves.size() ? " and " : ", ";
    text += curves[i].name;
  }
  return text;
}

// "lists mu and alpha"
std::string describe_lists(const MaterialLaw& model) {
  const std::vector<ParameterInfo> lists = model.lists();
  std::string text = lists.size() == 1 ? "list " : "lists ";
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i > 0) text += i + 1 == lists.size() ? " and " : ", ";
    text += lists[i].name;
  }
  return text;
}

// All that a model takes: "lists mu and alpha; bulk [Pa], or poisson".
std::string describe(const MaterialLaw& model) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (!model.curves().empty()) add(describe_curves(model));
  if (!model.lists().empty()) add(describe_lists(model));
  if (!model.parameters().empty()) add(describe_sets(model));
  return text;
}

// Refuses a parameter that the model does not have, and suggests the nearest name.
void check_names(const MaterialLaw& model, const UserParameters& user) {
  std::vector<std::string> known;
  for (const auto& info : model.parameters()) known.push_back(info.name);
  for (const auto& [name, values] : user) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = closest_name(name, known);
    fail_input(code::material_parameters, "material model '{}': unknown parameter '{}'{}; it takes {}", model.name(),
               name, near.empty() ? "" : fmt::format(", did you mean '{}'?", near), describe(model));
  }
}

// The one parameter set that the given names make up.
int choose_set(const MaterialLaw& model, const UserParameters& user) {
  const auto sets = model.parameter_sets();
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const bool complete = std::all_of(sets[k].begin(), sets[k].end(), [&](const auto& n) { return user.count(n) > 0; });
    if (complete && sets[k].size() == user.size()) return static_cast<int>(k);
  }
  std::string given;
  for (const auto& [name, values] : user) given += (given.empty() ? "" : ", ") + name;
  fail_input(code::material_parameters, "material model '{}': parameters given: {}; expected {}", model.name(),
             given.empty() ? "none" : given, describe_sets(model));
}

// Refuses a value outside of the range of its parameter.
void check_values(const MaterialLaw& model, const ParameterInfo& info, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double v = values[i];
    const bool above = info.minimum_allowed ? v >= info.minimum : v > info.minimum;
    if (std::isfinite(v) && above && (v < info.maximum || (info.maximum_allowed && v == info.maximum))) continue;
    fail_input(code::material_value, "material model '{}': {}{} is {}, but it must be {}{}", model.name(), info.name,
               values.size() > 1 ? fmt::format(" of element {}", i) : "", v, describe_range(info),
               info.name == "poisson" && v >= 0.5 ? " (nearly incompressible: use for example 0.49)" : "");
  }
}

// The number of elements for which values are given; 1 where all parameters are uniform.
std::size_t common_size(const MaterialLaw& model, const UserParameters& user) {
  std::size_t size = 1;
  std::string first;
  for (const auto& [name, values] : user) {
    if (values.empty())
      fail_input(code::material_parameters, "material model '{}': {} has no value", model.name(), name);
    if (values.size() == 1) continue;
    if (size != 1 && size != values.size()) {
      fail_input(
          code::material_value,
          "material model '{}': {} has {} values and {} has {}; per-element parameters must have one value per element",
          model.name(), first, size, name, values.size());
    }
    size = values.size();
    first = name;
  }
  return size;
}

}  // namespace

// E = mu (3 lambda + 2 mu) / (lambda + mu).
double young_modulus(const LameParameters& lame) {
  return lame.mu * (3 * lame.lambda + 2 * lame.mu) / (lame.lambda + lame.mu);
}

// mu = E / (2 (1 + nu)), lambda = 2 mu nu / (1 - 2 nu).
LameParameters lame_parameters(double young, double poisson) {
  const double mu = young / (2 * (1 + poisson));
  return {2 * mu * poisson / (1 - 2 * poisson), mu};
}

// Checks what the user gave, then converts it to the parameters of the kernels, element by element where it varies.
KernelParameters MaterialLaw::resolve(const UserParameters& user) const {
  check_names(*this, user);
  const int set = choose_set(*this, user);
  for (const auto& info : parameters()) {
    if (const auto found = user.find(info.name); found != user.end()) check_values(*this, info, found->second);
  }
  const std::size_t size = common_size(*this, user);
  KernelParameters kernel(kernel_parameter_count(), std::vector<double>(size));
  const std::vector<std::string> names = parameter_sets()[set];
  for (std::size_t i = 0; i < size; ++i) {
    double in[max_kernel_parameters], out[max_kernel_parameters];
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::vector<double>& values = user.at(names[k]);
      in[k] = values[values.size() == 1 ? 0 : i];
    }
    kernel_from_user(set, in, out);
    for (std::size_t k = 0; k < kernel.size(); ++k) kernel[k][i] = out[k];
  }
  return kernel;
}

SharedModel MaterialModel::with_curves(const UserCurves&) const {
  fail_input(code::material_model, "material model '{}' has neither curves nor lists, only {}", name(),
             describe_sets(*this));
}

double MaterialModel::equivalent_young(const double* kernel) const {
  return young_modulus(linearized(kernel));
}

Lanes MaterialModel::energy(const StrainInvariants<Lanes>&, const Lanes*) const {
  return Lanes(0.0);
}

}  // namespace sinew

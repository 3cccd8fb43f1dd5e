#include "sinew/material/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/types.h"
#include "sinew/material/confidence.h"
#include "sinew/material/fitted_model.h"
#include "sinew/material/registry.h"

namespace sinew {

namespace {

constexpr int most_iterations = 500;
// That fits keep against further strain, over that at rest. Foams are nearly without in the middle of their
// compression.
constexpr double least_stiffness = 5e-3, least_stiffness_of_foams = 0;
constexpr int range_samples = 24;     // of an experiment, to each side of rest
constexpr double least_strain = 0.3;  // up to which fits are stable, whatever was measured
constexpr double beyond = 1.2;        // strains up to which fits are stable, over those measured

// |e|^2 / (ln l)^2 of logarithmic strains e, free faces as in free_stretch(): 3/2 of an incompressible bar, 6 of a
// sheet and 2 of a strip.
double squared_strain(Experiment experiment, double poisson) {
  const double strip = poisson / (1 - poisson);
  if (experiment == Experiment::uniaxial) return 1 + 2 * poisson * poisson;
  return experiment == Experiment::biaxial ? 2 + 4 * strip * strip : 1 + strip * strip;
}

// The largest |e| = sqrt(sum of squared logarithmic strains) of all points.
double largest_strain(const std::vector<Measurement>& measurements, double poisson) {
  double largest = least_strain;
  for (const Measurement& m : measurements) {
    for (const double l : m.stretch) {
      const double e = std::log(l);
      const double factor = squared_strain(m.experiment, poisson);
      largest = std::max(largest, std::sqrt(factor) * std::abs(e));
    }
  }
  return largest;
}

// Refuses curves that determine nothing.
void check_measurements(const std::vector<Measurement>& measurements) {
  if (measurements.empty()) fail_input(code::measurement, "found no measured curve, expected at least one");
  for (const Measurement& m : measurements) {
    const bool varies = std::ranges::any_of(m.stretch, [](double l) { return l != 1; });
    const bool stressed = std::ranges::any_of(m.stress, [](double p) { return p != 0; });
    if (!varies || !stressed)
      fail_input(code::measurement, "{}: all stretches are 1 or all stresses are 0, expected a loaded specimen",
                 m.source);
  }
}

// A shear modulus that scales the unknowns: least squares of the stress P = mu g(l), g = l - s_2^2 / l with the free
// stretch s_2, of an incompressible neo-Hookean solid, or of a foam with one term and alpha = 2:
//   mu = sum w g P / sum w g^2,  w = 1 / (N P_max^2) for the N points of a curve.
double estimated_stiffness(const std::vector<Measurement>& measurements, double poisson) {
  double product = 0, square = 0;
  for (const Measurement& m : measurements) {
    const double weight = 1 / (std::pow(largest_stress(m), 2) * static_cast<double>(m.stretch.size()));
    for (std::size_t i = 0; i < m.stretch.size(); ++i) {
      const double l = m.stretch[i], g = l - std::pow(free_stretch(m.experiment, l, poisson), 2) / l;
      product += weight * g * m.stress[i];
      square += weight * g * g;
    }
  }
  if (!(product > 0))
    fail_input(code::measurement,
               "{}: stresses fall as the stretch rises; make tension positive and compression negative",
               measurements[0].source);
  return product / square;
}

// Levenberg-Marquardt (Marquardt 1963) over the unknowns x: solves (J^T J + damping diag(J^T J)) d = -J^T r with
// residuals r and J = dr/dx, takes x + d where |r| falls, and divides or multiplies the damping by 10 after success or
// failure.
class Fitter {
 public:
  // poisson: that of the free faces
  Fitter(const FittedModel& model, const std::vector<Measurement>& measurements, double poisson, bool allow_unstable)
      : model_(model),
        measurements_(measurements),
        stiffness_(estimated_stiffness(measurements, poisson)),
        least_stiffness_(poisson == incompressible ? least_stiffness : least_stiffness_of_foams),
        allow_unstable_(allow_unstable) {
    for (const StableRange& range : required_ranges(measurements, poisson)) {
      for (int i = 1; i <= range_samples; ++i) {
        const double share = static_cast<double>(i) / range_samples;
        states_.emplace_back(range.experiment, std::pow(range.low, share));
        states_.emplace_back(range.experiment, std::pow(range.high, share));
      }
    }
  }

  // Ends where the step or the decrease of |r| is at rounding, or where no damping gives a decrease; then finds the
  // root mean square of each measurement's residual [Pa].
  FitResult run() {
    VecX x = model_.start(stiffness_);
    FitResult result = minimize(x);
    // The weight of what is missing grows from round to round: a bound that is steep at once makes tiny steps along it.
    constexpr int most_rounds = 6;
    for (int round = 1; round < most_rounds && !allow_unstable_ && unstable_state(result); ++round) {
      bound_weight_ *= 10;
      const int before = result.iterations;
      result = minimize(x);
      result.iterations += before;
    }
    tell_unstable(result);
    result.deviations = deviations(x, result);
    return result;
  }

 private:
  // The standard deviations of all numbers that are functions of x, from the measurements alone. Each has noise of its
  // own. Numbers that bounds hold are as unsure as without them.
  std::map<std::string, std::vector<double>> deviations(const VecX& x, const FitResult& made) const {
    if (!made.curves.points.empty()) return {};
    const VecX r = residuals(x);
    std::vector<ResidualGroup> groups;
    for (Eigen::Index first = 0; const Measurement& m : measurements_) {
      groups.push_back({first, static_cast<Eigen::Index>(m.stretch.size())});
      first += groups.back().count;
    }
    const Eigen::Index rows = groups.back().first + groups.back().count;
    const MatX covariance = least_squares_covariance(jacobian(x, r).topRows(rows), r.head(rows), groups);
    MatX G(static_cast<Eigen::Index>(numbers_of(made).size()), x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double h = difference_step(x[k]);
      G.col(k) = (numbers_at(x + h * VecX::Unit(x.size(), k)) - numbers_at(x - h * VecX::Unit(x.size(), k))) / (2 * h);
    }
    const VecX all = propagated_deviations(G, covariance);
    std::map<std::string, std::vector<double>> result;
    Eigen::Index next = 0;
    for (const auto* values : {&made.parameters, &made.curves.lists}) {
      for (const auto& [name, list] : *values) {
        const auto size = static_cast<Eigen::Index>(list.size());
        if (name != "poisson") result[name].assign(all.begin() + next, all.begin() + next + size);
        next += size;
      }
    }
    return result;
  }

  VecX numbers_at(const VecX& x) const {
    FitResult made;
    model_.make(x, stiffness_, made);
    return numbers_of(made);
  }

  // The values of all parameters and lists, in the order of their maps.
  static VecX numbers_of(const FitResult& made) {
    std::vector<double> all;
    for (const auto* values : {&made.parameters, &made.curves.lists})
      for (const auto& [name, list] : *values) all.insert(all.end(), list.begin(), list.end());
    return Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size()));
  }

  static double difference_step(double x) { return 1e-5 * std::max(std::abs(x), 1e-2); }

  // The first state at which the result is not stable.
  std::optional<std::pair<Experiment, double>> unstable_state(const FitResult& made) const {
    const std::vector<double> kernel = kernel_of(made);
    for (const auto& [experiment, l] : states_)
      if (!(drucker_stiffness(*made.model, kernel, experiment, l) > 0)) return {{experiment, l}};
    return {};
  }

  void tell_unstable(const FitResult& made) const {
    const auto state = unstable_state(made);
    if (!state) return;
    const std::string text =
        fmt::format("{} at stretch {:.3g}, within the strains of the measurements, stress falls as strain grows",
                    experiment_name(state->first), state->second);
    if (!allow_unstable_)
      fail_input(
          code::measurement,
          "{}: found no stable material: {}; give curves of other experiments, choose another model{}, or accept "
          "an unstable material with --allow-unstable",
          source(), text, made.curves.points.empty() ? "" : ", knots over wider stretches");
    log::warning("{}: the fitted material is unstable: {}; a simulation may fail at such strains", source(), text);
  }

  FitResult minimize(VecX& x) {
    VecX r = residuals(x);
    if (r.size() == 0)
      fail_input(code::measurement,
                 "{}: the fit found no start, since the curve is unlike that of a solid; check its columns and units",
                 source());
    FitResult result;
    double damping = 1e-3;
    while (result.iterations < most_iterations && !result.converged) {
      ++result.iterations;
      const MatX J = jacobian(x, r);
      const VecX g = J.transpose() * r;
      const MatX normal = J.transpose() * J;
      // Raises the damping until a step decreases |r|.
      while (true) {
        MatX damped = normal;
        for (Eigen::Index k = 0; k < x.size(); ++k) damped(k, k) += damping * normal(k, k) + 1e-300;
        const VecX d = -damped.ldlt().solve(g), next = x + d, there = residuals(next);
        const bool better = there.size() > 0 && there.squaredNorm() < r.squaredNorm();
        const bool small = !(d.norm() > 1e-10 * (x.norm() + 1e-10));
        if (better) {
          result.converged = small || r.squaredNorm() - there.squaredNorm() <= 1e-12 * r.squaredNorm();
          x = next;
          r = there;
          damping = std::max(damping / 10, 1e-12);
          break;
        }
        damping *= 10;
        if (small || damping > 1e12) {
          result.converged = true;
          break;
        }
      }
    }
    model_.make(x, stiffness_, result);
    const std::vector<double> kernel = kernel_of(result);
    for (const Measurement& m : measurements_) {
      const std::vector<double> stress = nominal_stress(*result.model, kernel, m.experiment, m.stretch);
      double square = 0;
      for (std::size_t i = 0; i < stress.size(); ++i) square += std::pow(stress[i] - m.stress[i], 2);
      result.rms.push_back(std::sqrt(square / static_cast<double>(stress.size())));
    }
    result.stable = stable_ranges(*result.model, kernel);
    return result;
  }

  const std::string& source() const { return measurements_[0].source; }

  // Residuals (P(l_i) - P_i) / (P_max sqrt(N)) of all measurements and the prior; empty where the model rejects the
  // unknowns.
  VecX residuals(const VecX& x) const {
    FitResult made;
    std::vector<double> kernel;
    try {
      model_.make(x, stiffness_, made);
      kernel = kernel_of(made);
    } catch (const InputError&) {
      return {};
    }
    std::vector<double> all;
    for (const Measurement& m : measurements_) {
      const std::vector<double> stress = nominal_stress(*made.model, kernel, m.experiment, m.stretch);
      const double weight = residual_weight(m);
      for (std::size_t i = 0; i < stress.size(); ++i) all.push_back(weight * (stress[i] - m.stress[i]));
    }
    const VecX prior = model_.prior(x);
    all.insert(all.end(), prior.begin(), prior.end());
    if (!allow_unstable_) {
      // Hinges: what is missing to the least stiffness, over that at rest.
      for (const auto& [experiment, l] : states_) {
        const double stiffness = drucker_stiffness(*made.model, kernel, experiment, l) / (2 * stiffness_);
        all.push_back(bound_weight_ * std::max(0.0, least_stiffness_ - stiffness));
      }
    }
    const VecX r = Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size()));
    return r.allFinite() ? r : VecX();
  }

  // dr/dx by central differences, or one-sided ones where the model rejects the other side.
  MatX jacobian(const VecX& x, const VecX& r) const {
    MatX J(r.size(), x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double h = difference_step(x[k]);
      VecX plus = x, minus = x;
      plus[k] += h;
      minus[k] -= h;
      const VecX above = residuals(plus), below = residuals(minus);
      if (above.size() > 0 && below.size() > 0) {
        J.col(k) = (above - below) / (2 * h);
      } else if (above.size() > 0) {
        J.col(k) = (above - r) / h;
      } else if (below.size() > 0) {
        J.col(k) = (r - below) / h;
      } else {
        J.col(k).setZero();
      }
    }
    return J;
  }

  const FittedModel& model_;
  const std::vector<Measurement>& measurements_;
  double stiffness_, least_stiffness_;
  bool allow_unstable_;
  double bound_weight_ = 0.1;                          // of stability, against relative residuals
  std::vector<std::pair<Experiment, double>> states_;  // at which the material is to be stable
};

}  // namespace

std::vector<double> kernel_of(const FitResult& fit) {
  std::vector<double> kernel;
  for (const auto& values : fit.model->resolve(fit.parameters)) kernel.push_back(values[0]);
  return kernel;
}

std::vector<StableRange> required_ranges(const std::vector<Measurement>& measurements, double poisson) {
  const double strain = beyond * largest_strain(measurements, poisson);
  std::vector<StableRange> ranges;
  for (const Experiment experiment : {Experiment::uniaxial, Experiment::biaxial, Experiment::shear}) {
    const double l = std::exp(strain / std::sqrt(squared_strain(experiment, poisson)));
    ranges.push_back({experiment, 1 / l, l});
  }
  return ranges;
}

std::vector<std::string> fitted_models() {
  return {"arruda_boyce", "blatz_ko", "gent",   "hyperfoam",          "mooney_rivlin",
          "neo_hookean",  "ogden",    "spline", "stable_neo_hookean", "yeoh"};
}

FitResult fit_material(const std::string& model, const std::vector<Measurement>& measurements,
                       const FitOptions& options) {
  check_measurements(measurements);
  const auto fitted = fitted_model(model, measurements, options);
  const double poisson = fitted_poisson(model, options);
  const double faces = shared_material_model(model)->is_foam() ? poisson : incompressible;
  FitResult result = Fitter(*fitted, measurements, faces, options.allow_unstable).run();
  result.poisson = poisson;
  return result;
}

}  // namespace sinew

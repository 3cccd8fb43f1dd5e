#include "sinew/material/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/types.h"
#include "sinew/material/curve.h"
#include "sinew/material/registry.h"

namespace sinew {

namespace {

constexpr int most_iterations = 500;
constexpr int default_knots = 12;
// Of changes of the spline's factor, against relative residuals: below stretch 1, of which tension says little, and
// above.
constexpr double pressed_weight = 1e-2, pulled_weight = 1e-3;
constexpr double least_stiffness = 5e-3;  // that fits keep against further strain, over that at rest
constexpr int most_terms = 8;             // of which measured curves determine the numbers
constexpr int range_samples = 24;         // of an experiment, to each side of rest
constexpr double least_strain = 0.3;      // up to which fits are stable, whatever was measured
constexpr double beyond = 1.2;            // strains up to which fits are stable, over those measured

// A material model as a function of unknowns x of the size of 1: its stiffnesses in units of that of the measurements.
class FittedModel {
 public:
  explicit FittedModel(double poisson) : poisson_(poisson), volume_(2 * poisson / (1 - 2 * poisson)) {}
  virtual ~FittedModel() = default;

  virtual VecX start() const = 0;
  // Writes model, parameters or curves. Throws InputError where the model does not allow them.
  virtual void make(const VecX& x, double stiffness, FitResult& out) const = 0;
  // Residuals beside those of the measurements.
  virtual VecX prior(const VecX&) const { return {}; }

 protected:
  double poisson() const { return poisson_; }
  double bulk(double mu) const { return (volume_ + 2.0 / 3) * mu; }

  double poisson_, volume_;  // volume_: lambda / mu
};

// Neo-Hookean models: x is mu, and lambda follows from Poisson's ratio.
class FittedLame final : public FittedModel {
 public:
  FittedLame(const std::string& model, double poisson) : FittedModel(poisson), model_(shared_material_model(model)) {}
  VecX start() const override { return VecX::Ones(1); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = model_;
    out.parameters = {{"lambda", {volume_ * x[0] * stiffness}}, {"mu", {x[0] * stiffness}}};
  }

 private:
  SharedModel model_;
};

// Mooney-Rivlin: x = (c10, c01), and kappa follows from Poisson's ratio.
class FittedMooneyRivlin final : public FittedModel {
 public:
  using FittedModel::FittedModel;
  VecX start() const override { return Eigen::Vector2d(0.4, 0.1); }
  // lambda = kappa + 4 c01, mu = 2 (c10 + c01)
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    const double kappa = volume_ * 2 * (x[0] + x[1]) - 4 * x[1];
    out.model = shared_material_model("mooney_rivlin");
    out.parameters = {{"c10", {x[0] * stiffness}}, {"c01", {x[1] * stiffness}}, {"kappa", {kappa * stiffness}}};
  }
};

// Yeoh: x = (c10, 10 c20, 100 c30), and the bulk modulus follows from Poisson's ratio.
class FittedYeoh final : public FittedModel {
 public:
  using FittedModel::FittedModel;
  VecX start() const override { return Vec3(0.5, 0, 0); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("yeoh");
    out.parameters = {{"c10", {x[0] * stiffness}},
                      {"c20", {x[1] * stiffness / 10}},
                      {"c30", {x[2] * stiffness / 100}},
                      {"bulk", {bulk(2 * x[0] * stiffness)}}};
  }
};

// Gent: x = (mu, ln(jm / i - 1)) with the largest measured I1 - 3 = i, below the limit jm.
class FittedGent final : public FittedModel {
 public:
  FittedGent(const std::vector<Measurement>& measurements, double poisson) : FittedModel(poisson) {
    for (const Measurement& m : measurements) {
      for (const double l : m.stretch) {
        const double free = free_stretch(m.experiment, l);
        largest_ = std::max(largest_, l * l + std::pow(l * free, -2) + free * free - 3);
      }
    }
  }
  VecX start() const override { return Eigen::Vector2d(1, 0); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("gent");
    out.parameters = {
        {"mu", {x[0] * stiffness}}, {"jm", {largest_ * (1 + std::exp(x[1]))}}, {"bulk", {bulk(x[0] * stiffness)}}};
  }

 private:
  double largest_ = 0;
};

// Arruda and Boyce: x = (mu, ln(locking - 1)).
class FittedArrudaBoyce final : public FittedModel {
 public:
  using FittedModel::FittedModel;
  VecX start() const override { return Eigen::Vector2d(1, 1); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("arruda_boyce");
    out.parameters = {{"mu", {x[0] * stiffness}}, {"locking", {1 + std::exp(x[1])}}, {"poisson", {poisson()}}};
  }
};

// Ogden: x = (ln mu_p, alpha_p / 4) of all terms. Terms with mu_p > 0 are stable. Their exponents start from 2, -2, 4,
// -4 and so on.
class FittedOgden final : public FittedModel {
 public:
  FittedOgden(int terms, double poisson) : FittedModel(poisson), terms_(terms) {}
  VecX start() const override {
    VecX x(2 * terms_);
    for (int p = 0; p < terms_; ++p) {
      x[2 * p] = -std::log(terms_);
      x[2 * p + 1] = (p % 2 ? -0.5 : 0.5) * (1 + p / 2);
    }
    return x;
  }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    UserCurves data;
    for (int p = 0; p < terms_; ++p) {
      data.lists["mu"].push_back(std::exp(x[2 * p]) * stiffness);
      data.lists["alpha"].push_back(4 * x[2 * p + 1]);
    }
    out.model = shared_material_model("ogden")->with_curves(data);
    out.curves = data;
    out.parameters = {{"poisson", {poisson()}}};
  }

 private:
  int terms_;
};

// Spline: a'(s) = mu r(s) (s - 1/s) at the knots other than 1, where it is zero, with x = ln r: a neo-Hookean solid
// where x = 0. Its sign is that of tension and compression whatever x is.
class FittedSpline final : public FittedModel {
 public:
  FittedSpline(std::vector<double> knots, double poisson) : FittedModel(poisson), knots_(std::move(knots)) {}

  VecX start() const override { return VecX::Zero(static_cast<Eigen::Index>(knots_.size()) - 1); }

  // 2 mu = a''(1), and lambda = c''.
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    const ControlPoints a{knots_, values(x, stiffness)};
    const double lambda = volume_ * Curve(a).slope_at_rest() / 2;
    out.curves = {{{"a", a}, {"c", {{0.5, 1, 2}, {-0.5 * lambda, 0, lambda}}}}, false, {}};
    out.model = shared_material_model("spline")->with_curves(out.curves);
  }

  // w (x_(i+1) - x_i) / sqrt(ln s_(i+1) - ln s_i): the sum of squares is w^2 int (dx / d ln s)^2, whatever the knots
  // are.
  VecX prior(const VecX& x) const override {
    VecX changes = VecX::Zero(x.size() - 1);
    double before = 0;
    Eigen::Index k = 0;
    for (const double knot : knots_) {
      if (knot == 1) continue;
      const double weight = before < 1 ? pressed_weight : pulled_weight;
      if (k > 0) changes[k - 1] = weight * (x[k] - x[k - 1]) / std::sqrt(std::log(knot / before));
      before = knot;
      ++k;
    }
    return changes;
  }

 private:
  std::vector<double> values(const VecX& x, double stiffness) const {
    std::vector<double> y;
    Eigen::Index k = 0;
    for (const double knot : knots_) y.push_back(knot == 1 ? 0.0 : stiffness * std::exp(x[k++]) * (knot - 1 / knot));
    return y;
  }

  std::vector<double> knots_;
};

// The largest |e| = sqrt(sum of squared logarithmic strains) of all points.
double largest_strain(const std::vector<Measurement>& measurements) {
  double largest = least_strain;
  for (const Measurement& m : measurements) {
    for (const double l : m.stretch) {
      const double e = std::log(l);
      const double factor = m.experiment == Experiment::uniaxial ? 1.5 : m.experiment == Experiment::biaxial ? 6 : 2;
      largest = std::max(largest, std::sqrt(factor) * std::abs(e));
    }
  }
  return largest;
}

// The smallest and largest principal stretch in all experiments, those of the free faces included.
std::pair<double, double> probed_stretches(const std::vector<Measurement>& measurements) {
  double low = 1, high = 1;
  for (const Measurement& m : measurements)
    for (const double l : m.stretch)
      for (const double s : {l, free_stretch(m.experiment, l)}) {
        low = std::min(low, s);
        high = std::max(high, s);
      }
  return {low, high};
}

// The knots given, or knots spaced evenly in ln s over the probed stretches, and down to those that fits must be
// stable at; 1 is always among them.
std::vector<double> spline_knots(const std::vector<Measurement>& measurements, std::vector<double> knots) {
  if (knots.empty()) {
    const auto [low, high] = probed_stretches(measurements);
    const double lowest = required_ranges(measurements)[0].low;  // under the strongest compression
    const double ratio = std::pow(high / low, 1 / (default_knots - 1.0));
    for (double knot = low / ratio; knot * ratio > lowest; knot /= ratio) knots.insert(knots.begin(), knot);
    for (int i = 0; i < default_knots; ++i) {
      const double knot = low * std::pow(high / low, i / (default_knots - 1.0));
      // A knot too close to 1 would make a piece that no measurement determines.
      if (std::abs(std::log(knot)) > 0.3 * std::log(high / low) / (default_knots - 1)) knots.push_back(knot);
    }
  }
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (std::isfinite(knots[i]) && knots[i] > (i > 0 ? knots[i - 1] : 0.0)) continue;
    fail_input(code::measurement, "knots: found {} as number {}, expected stretches greater than 0 that ascend",
               knots[i], i);
  }
  if (std::ranges::find(knots, 1.0) == knots.end()) knots.insert(std::ranges::upper_bound(knots, 1.0), 1.0);
  if (knots.size() < 3)
    fail_input(code::measurement, "knots: found {} other than 1, expected at least two", knots.size() - 1);
  return knots;
}

// The unknowns and bounds of a model that can be fitted.
std::unique_ptr<FittedModel> fitted_model(const std::string& name, const std::vector<Measurement>& measurements,
                                          const FitOptions& options) {
  if (!options.knots.empty() && name != "spline")
    fail_input(code::measurement,
               "knots: found {} numbers, but model '{}' has no curve that runs through points; remove them",
               options.knots.size(), name);
  if (options.terms && name != "ogden")
    fail_input(code::measurement, "terms: found {}, but model '{}' is no sum of terms; remove it", *options.terms,
               name);
  const int terms = options.terms.value_or(FitOptions::default_terms);
  if (terms < 1 || terms > most_terms)
    fail_input(code::measurement, "terms: found {}, expected 1 to {}", terms, most_terms);
  if (name == "arruda_boyce") return std::make_unique<FittedArrudaBoyce>(options.poisson);
  if (name == "gent") return std::make_unique<FittedGent>(measurements, options.poisson);
  if (name == "ogden") return std::make_unique<FittedOgden>(terms, options.poisson);
  if (name == "yeoh") return std::make_unique<FittedYeoh>(options.poisson);
  if (name == "mooney_rivlin") return std::make_unique<FittedMooneyRivlin>(options.poisson);
  if (name == "spline")
    return std::make_unique<FittedSpline>(spline_knots(measurements, options.knots), options.poisson);
  find_material_model(name);  // a name of none is an error of its own
  const std::vector<std::string> known = fitted_models();
  if (std::ranges::find(known, name) == known.end()) {
    std::string list;
    for (const std::string& model : known) list += (list.empty() ? "" : ", ") + model;
    fail_input(code::measurement, "material model '{}' cannot be fitted; expected one of {}", name, list);
  }
  return std::make_unique<FittedLame>(name, options.poisson);
}

// Refuses curves that determine nothing.
void check_measurements(const std::vector<Measurement>& measurements, const FitOptions& options) {
  if (measurements.empty()) fail_input(code::measurement, "found no measured curve, expected at least one");
  if (!(options.poisson >= 0 && options.poisson < 0.5))
    fail_input(code::measurement,
               "poisson: found {}, expected at least 0 and less than 0.5 (nearly incompressible: 0.495)",
               options.poisson);
  for (const Measurement& m : measurements) {
    const bool varies = std::ranges::any_of(m.stretch, [](double l) { return l != 1; });
    const bool stressed = std::ranges::any_of(m.stress, [](double p) { return p != 0; });
    if (!varies || !stressed)
      fail_input(code::measurement, "{}: all stretches are 1 or all stresses are 0, expected a loaded specimen",
                 m.source);
  }
}

double largest_stress(const Measurement& m) {
  double largest = 0;
  for (const double p : m.stress) largest = std::max(largest, std::abs(p));
  return largest;
}

// A shear modulus that scales the unknowns: least squares of the incompressible neo-Hookean stress P = mu g(l),
// g = l - s_2^2 / l with the free stretch s_2:
//   mu = sum w g P / sum w g^2,  w = 1 / (N P_max^2) for the N points of a curve.
double estimated_stiffness(const std::vector<Measurement>& measurements) {
  double product = 0, square = 0;
  for (const Measurement& m : measurements) {
    const double weight = 1 / (std::pow(largest_stress(m), 2) * static_cast<double>(m.stretch.size()));
    for (std::size_t i = 0; i < m.stretch.size(); ++i) {
      const double l = m.stretch[i], g = l - std::pow(free_stretch(m.experiment, l), 2) / l;
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
  Fitter(const FittedModel& model, const std::vector<Measurement>& measurements, double stiffness, bool allow_unstable)
      : model_(model), measurements_(measurements), stiffness_(stiffness), allow_unstable_(allow_unstable) {
    for (const StableRange& range : required_ranges(measurements)) {
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
    VecX x = model_.start();
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
    return result;
  }

 private:
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

  static std::vector<double> kernel_of(const FitResult& made) {
    std::vector<double> kernel;
    for (const auto& values : made.model->resolve(made.parameters)) kernel.push_back(values[0]);
    return kernel;
  }

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
      const double weight = 1 / (largest_stress(m) * std::sqrt(static_cast<double>(stress.size())));
      for (std::size_t i = 0; i < stress.size(); ++i) all.push_back(weight * (stress[i] - m.stress[i]));
    }
    const VecX prior = model_.prior(x);
    all.insert(all.end(), prior.begin(), prior.end());
    if (!allow_unstable_) {
      // Hinges: what is missing to the least stiffness, over that at rest.
      for (const auto& [experiment, l] : states_) {
        const double stiffness = drucker_stiffness(*made.model, kernel, experiment, l) / (2 * stiffness_);
        all.push_back(bound_weight_ * std::max(0.0, least_stiffness - stiffness));
      }
    }
    const VecX r = Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size()));
    return r.allFinite() ? r : VecX();
  }

  // dr/dx by central differences, or one-sided ones where the model rejects the other side.
  MatX jacobian(const VecX& x, const VecX& r) const {
    MatX J(r.size(), x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double h = 1e-5 * std::max(std::abs(x[k]), 1e-2);
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
  double stiffness_;
  bool allow_unstable_;
  double bound_weight_ = 0.1;                          // of stability, against relative residuals
  std::vector<std::pair<Experiment, double>> states_;  // at which the material is to be stable
};

}  // namespace

// |e|^2 is 3/2 e^2 of a bar, 6 e^2 of a sheet and 2 e^2 of a strip, e = ln l.
std::vector<StableRange> required_ranges(const std::vector<Measurement>& measurements) {
  const double strain = beyond * largest_strain(measurements);
  std::vector<StableRange> ranges;
  const auto add = [&](Experiment experiment, double factor) {
    const double l = std::exp(strain / std::sqrt(factor));
    ranges.push_back({experiment, 1 / l, l});
  };
  add(Experiment::uniaxial, 1.5);
  add(Experiment::biaxial, 6);
  add(Experiment::shear, 2);
  return ranges;
}

std::vector<std::string> fitted_models() {
  return {"arruda_boyce", "gent", "mooney_rivlin", "neo_hookean", "ogden", "spline", "stable_neo_hookean", "yeoh"};
}

FitResult fit_material(const std::string& model, const std::vector<Measurement>& measurements,
                       const FitOptions& options) {
  check_measurements(measurements, options);
  const auto fitted = fitted_model(model, measurements, options);
  return Fitter(*fitted, measurements, estimated_stiffness(measurements), options.allow_unstable).run();
}

}  // namespace sinew

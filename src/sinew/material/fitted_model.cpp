#include "sinew/material/fitted_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/linalg/nnls.h"
#include "sinew/material/curve.h"
#include "sinew/material/hyperfoam.h"
#include "sinew/material/registry.h"

namespace sinew {

namespace {

constexpr int default_knots = 12;
// Of changes of the spline's factor, against relative residuals: below stretch 1, of which tension says little, and
// above.
constexpr double pressed_weight = 1e-2, pulled_weight = 1e-3;
constexpr int most_terms = 8;  // of which measured curves determine the numbers
constexpr double blatz_ko_poisson = 0.25;
constexpr double most_exponent = 30;   // of foams
constexpr double least_start = 1e-3;   // mu_p from which fits of foams start, over the largest
constexpr double least_term = 1e-5;    // mu_p of foams, over the stiffness of the measurements
constexpr double bound_weight = 1e-2;  // of what is beyond these, against relative residuals

// Models whose bulk modulus follows from Poisson's ratio.
class RubberModel : public FittedModel {
 public:
  explicit RubberModel(double poisson) : poisson_(poisson), volume_(2 * poisson / (1 - 2 * poisson)) {}

 protected:
  double poisson() const { return poisson_; }
  double bulk(double mu) const { return (volume_ + 2.0 / 3) * mu; }

  double poisson_, volume_;  // volume_: lambda / mu
};

// Neo-Hookean models: x is mu, and lambda follows from Poisson's ratio.
class FittedLame final : public RubberModel {
 public:
  FittedLame(const std::string& model, double poisson) : RubberModel(poisson), model_(shared_material_model(model)) {}
  VecX start(double) const override { return VecX::Ones(1); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = model_;
    out.parameters = {{"lambda", {volume_ * x[0] * stiffness}}, {"mu", {x[0] * stiffness}}};
  }

 private:
  SharedModel model_;
};

// Mooney-Rivlin: x = (c10, c01), and kappa follows from Poisson's ratio.
class FittedMooneyRivlin final : public RubberModel {
 public:
  using RubberModel::RubberModel;
  VecX start(double) const override { return Eigen::Vector2d(0.4, 0.1); }
  // lambda = kappa + 4 c01, mu = 2 (c10 + c01)
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    const double kappa = volume_ * 2 * (x[0] + x[1]) - 4 * x[1];
    out.model = shared_material_model("mooney_rivlin");
    out.parameters = {{"c10", {x[0] * stiffness}}, {"c01", {x[1] * stiffness}}, {"kappa", {kappa * stiffness}}};
  }
};

// Yeoh: x = (c10, 10 c20, 100 c30), and the bulk modulus follows from Poisson's ratio.
class FittedYeoh final : public RubberModel {
 public:
  using RubberModel::RubberModel;
  VecX start(double) const override { return Vec3(0.5, 0, 0); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("yeoh");
    out.parameters = {{"c10", {x[0] * stiffness}},
                      {"c20", {x[1] * stiffness / 10}},
                      {"c30", {x[2] * stiffness / 100}},
                      {"bulk", {bulk(2 * x[0] * stiffness)}}};
  }
};

// Gent: x = (mu, ln(jm / i - 1)) with the largest measured I1 - 3 = i, below the limit jm.
class FittedGent final : public RubberModel {
 public:
  FittedGent(const std::vector<Measurement>& measurements, double poisson) : RubberModel(poisson) {
    for (const Measurement& m : measurements) {
      for (const double l : m.stretch) {
        const double free = free_stretch(m.experiment, l);
        largest_ = std::max(largest_, l * l + std::pow(l * free, -2) + free * free - 3);
      }
    }
  }
  VecX start(double) const override { return Eigen::Vector2d(1, 0); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("gent");
    out.parameters = {
        {"mu", {x[0] * stiffness}}, {"jm", {largest_ * (1 + std::exp(x[1]))}}, {"bulk", {bulk(x[0] * stiffness)}}};
  }

 private:
  double largest_ = 0;
};

// Arruda and Boyce: x = (mu, ln(locking - 1)).
class FittedArrudaBoyce final : public RubberModel {
 public:
  using RubberModel::RubberModel;
  VecX start(double) const override { return Eigen::Vector2d(1, 1); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("arruda_boyce");
    out.parameters = {{"mu", {x[0] * stiffness}}, {"locking", {1 + std::exp(x[1])}}, {"poisson", {poisson()}}};
  }
};

// Blatz and Ko: x is mu, and Poisson's ratio is 1/4.
class FittedBlatzKo final : public FittedModel {
 public:
  VecX start(double) const override { return VecX::Ones(1); }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.model = shared_material_model("blatz_ko");
    out.parameters = {{"mu", {x[0] * stiffness}}};
  }
};

// Sums of powers: x = (ln mu_p, alpha_p / 4) of all terms. Terms with mu_p > 0 are stable. Their exponents start from
// 2, -2, 4, -4 and so on.
class FittedPowers : public FittedModel {
 public:
  FittedPowers(int terms, double poisson) : terms_(terms), poisson_(poisson) {}
  VecX start(double) const override {
    VecX x(2 * terms_);
    for (int p = 0; p < terms_; ++p) {
      x[2 * p] = -std::log(terms_);
      x[2 * p + 1] = (p % 2 ? -0.5 : 0.5) * (1 + p / 2);
    }
    return x;
  }

 protected:
  UserCurves terms_of(const VecX& x, double stiffness) const {
    UserCurves data;
    for (int p = 0; p < terms_; ++p) {
      data.lists["mu"].push_back(std::exp(x[2 * p]) * stiffness);
      data.lists["alpha"].push_back(4 * x[2 * p + 1]);
    }
    return data;
  }

  int terms_;
  double poisson_;
};

class FittedOgden final : public FittedPowers {
 public:
  using FittedPowers::FittedPowers;
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.curves = terms_of(x, stiffness);
    out.model = shared_material_model("ogden")->with_curves(out.curves);
    out.parameters = {{"poisson", {poisson_}}};
  }
};

// All terms have the given Poisson's ratio, so a bar has the lateral stretch s^(-nu). A flat plateau in compression
// asks for ever larger exponents, and superfluous terms for ever smaller mu_p: both are bounded.
class FittedHyperfoam final : public FittedPowers {
 public:
  FittedHyperfoam(const std::vector<Measurement>& measurements, int terms, double poisson)
      : FittedPowers(terms, poisson), measurements_(measurements) {}

  // The exponents of a grid, and mu_p >= 0 for them, that follow the measurements best: stresses are linear in mu_p.
  VecX start(double stiffness) const override {
    constexpr std::array grid{-16, -8, -4, -2, -1, 1, 2, 4, 8, 16, 25};
    const auto [unit, wanted] = unit_stresses(grid);
    std::vector<bool> chosen(grid.size());
    std::fill(chosen.begin(), chosen.begin() + terms_, true);
    double best = std::numeric_limits<double>::infinity();
    VecX x(2 * terms_);
    do {
      std::vector<Eigen::Index> columns;
      for (std::size_t k = 0; k < grid.size(); ++k)
        if (chosen[k]) columns.push_back(static_cast<Eigen::Index>(k));
      const NnlsResult solved = nnls(unit(Eigen::all, columns), wanted);
      if (!(solved.residual < best)) continue;
      best = solved.residual;
      const double least = std::max(least_start * solved.x.maxCoeff(), least_term * stiffness);
      for (int p = 0; p < terms_; ++p) {
        x[2 * p] = std::log(std::max(solved.x[p], least) / stiffness);
        x[2 * p + 1] = grid[static_cast<std::size_t>(columns[static_cast<std::size_t>(p)])] / 4.0;
      }
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return x;
  }
  void make(const VecX& x, double stiffness, FitResult& out) const override {
    out.curves = terms_of(x, stiffness);
    out.curves.lists["poisson"].assign(static_cast<std::size_t>(terms_), poisson_);
    out.model = shared_material_model("hyperfoam")->with_curves(out.curves);
  }
  VecX prior(const VecX& x) const override {
    VecX excess(x.size());
    for (int p = 0; p < terms_; ++p) {
      excess[2 * p] = std::max(0.0, std::log(least_term) - x[2 * p]);
      excess[2 * p + 1] = std::max(0.0, 4 * std::abs(x[2 * p + 1]) - most_exponent);
    }
    return bound_weight * excess;
  }

 private:
  // Stresses of terms with mu_p = 1, a column for each exponent, and the measured ones; weighted as in fits.
  std::pair<MatX, VecX> unit_stresses(std::span<const int> exponents) const {
    std::size_t rows = 0;
    for (const Measurement& m : measurements_) rows += m.stretch.size();
    MatX unit(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(exponents.size()));
    VecX wanted(unit.rows());
    Eigen::Index first = 0;
    for (const Measurement& m : measurements_) {
      const auto count = static_cast<Eigen::Index>(m.stretch.size());
      const Eigen::Map<const VecX> stress(m.stress.data(), count);
      const double weight = residual_weight(m);
      wanted.segment(first, count) = weight * stress;
      for (std::size_t k = 0; k < exponents.size(); ++k) {
        UserCurves term;
        term.lists = {{"mu", {1}}, {"alpha", {static_cast<double>(exponents[k])}}, {"poisson", {poisson_}}};
        const std::vector<double> column = nominal_stress(Hyperfoam(term), {}, m.experiment, m.stretch);
        unit.col(static_cast<Eigen::Index>(k)).segment(first, count) =
            weight * Eigen::Map<const VecX>(column.data(), count);
      }
      first += count;
    }
    return {unit, wanted};
  }

  const std::vector<Measurement>& measurements_;
};

// Spline: a'(s) = mu r(s) (s - 1/s) at the knots other than 1, where it is zero, with x = ln r: a neo-Hookean solid
// where x = 0. Its sign is that of tension and compression whatever x is.
class FittedSpline final : public RubberModel {
 public:
  FittedSpline(std::vector<double> knots, double poisson) : RubberModel(poisson), knots_(std::move(knots)) {}

  VecX start(double) const override { return VecX::Zero(static_cast<Eigen::Index>(knots_.size()) - 1); }

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

}  // namespace

double fitted_poisson(const std::string& model, const FitOptions& options) {
  if (model == "blatz_ko") {
    if (options.poisson)
      fail_input(code::measurement,
                 "poisson: found {}, but model 'blatz_ko' has Poisson's ratio {}; remove it, or fit model 'hyperfoam'",
                 *options.poisson, blatz_ko_poisson);
    return blatz_ko_poisson;
  }
  const bool foam = model == "hyperfoam";
  const double poisson =
      options.poisson.value_or(foam ? FitOptions::default_foam_poisson : FitOptions::default_poisson);
  if (!(poisson >= 0 && poisson < 0.5))
    fail_input(code::measurement,
               "poisson: found {}, expected at least 0 and less than 0.5 (nearly incompressible: 0.495)", poisson);
  return poisson;
}

std::unique_ptr<FittedModel> fitted_model(const std::string& name, const std::vector<Measurement>& measurements,
                                          const FitOptions& options) {
  if (!options.knots.empty() && name != "spline")
    fail_input(code::measurement,
               "knots: found {} numbers, but model '{}' has no curve that runs through points; remove them",
               options.knots.size(), name);
  if (options.terms && name != "ogden" && name != "hyperfoam")
    fail_input(code::measurement, "terms: found {}, but model '{}' is no sum of terms; remove it", *options.terms,
               name);
  const int terms = options.terms.value_or(FitOptions::default_terms);
  if (terms < 1 || terms > most_terms)
    fail_input(code::measurement, "terms: found {}, expected 1 to {}", terms, most_terms);
  const double poisson = fitted_poisson(name, options);
  if (name == "arruda_boyce") return std::make_unique<FittedArrudaBoyce>(poisson);
  if (name == "blatz_ko") return std::make_unique<FittedBlatzKo>();
  if (name == "gent") return std::make_unique<FittedGent>(measurements, poisson);
  if (name == "hyperfoam") return std::make_unique<FittedHyperfoam>(measurements, terms, poisson);
  if (name == "ogden") return std::make_unique<FittedOgden>(terms, poisson);
  if (name == "yeoh") return std::make_unique<FittedYeoh>(poisson);
  if (name == "mooney_rivlin") return std::make_unique<FittedMooneyRivlin>(poisson);
  if (name == "spline") return std::make_unique<FittedSpline>(spline_knots(measurements, options.knots), poisson);
  find_material_model(name);  // a name of none is an error of its own
  const std::vector<std::string> known = fitted_models();
  if (std::ranges::find(known, name) == known.end()) {
    std::string list;
    for (const std::string& model : known) list += (list.empty() ? "" : ", ") + model;
    fail_input(code::measurement, "material model '{}' cannot be fitted; expected one of {}", name, list);
  }
  return std::make_unique<FittedLame>(name, poisson);
}

}  // namespace sinew

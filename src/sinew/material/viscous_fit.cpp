#include "sinew/material/viscous_fit.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "sinew/core/error.h"
#include "sinew/linalg/nnls.h"
#include "sinew/material/confidence.h"
#include "sinew/material/number_rows.h"

namespace sinew {
namespace {

constexpr double pi = 3.14159265358979323846;

// One measured number: relaxation at a time, or one of the two moduli at a frequency.
struct Datum {
  enum class Kind { relaxation, storage, loss } kind;
  double at, value, size;  // size: what residuals are relative to
  std::size_t curve;

  // The response of a branch of modulus 1, and its derivative by ln(time).
  std::pair<double, double> response(double time) const {
    if (kind == Kind::relaxation) {
      const double x = at / time, e = std::exp(-x);
      return {e, e * x};
    }
    const double w = at * time, q = 1 + w * w;
    if (kind == Kind::storage) return {w * w / q, 2 * w * w / (q * q)};
    return {w / q, w * (1 - w * w) / (q * q)};
  }
  double at_rest() const { return kind == Kind::loss ? 0 : 1; }
};

std::vector<Datum> data_of(const std::vector<RelaxationCurve>& relaxation, const std::vector<DynamicCurve>& dynamic) {
  std::vector<Datum> data;
  std::size_t curve = 0;
  for (const RelaxationCurve& c : relaxation) {
    for (std::size_t k = 0; k < c.time.size(); ++k)
      data.push_back({Datum::Kind::relaxation, c.time[k], c.modulus[k], c.modulus[k], curve});
    ++curve;
  }
  for (const DynamicCurve& c : dynamic) {
    for (std::size_t k = 0; k < c.frequency.size(); ++k) {
      const double size = std::hypot(c.storage[k], c.loss[k]);
      data.push_back({Datum::Kind::storage, c.frequency[k], c.storage[k], size, curve});
      data.push_back({Datum::Kind::loss, c.frequency[k], c.loss[k], size, curve});
    }
    ++curve;
  }
  return data;
}

// The times that the data tell apart [s].
std::pair<double, double> range_of(const std::vector<Datum>& data) {
  double low = 1e300, high = 0;
  for (const Datum& d : data) {
    const double time = d.kind == Datum::Kind::relaxation ? d.at : 1 / d.at;
    if (time > 0) low = std::min(low, time), high = std::max(high, time);
  }
  return {low, high};
}

// p: the logarithms of the modulus at rest, of the branches' moduli and of their times. r: relative residuals; J: their
// derivatives.
void residuals(const std::vector<Datum>& data, const VecX& p, VecX& r, MatX* J) {
  const Eigen::Index n = (p.size() - 1) / 2;
  r.resize(static_cast<Eigen::Index>(data.size()));
  if (J) J->setZero(r.size(), p.size());
  for (Eigen::Index k = 0; k < r.size(); ++k) {
    const Datum& d = data[static_cast<std::size_t>(k)];
    double sum = d.at_rest() * std::exp(p[0]);
    if (J) (*J)(k, 0) = sum / d.size;
    for (Eigen::Index b = 0; b < n; ++b) {
      const double modulus = std::exp(p[1 + b]);
      const auto [response, slope] = d.response(std::exp(p[1 + n + b]));
      sum += modulus * response;
      if (J) (*J)(k, 1 + b) = modulus * response / d.size, (*J)(k, 1 + n + b) = modulus * slope / d.size;
    }
    r[k] = (sum - d.value) / d.size;
  }
}

// Levenberg-Marquardt with the diagonal of J^T J (More 1978).
VecX minimized(const std::vector<Datum>& data, VecX p) {
  VecX r, trial_r;
  MatX J;
  residuals(data, p, r, &J);
  double damping = 1e-3;
  constexpr int most_iterations = 500;
  for (int k = 0; k < most_iterations && damping < 1e12; ++k) {
    const MatX normal = J.transpose() * J;
    MatX damped = normal;
    damped.diagonal() += damping * (normal.diagonal().array() + 1e-12 * normal.diagonal().maxCoeff()).matrix();
    const VecX step = damped.ldlt().solve(-J.transpose() * r);
    if (!step.allFinite()) break;
    const VecX trial = p + step;
    residuals(data, trial, trial_r, nullptr);
    if (!(trial_r.squaredNorm() < r.squaredNorm())) {
      damping *= 4;
      continue;
    }
    const bool still = step.cwiseAbs().maxCoeff() < 1e-10;
    p = trial;
    residuals(data, p, r, &J);
    damping = std::max(damping / 3, 1e-15);
    if (still) break;
  }
  return p;
}

void require(bool holds, const NumberRow& row, std::size_t column, const char* name) {
  if (!holds || !std::isfinite(row.values[column]))
    fail_input(code::measurement, "{}: found {} {}, expected a finite number greater than 0", row.place, name,
               row.values[column]);
}

}  // namespace

RelaxationCurve read_relaxation(const std::string& path) {
  RelaxationCurve curve{path, {}, {}};
  for (const NumberRow& row : read_number_rows(path, 2, "two numbers, time [s] and stress or modulus, as 0.1, 2e5")) {
    require(row.values[0] >= 0, row, 0, "time");
    require(row.values[1] > 0, row, 1, "modulus");
    curve.time.push_back(row.values[0]);
    curve.modulus.push_back(row.values[1]);
  }
  require_enough_rows(path, curve.time.size());
  return curve;
}

DynamicCurve read_dynamic(const std::string& path) {
  DynamicCurve curve{path, {}, {}, {}};
  for (const NumberRow& row :
       read_number_rows(path, 3, "three numbers, frequency [Hz], storage and loss modulus, as 10, 2e5, 3e4")) {
    require(row.values[0] > 0, row, 0, "frequency");
    require(row.values[1] > 0, row, 1, "storage modulus");
    require(row.values[2] >= 0, row, 2, "loss modulus");
    curve.frequency.push_back(2 * pi * row.values[0]);
    curve.storage.push_back(row.values[1]);
    curve.loss.push_back(row.values[2]);
  }
  require_enough_rows(path, curve.frequency.size());
  return curve;
}

// 1. Even times over the range of the data, and moduli by nonnegative least squares.
// 2. All of them, and their standard deviations from the inverse of J^T J and the residual.
ViscousFit fit_viscosity(const std::vector<RelaxationCurve>& relaxation, const std::vector<DynamicCurve>& dynamic,
                         std::optional<int> branches) {
  const std::vector<Datum> data = data_of(relaxation, dynamic);
  const auto rows = static_cast<Eigen::Index>(data.size());
  const auto [low, high] = range_of(data);
  if (!(high > low)) fail_input(code::measurement, "the curves have one time or frequency, expected several");
  const double decades = std::log10(high / low);
  const int most = branches.value_or(std::max(1, static_cast<int>(std::lround(decades))));
  if (rows < 2 * most + 1)
    fail_input(code::measurement, "found {} measured numbers, expected at least {} for {} branches", rows, 2 * most + 1,
               most);
  // The middles of equal parts of the range.
  std::vector<double> times;
  for (int b = 0; b < most; ++b) times.push_back(low * std::pow(high / low, (b + 0.5) / most));
  MatX A(rows, most + 1);
  VecX values(rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const Datum& d = data[static_cast<std::size_t>(k)];
    A(k, 0) = d.at_rest() / d.size;
    for (int b = 0; b < most; ++b) A(k, 1 + b) = d.response(times[static_cast<std::size_t>(b)]).first / d.size;
    values[k] = d.value / d.size;
  }
  Nnls nnls(values);
  nnls.add_columns(A);
  const NnlsResult start = nnls.solve();
  std::vector<double> moduli, used;
  for (int b = 0; b < most; ++b)
    if (start.x[1 + b] > 0) moduli.push_back(start.x[1 + b]), used.push_back(times[static_cast<std::size_t>(b)]);
  if (moduli.empty())
    fail_input(code::measurement,
               "the curves show no relaxation: moduli fall with time and rise with frequency in a viscous material");
  const double smallest = 1e-3 * *std::ranges::min_element(moduli);
  const auto n = static_cast<Eigen::Index>(moduli.size());
  VecX p(1 + 2 * n);
  p[0] = std::log(std::max(start.x[0], smallest));
  for (Eigen::Index b = 0; b < n; ++b) {
    p[1 + b] = std::log(moduli[static_cast<std::size_t>(b)]);
    p[1 + n + b] = std::log(used[static_cast<std::size_t>(b)]);
  }
  p = minimized(data, p);

  VecX r;
  MatX J;
  residuals(data, p, r, &J);
  const ResidualGroup all{0, rows};
  const VecX deviation = least_squares_covariance(J, r, {&all, 1}).diagonal().cwiseMax(0).cwiseSqrt();
  ViscousFit fit;
  fit.modulus = std::exp(p[0]);
  fit.modulus_deviation = deviation[0];
  std::vector<Eigen::Index> order;
  for (Eigen::Index b = 0; b < n; ++b) order.push_back(b);
  std::ranges::sort(order, {}, [&](Eigen::Index b) { return p[1 + n + b]; });
  for (const Eigen::Index b : order) {
    fit.viscosity.push_back({std::exp(p[1 + n + b]), std::exp(p[1 + b]) / fit.modulus});
    fit.deviations.push_back({deviation[1 + n + b], deviation[1 + b]});
  }
  const std::size_t curves = relaxation.size() + dynamic.size();
  std::vector<double> count(curves, 0);
  fit.rms.assign(curves, 0);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const std::size_t c = data[static_cast<std::size_t>(k)].curve;
    fit.rms[c] += r[k] * r[k];
    ++count[c];
  }
  for (std::size_t c = 0; c < curves; ++c) fit.rms[c] = std::sqrt(fit.rms[c] / count[c]);
  return fit;
}

}  // namespace sinew

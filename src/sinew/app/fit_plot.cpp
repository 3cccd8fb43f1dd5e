#include "sinew/app/fit_plot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

namespace sinew::app {
namespace {

using Kind = ChartSeries::Kind;

constexpr int line_points = 200;
std::string key_text(const std::string& name, const std::string& source, double residual) {
  return fmt::format("{}: {}, residual {:.2g} %", name, std::filesystem::path(source).filename().string(),
                     100 * residual);
}

// Even steps of the logarithm.
std::vector<double> spread(double low, double high) {
  std::vector<double> values;
  for (int i = 0; i < line_points; ++i) values.push_back(low * std::pow(high / low, i / (line_points - 1.0)));
  return values;
}

// The fitted curve of an experiment from rest over all measured stretches, in parts below, within and above the stable
// range.
void add_response(Chart& chart, const FitResult& fit, Experiment experiment, double low, double high) {
  const std::vector<double> kernel = kernel_of(fit);
  const StableRange& stable = *std::ranges::find(fit.stable, experiment, &StableRange::experiment);
  const double first = std::clamp(stable.low, low, high), last = std::clamp(stable.high, low, high);
  const auto part = [&](double from, double to, Kind kind) {
    if (!(to > from)) return;
    const std::vector<double> stretch = spread(from, to);
    chart.series.push_back({kind, chart_color(static_cast<std::size_t>(experiment)), stretch,
                            nominal_stress(*fit.model, kernel, experiment, stretch)});
  };
  part(low, first, Kind::dashed);
  part(first, last, Kind::line);
  part(last, high, Kind::dashed);
}

// A sum over the branches of a Prony series: E (rest + sum_i g_i f_i), g_i the modulus of branch i over E.
double series_response(const ViscousFit& fit, double rest, const auto& of_branch) {
  double sum = rest;
  for (const ViscousBranch& branch : fit.viscosity) sum += branch.modulus * of_branch(branch);
  return fit.modulus * sum;
}

// E(t) = E (1 + sum_i g_i exp(-t / tau_i)).
double relaxed(const ViscousFit& fit, double time) {
  return series_response(fit, 1, [&](const ViscousBranch& b) { return std::exp(-time / b.time); });
}

// E'(w) = E (1 + sum_i g_i (w tau_i)^2 / (1 + (w tau_i)^2)), w in rad/s.
double storage(const ViscousFit& fit, double frequency) {
  return series_response(fit, 1, [&](const ViscousBranch& b) {
    const double w = frequency * b.time;
    return w * w / (1 + w * w);
  });
}

// E''(w) = E sum_i g_i w tau_i / (1 + (w tau_i)^2).
double loss(const ViscousFit& fit, double frequency) {
  return series_response(fit, 0, [&](const ViscousBranch& b) {
    const double w = frequency * b.time;
    return w / (1 + w * w);
  });
}

// Keeps the pairs that logarithmic axes can show.
ChartSeries positive(ChartSeries series) {
  ChartSeries kept{series.kind, series.color, {}, {}};
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!(series.x[i] > 0 && series.y[i] > 0)) continue;
    kept.x.push_back(series.x[i]);
    kept.y.push_back(series.y[i]);
  }
  return kept;
}

std::string title_of(const ViscousFit& fit) {
  return fmt::format("{} branch{}", fit.viscosity.size(), fit.viscosity.size() == 1 ? "" : "es");
}

Chart relaxation_chart(const ViscousFit& fit, const std::vector<RelaxationCurve>& curves) {
  Chart chart{"Relaxation, " + title_of(fit),
              {"time", "s", true, {}},
              {"stress or modulus, in the file's unit", "", true, {}},
              {},
              {}};
  double low = 1e300, high = 0;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    chart.series.push_back(positive({Kind::circles, chart_color(k), curves[k].time, curves[k].modulus}));
    for (const double t : chart.series.back().x) low = std::min(low, t), high = std::max(high, t);
    // One line follows all curves.
    const std::vector<Kind> kinds = k == 0 ? std::vector{Kind::line, Kind::circles} : std::vector{Kind::circles};
    chart.keys.push_back({key_text("relaxation", curves[k].source, fit.rms[k]), chart_color(k), kinds});
  }
  ChartSeries line{Kind::line, chart_color(0), spread(low, high), {}};
  for (const double t : line.x) line.y.push_back(relaxed(fit, t));
  chart.series.push_back(line);
  return chart;
}

Chart dynamic_chart(const ViscousFit& fit, const std::vector<DynamicCurve>& curves, std::size_t first_rms) {
  constexpr double radians = 2 * std::numbers::pi;
  Chart chart{"Small oscillations, " + title_of(fit),
              {"frequency", "Hz", true, {}},
              {"modulus, in the file's unit", "", true, {}},
              {},
              {}};
  double low = 1e300, high = 0;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    std::vector<double> hertz;
    for (const double w : curves[k].frequency) hertz.push_back(w / radians);
    const auto [least, most] = std::ranges::minmax(hertz);
    low = std::min(low, least), high = std::max(high, most);
    chart.series.push_back({Kind::circles, chart_color(0), hertz, curves[k].storage});
    chart.series.push_back(positive({Kind::squares, chart_color(1), hertz, curves[k].loss}));
    chart.keys.push_back({key_text("storage modulus", curves[k].source, fit.rms[first_rms + k]),
                          chart_color(0),
                          {Kind::line, Kind::circles}});
  }
  chart.keys.push_back({"loss modulus", chart_color(1), {Kind::line, Kind::squares}});
  const std::vector<double> hertz = spread(low, high);
  ChartSeries stored{Kind::line, chart_color(0), hertz, {}}, lost{Kind::line, chart_color(1), hertz, {}};
  for (const double f : hertz) {
    stored.y.push_back(storage(fit, radians * f));
    lost.y.push_back(loss(fit, radians * f));
  }
  chart.series.push_back(stored);
  chart.series.push_back(lost);
  return chart;
}

}  // namespace

Chart stress_chart(const FitResult& fit, const std::vector<Measurement>& measurements) {
  Chart chart{fmt::format("{}, fitted with Poisson's ratio {}", fit.model->name(), fit.poisson),
              {"stretch", "", false, {1}},
              {"nominal stress", "Pa", false, {0}},
              {},
              {}};
  for (const Experiment experiment : {Experiment::uniaxial, Experiment::biaxial, Experiment::shear}) {
    const auto shade = static_cast<std::size_t>(experiment);
    double low = 1, high = 1;
    for (std::size_t k = 0; k < measurements.size(); ++k) {
      const Measurement& m = measurements[k];
      if (m.experiment != experiment) continue;
      for (const double l : m.stretch) low = std::min(low, l), high = std::max(high, l);
      chart.series.push_back({Kind::circles, chart_color(shade), m.stretch, m.stress});
      chart.keys.push_back({key_text(experiment_name(experiment), m.source, fit.rms[k] / largest_stress(m)),
                            chart_color(shade),
                            {Kind::line, Kind::circles}});
    }
    if (high > low) add_response(chart, fit, experiment, low, high);
  }
  const bool unstable = std::ranges::any_of(chart.series, [](const ChartSeries& s) { return s.kind == Kind::dashed; });
  if (unstable) chart.keys.push_back({"unstable: stress falls as strain grows", "#556070", {Kind::dashed}});
  return chart;
}

std::vector<Chart> viscous_charts(const ViscousFit& fit, const std::vector<RelaxationCurve>& relaxation,
                                  const std::vector<DynamicCurve>& dynamic) {
  std::vector<Chart> charts;
  if (!relaxation.empty()) charts.push_back(relaxation_chart(fit, relaxation));
  if (!dynamic.empty()) charts.push_back(dynamic_chart(fit, dynamic, relaxation.size()));
  return charts;
}

}  // namespace sinew::app

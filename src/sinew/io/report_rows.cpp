#include "sinew/io/report_rows.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <mutex>

#include <fmt/format.h>

#include "sinew/core/timer.h"
#include "sinew/core/version.h"
#include "sinew/io/user_cells.h"

namespace sinew {
namespace {

// JSON has no infinities: they become null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double value_or(const Json& number, double otherwise) {
  return number.is_null() ? otherwise : number.get<double>();
}

}  // namespace

Json to_json(const Energies& e) {
  return {{"kinetic", number(e.kinetic)}, {"elastic", number(e.elastic)},   {"gravity", number(e.gravity)},
          {"barrier", number(e.barrier)}, {"friction", number(e.friction)}, {"springs", number(e.springs)}};
}

Json to_json(const TimeSplit& s) {
  return {{"total", s.total},
          {"setup", s.setup},
          {"steps", s.steps},
          {"assembly", s.assembly},
          {"linear_solve", s.linear_solve},
          {"symbolic", s.symbolic},
          {"collision", s.collision},
          {"line_search", s.line_search},
          {"elimination", s.elimination},
          {"output", s.output}};
}

Json to_json(const Diagnosis& d) {
  Json json = {{"cause", cause_name(d.cause)}, {"code", cause_code(d.cause)}, {"advice", d.advice}};
  if (!d.body.empty()) {
    Json forces = Json::object();
    for (const auto& [term, force] : d.forces) forces[term] = number(force);
    json.update({{"body", d.body},
                 {"vertex", d.vertex},
                 {"position", {d.position.x(), d.position.y(), d.position.z()}},
                 {"residual", number(d.residual)},
                 {"term", d.term},
                 {"forces", forces}});
  }
  if (d.smallest_gap >= 0) json.update({{"smallest_gap", number(d.smallest_gap)}, {"closest", d.closest}});
  json.update({{"min_jacobian", number(d.min_jacobian)},
               {"flattest", d.flattest},
               {"iterations", d.iterations},
               {"line_search_steps", d.line_search_steps},
               {"projected_factorizations", d.projected_factorizations},
               {"contact_cuts", d.contact_cuts},
               {"inversion_cuts", d.inversion_cuts},
               {"shortest_step", number(d.shortest_step)},
               {"stiffness_before", number(d.stiffness_before)},
               {"stiffness_after", number(d.stiffness_after)}});
  return json;
}

Json to_json(const LevelReport& l) {
  Json json = {{"affine_iterations", l.affine_iterations},
               {"subspace_iterations", l.subspace_iterations},
               {"refinement_iterations", l.refinement_iterations},
               {"hessian_updates", l.hessian_updates},
               {"reduced_updates", l.reduced_updates},
               {"contact_updates", l.contact_updates},
               {"rejections", l.rejections},
               {"seconds",
                {{"affine", l.affine},
                 {"subspace", l.subspace},
                 {"galerkin", l.galerkin},
                 {"refinement", l.refinement},
                 {"rejected", l.rejected},
                 {"other", l.other},
                 {"cubature", l.cubature}}}};
  if (l.parts) {
    json["subspace_mean"] = number(l.parts->subspace_mean);
    json["subspace_max"] = number(l.parts->subspace_max);
    json["refinement_mean"] = number(l.parts->refinement_mean);
  }
  return json;
}

// Numbers of the last iteration and sums, and arrays with a number for each iteration.
Json to_json(const AdaptiveReport& a) {
  Json vertices = Json::array(), handles = Json::array(), errors = Json::array(), linear = Json::array();
  for (const AdaptiveIteration& i : a.iterations) {
    vertices.push_back(i.vertices);
    handles.push_back(i.handles);
    errors.push_back(number(i.error));
    linear.push_back(i.linear_iterations);
  }
  const AdaptiveIteration last = a.iterations.empty() ? AdaptiveIteration() : a.iterations.back();
  return {{"vertices", last.vertices},
          {"share", a.share},
          {"handles", last.handles},
          {"error", number(last.error)},
          {"exact_tets", a.exact_tets},
          {"renewed_regions", a.renewed},
          {"secant_regions", a.secants},
          {"dropped_vertices", a.dropped_vertices},
          {"dropped_handles", a.dropped_handles},
          {"estimates", a.estimates},
          {"refusals", a.refusals},
          {"asked_vertices", a.asked_vertices},
          {"asked_handles", a.asked_handles},
          {"iterations", {{"vertices", vertices}, {"handles", handles}, {"error", errors}, {"linear", linear}}},
          {"seconds",
           {{"regions", a.regions},
            {"oracle", a.oracle},
            {"modes", a.modes},
            {"schur", a.schur},
            {"estimate", a.estimate}}}};
}

Json sensor_json(std::span<const Sensor> sensors, std::span<const double> numbers) {
  Json json = Json::object();
  std::size_t next = 0;
  for (const Sensor& sensor : sensors) {
    Json& own = json[sensor.name] = Json::object();
    for (const SensorReading& reading : sensor.readings) {
      const std::vector<std::string_view> names = reading.numbers();
      if (names.size() == 1 && names[0].empty()) {
        own[reading.name] = number(numbers[next++]);
        continue;
      }
      Json& list = own[reading.name] = Json::array();
      for (std::size_t k = 0; k < names.size(); ++k) list.push_back(number(numbers[next++]));
    }
  }
  return json;
}

Json sensor_plots(std::span<const Sensor> sensors) {
  Json plots = Json::array();
  for (const Sensor& sensor : sensors)
    for (const SensorReading& reading : sensor.readings) {
      Json parts = Json::array();
      for (const std::string_view part : reading.numbers())
        if (!part.empty()) parts.push_back(part);
      plots.push_back({{"name", fmt::format("{}.{}", sensor.name, reading.name)},
                       {"unit", info_of(reading.quantity).unit},
                       {"parts", parts}});
    }
  return plots;
}

Json to_json(const PathReport& p) {
  return {{"length", p.length},     {"load_rate", p.load_rate},
          {"stable", p.stable()},   {"negative_pivots", p.negative_pivots},
          {"halvings", p.halvings}, {"limit_points", p.limit_points},
          {"branch", p.branch},     {"ended", p.ended}};
}

Json step_row(const StepReport& r, std::span<const Sensor> sensors) {
  Json row = {{"step", r.step},
              {"time", r.time},
              {"converged", r.converged},
              {"outcome", outcome_name(r.outcome())},
              {"residual", number(r.residual)},
              {"rounding_floor", r.rounding_floor},
              {"newton_iterations", r.newton_iterations},
              {"local_iterations", r.local_iterations},
              {"linear_iterations", r.linear_iterations},
              {"line_search_steps", r.line_search_steps},
              {"factorizations", r.factorizations},
              {"projected_factorizations", r.projected_factorizations},
              {"contacts", r.contacts},
              {"min_distance", std::isfinite(r.min_distance) ? number(r.min_distance) : Json(nullptr)},
              {"min_jacobian", number(r.min_jacobian)},
              {"contact_stiffness", number(r.contact_stiffness)},
              {"friction_iterations", r.friction_iterations},
              {"friction_converged", r.friction_converged},
              {"friction_residual", number(r.friction_residual)},
              {"energies", to_json(r.energies)},
              {"seconds", to_json(r.seconds)},
              {"peak_memory_mb", peak_memory_mb()}};
  row["seconds"]["total"] = r.seconds.steps;
  if (!r.sensors.empty()) row["sensors"] = sensor_json(sensors, r.sensors);
  if (r.levels.any) row["levels"] = to_json(r.levels);
  if (r.adaptive) row["adaptive"] = to_json(*r.adaptive);
  if (r.error) {
    row["error_estimate"] = number(r.error->estimate);
    row["motion"] = number(r.error->motion);
  }
  if (r.full_gradient)
    row["full_gradient"] = {{"whole", number(r.full_gradient->whole)},
                            {"projected", number(r.full_gradient->projected)},
                            {"min_jacobian", number(r.full_gradient->min_jacobian)}};
  row["substeps"] = r.substeps;
  if (r.path) row["path"] = to_json(*r.path);
  if (!r.instability.empty()) row["instability"] = r.instability;
  if (r.error && r.error->unstable) row["instability"] = "full_space";
  if (!r.fallback.empty()) row["fallback"] = r.fallback;
  if (!r.converged) row["reason"] = r.reason;
  if (r.diagnosis) row["diagnosis"] = to_json(*r.diagnosis);
  if (!r.warnings.empty()) row["warnings"] = r.warnings;
  return row;
}

void RunTotals::add(const Json& row) {
  steps_ = row.at("step");
  time_ = row.at("time");
  // Rows of versions before "outcome" call a step converged whose iterations were up.
  const bool budget = row.value("budget", false);
  const std::string outcome =
      row.value("outcome", outcome_name(outcome_of(row.at("converged").get<bool>() && !budget, budget)));
  if (outcome == outcome_name(Outcome::failed)) ++failed_;
  if (outcome == outcome_name(Outcome::budget)) ++budget_;
  if (!row.value("friction_converged", true)) ++friction_unconverged_;
  max_friction_residual_ =
      std::max(max_friction_residual_, value_or(row.value("friction_residual", Json()), max_friction_residual_));
  local_iterations_ += row.value("local_iterations", 0.0);
  newton_iterations_ += row.at("newton_iterations").get<long>();
  linear_iterations_ += row.at("linear_iterations").get<long>();
  max_residual_ = std::max(max_residual_, value_or(row.at("residual"), max_residual_));
  min_jacobian_ = std::min(min_jacobian_, value_or(row.at("min_jacobian"), min_jacobian_));
  const Json& distance = row.at("min_distance");
  if (!distance.is_null() && (min_distance_.is_null() || distance.get<double>() < min_distance_.get<double>())) {
    min_distance_ = distance;
  }
  energies_ = row.at("energies");
  if (row.contains("path")) {
    if (limit_points_.is_null()) limit_points_ = Json::array();
    const Json& path = row.at("path");
    for (const Json& load : path.at("limit_points"))
      limit_points_.push_back({{"step", row.at("step")},
                               {"load", load},
                               {"kind", path.at("load_rate").get<double>() < 0 ? "maximum" : "minimum"}});
  }
  const Json& s = row.at("seconds");
  seconds_.steps += s.at("steps").get<double>();
  seconds_.assembly += s.at("assembly").get<double>();
  seconds_.linear_solve += s.at("linear_solve").get<double>();
  seconds_.symbolic += s.value("symbolic", 0.0);
  seconds_.collision += s.at("collision").get<double>();
  seconds_.line_search += s.at("line_search").get<double>();
  seconds_.elimination += s.value("elimination", 0.0);
  seconds_.output += s.at("output").get<double>();
}

void RunTotals::set_start(double time, const Energies& energies) {
  time_ = time;
  energies_ = to_json(energies);
}

void RunTotals::write(Json& summary) const {
  summary["steps"] = steps_;
  summary["steps_converged"] = steps_ - budget_ - failed_;
  summary["steps_budget"] = budget_;
  summary["steps_failed"] = failed_;
  summary["friction_unconverged_steps"] = friction_unconverged_;
  summary["max_friction_residual"] = max_friction_residual_;
  summary["time"] = time_;
  summary["seconds"] = to_json(seconds_);
  summary["newton_iterations"] = newton_iterations_;
  summary["local_iterations"] = local_iterations_;
  summary["linear_iterations"] = linear_iterations_;
  summary["min_distance"] = min_distance_;
  summary["min_jacobian"] = min_jacobian_;
  summary["max_residual"] = max_residual_;
  summary["energies"] = energies_;
  if (!limit_points_.is_null()) summary["limit_points"] = limit_points_;
}

Json run_summary(const RunFacts& facts, const System& system, const RunTotals& totals) {
  Json summary = {
      {"scene", facts.scene},         {"method", facts.method},           {"vertices", system.user_vertex_count},
      {"tets", user_tets_of(system)}, {"dofs", 3 * system.dynamic_count}, {"threads", facts.threads}};
  if (const std::string& reason = system.setup.solver.method_reason; !reason.empty()) summary["method_reason"] = reason;
  totals.write(summary);
  summary["peak_memory_mb"] = peak_memory_mb();
  summary["version"] = version;
  return summary;
}

namespace {

// Not getrusage(): its maximum includes what the parent process held before this program was started.
double read_peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024.0;
  }
  return 0;
}

}  // namespace

double peak_memory_mb() {
  constexpr double interval = 0.01;  // [s]: to read it takes as long as a small step
  static std::mutex mutex;
  static Stopwatch since;
  static double peak = -1;
  const std::lock_guard<std::mutex> lock(mutex);
  if (peak < 0 || since.seconds() > interval) {
    peak = read_peak_memory();
    since.restart();
  }
  return peak;
}

}  // namespace sinew

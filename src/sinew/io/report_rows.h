// Writes the numbers of a run as JSON: a row of steps.jsonl for each step, and the summary made from the rows.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "sinew/dynamics/step_report.h"
#include "sinew/model/system.h"

namespace sinew {

using Json = nlohmann::ordered_json;

Json to_json(const Energies& energies);
Json to_json(const TimeSplit& seconds);
Json to_json(const Diagnosis& diagnosis);

// Returns a row of steps.jsonl. Numbers that do not exist, such as the smallest distance without a contact, are null. A
// step that did not converge also has "reason"; one that failed also has "diagnosis". sensors: those of the system.
Json step_row(const StepReport& report, std::span<const Sensor> sensors);

// The numbers of sensors (Simulation::sensors()) by sensor and reading: {"grip": {"force": [x, y, z], "work": w}}.
Json sensor_json(std::span<const Sensor> sensors, std::span<const double> numbers);

// The plots of sensors on the page: [{"name": "grip.force", "unit": "N", "parts": ["x", "y", "z"]}, ...]; no parts: a
// number.
Json sensor_plots(std::span<const Sensor> sensors);

// Sums, extremes and last values of a run's rows. summary.json contains these besides the facts about the run.
class RunTotals {
 public:
  // Adds one row. Throws nlohmann::json::exception if a key is missing.
  void add(const Json& row);

  int steps() const { return steps_; }
  int failed() const { return failed_; }  // number of failed steps
  int budget() const { return budget_; }
  int friction_unconverged() const { return friction_unconverged_; }  // steps whose friction updates have not settled
  double max_friction_residual() const { return max_friction_residual_; }
  TimeSplit& seconds() { return seconds_; }
  const TimeSplit& seconds() const { return seconds_; }
  void set_start(double time, const Energies& energies);  // values before the first step
  // With time.continuation: [{"step": n, "load": t, "kind": "maximum" or "minimum"}, ...]; null: another mode.
  const Json& limit_points() const { return limit_points_; }

  // Adds the totals' keys to a summary.
  void write(Json& summary) const;

 private:
  int steps_ = 0, failed_ = 0, budget_ = 0, friction_unconverged_ = 0;
  double time_ = 0;
  TimeSplit seconds_;
  long newton_iterations_ = 0, linear_iterations_ = 0;
  double local_iterations_ = 0;
  Json min_distance_;  // null: no contact so far
  double min_jacobian_ = 1, max_residual_ = 0, max_friction_residual_ = 0;
  Json energies_;
  Json limit_points_;
};

// Facts about a run that do not come from its steps.
struct RunFacts {
  std::string scene, method;
  int threads = 1;
};

// Returns the contents of summary.json.
Json run_summary(const RunFacts& facts, const System& system, const RunTotals& totals);

// Returns the largest memory of this process so far [MB].
double peak_memory_mb();

}  // namespace sinew

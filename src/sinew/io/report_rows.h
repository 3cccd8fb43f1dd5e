// The numbers of a run as JSON: a row of steps.jsonl for each step, and the summary that is made from the rows.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "sinew/dynamics/step_report.h"
#include "sinew/model/system.h"

namespace sinew {

using Json = nlohmann::ordered_json;

Json to_json(const Energies& energies);
Json to_json(const TimeSplit& seconds);
Json to_json(const Diagnosis& diagnosis);

// A row of steps.jsonl. Numbers that do not exist (the smallest distance without a contact) are null. A step that did
// not converge has "reason" besides, one that failed also "diagnosis".
Json step_row(const StepReport& report);

// The sums, extremes and last values of a run's rows: what summary.json holds beside the facts about the run.
class RunTotals {
 public:
  // Takes in one row. Throws nlohmann::json::exception when it lacks a key.
  void add(const Json& row);

  int steps() const { return steps_; }
  int failed() const { return failed_; }  // steps
  int budget() const { return budget_; }
  int friction_unconverged() const { return friction_unconverged_; }  // steps whose lagged friction has not settled
  double max_friction_residual() const { return max_friction_residual_; }
  TimeSplit& seconds() { return seconds_; }
  const TimeSplit& seconds() const { return seconds_; }
  void set_start(double time, const Energies& energies);  // the values before the first step

  // Writes its keys into a summary.
  void write(Json& summary) const;

 private:
  int steps_ = 0, failed_ = 0, budget_ = 0, friction_unconverged_ = 0;
  double time_ = 0;
  TimeSplit seconds_;
  long newton_iterations_ = 0, linear_iterations_ = 0;
  Json min_distance_;  // null: none so far
  double min_jacobian_ = 1, max_residual_ = 0, max_friction_residual_ = 0;
  Json energies_;
};

// Facts about a run that do not come from its steps.
struct RunFacts {
  std::string scene, method;
  int threads = 1;
};

// summary.json.
Json run_summary(const RunFacts& facts, const System& system, const RunTotals& totals);

// The largest memory this process held so far [MB].
double peak_memory_mb();

}  // namespace sinew

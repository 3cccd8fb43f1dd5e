// Progress of a run: steps, remaining time, shares of time. On a terminal it is a line that changes, in a log a line
// now and then.
#pragma once

#include <functional>
#include <string>

#include "sinew/core/timer.h"
#include "sinew/io/report_rows.h"

namespace sinew::app {

// "assembly 31 %, linear solve 42 %, ..." of seconds.steps, largest first.
std::string time_split_text(const TimeSplit& seconds);

// Progress of preparations. On a terminal each text replaces the line of the last one, and an empty text ends it.
// Elsewhere a line is written every `every` seconds at most.
std::function<void(const std::string&)> changing_line(double every = 30);

enum class ProgressStyle { none, bar, lines };

class Progress {
 public:
  // first, last: steps done at the start and wanted at the end. `every` [s]: between two lines. Log messages go above
  // the bar while it lives.
  Progress(int first, int last, ProgressStyle style, double every = 30);
  ~Progress();  // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Without `seconds` the line has no shares of time; without `totals` it does not count unconverged steps.
  void update(int step, const TimeSplit& seconds = {}, const RunTotals& totals = {});

  // A bar on a terminal, else lines.
  static ProgressStyle style_of_stderr(bool quiet = false);

 private:
  void draw() const;
  void erase() const;

  int first_, last_;
  ProgressStyle style_;
  double every_, told_ = 0;  // [s]
  Stopwatch watch_;
  std::string line_;
};

}  // namespace sinew::app

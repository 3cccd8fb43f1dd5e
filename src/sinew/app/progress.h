// Shows the progress of a run: steps, remaining time, shares of time. On a terminal it updates one line. In a log it
// writes a line now and then.
#pragma once

#include <functional>
#include <string>

#include "sinew/core/timer.h"
#include "sinew/io/report_rows.h"

namespace sinew::app {

// Returns "assembly 31 %, linear solve 42 %, ..." as shares of seconds.steps, largest first.
std::string time_split_text(const TimeSplit& seconds);

// Returns a function that shows the progress of preparations. On a terminal each text replaces the last line, and an
// empty text removes it. Elsewhere a line is written at most every `every` seconds.
std::function<void(const std::string&)> changing_line(double every = 30);

enum class ProgressStyle { none, bar, lines };

class Progress {
 public:
  // first, last: numbers of steps done at the start and wanted at the end. every: time between two lines [s]. While it
  // exists, log messages appear above the bar.
  Progress(int first, int last, ProgressStyle style, double every = 30);
  ~Progress();  // removes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Without `seconds` the line shows no shares of time. Without `totals` it does not count unconverged steps.
  void update(int step, const TimeSplit& seconds = {}, const RunTotals& totals = {});

  // Returns a bar if stderr is a terminal, else lines.
  static ProgressStyle style_of_stderr(bool quiet = false);

 private:
  void draw() const;
  void erase() const;

  int first_, last_;
  ProgressStyle style_;
  double every_, told_ = 0;  // times [s]
  Stopwatch watch_;
  std::string line_;
};

}  // namespace sinew::app

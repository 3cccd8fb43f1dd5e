// The progress line of a run on a terminal: steps, time left, where the time goes. Silent elsewhere.
#pragma once

#include <string>

#include "sinew/core/timer.h"
#include "sinew/io/report_rows.h"

namespace sinew::app {

// "1:02:03" or "2:03"
std::string duration_text(double seconds);

// "assembly 31 %, linear solve 42 %, ..." of seconds.steps, largest first.
std::string time_split_text(const TimeSplit& seconds);

class Progress {
 public:
  // first, last: steps done at the start and wanted at the end. Log messages go above the line while it lives.
  Progress(int first, int last, bool enabled);
  ~Progress();  // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(int step, const TimeSplit& seconds);

  // Whether messages go to a terminal.
  static bool on_terminal();

 private:
  void draw() const;
  void erase() const;

  int first_, last_;
  bool enabled_;
  Stopwatch watch_;
  std::string line_;
};

}  // namespace sinew::app

// What sinew-mesh tells while it works and when it has done.
#pragma once

#include <string>

#include "implicit_mesher.h"

#include "sinew/core/timer.h"

namespace sinew::mesher {

// On stderr the stage, the number of tets so far and the seconds: a line that renews itself where stderr is a terminal,
// else a line every half minute.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(bool quiet, bool terminal, double every);  // [s]
  ~ProgressLine();                                        // removes the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // For the options of a mesher; the line must outlive it. Empty when silent.
  ProgressFunction function();

 private:
  void update(std::string_view stage, std::size_t tets);

  bool enabled_, terminal_;
  double every_;  // [s]
  Stopwatch watch_;
  double shown_at_ = 0;  // [s]
  std::string stage_;
};

// Lines with counts, volumes, angles and edges of a mesh, and how long it took.
std::string summary_text(const TetMesh& mesh, const std::string& path, double seconds);

}  // namespace sinew::mesher

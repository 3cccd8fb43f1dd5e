// Statics along the path of equilibria (x, t): the load t is an unknown, so that the path passes limit points, at which
// the load turns (arc-length continuation).
#pragma once

#include <functional>

#include "sinew/core/archive.h"
#include "sinew/dynamics/path_system.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

// Throws InputError for scenes whose path continuation cannot follow: other methods, histories, bodies that nothing
// holds, contact without filter.
void require_continuation(const System& system, const std::string& method);

// A step: predictor along the tangent, corrector on the plane across it (Keller 1977), and the next tangent. The length
// of steps follows the number of iterations (Ramm 1981). A step that fails is halved.
class Continuation {
 public:
  Continuation(const System& system, const ContinuationSetup& settings) : system_(system), settings_(settings) {}

  // Whether the path has a tangent: a step has been taken. Without one the state must be an equilibrium.
  bool begun() const { return tangent_.x.cols() > 0; }
  bool ended() const { return ended_; }
  // The next step begins a path.
  void forget();

  // Takes a step from an equilibrium, whose time is the load, and returns its end. Throws SimulationError if the
  // smallest step fails.
  PathPoint advance(StepModel& model, const State& from, const MinimizerSettings& minimizer,
                    const std::function<void()>& check_interrupt, StepReport& report);

  void save(ArchiveWriter& archive) const;
  void load(const ArchiveReader& archive);

 private:
  // Arguments that the steps of a call share.
  struct Run {
    PathSystem& system;
    const MinimizerSettings& minimizer;
    const std::function<void()>& check_interrupt;
    StepReport& report;
  };
  void begin(PathSystem& system, const PathPoint& point);
  std::string take(Run& run, const PathPoint& from, PathPoint& end, bool& ends, int& iterations) const;
  bool land(Run& run, const PathPoint& from, PathPoint& end) const;
  PathVector next_tangent(const PathSystem& system) const;
  bool goes_on(const PathSystem& system) const;
  void adapt_length(int iterations);
  bool moved_enough(const PathPoint& point) const;

  const System& system_;
  ContinuationSetup settings_;
  PathVector tangent_;  // of length 1 (PathSystem::dot), in the direction of the path
  double length_ = 0;   // of the next step
  double motion_ = 1;   // PathSystem::motion()
  Index negative_ = 0;  // negative pivots at the last point
  bool ended_ = false;
};

}  // namespace sinew

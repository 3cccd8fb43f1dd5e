// Kinds of changes of the System by edits (model/edit.h). Stepper::adapt() passes them to methods, which recompute the
// data that depend on them.
#pragma once

namespace sinew {

enum class Change {
  values,     // nothing to recompute: each step reads the values
  time_step,  // the step size, so that the history of steps is invalid
  friction,
  materials,
  fibers,  // active tensions
  springs,
  loads,
  pulls,
  forces,  // System::added_forces
  method,  // everything: another method, or other prescribed coordinates
};

}  // namespace sinew

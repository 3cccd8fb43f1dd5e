// Kinds of change after an edit of the System (model/edit.h). Stepper::adapt() tells methods, which renew what depends
// on it.
#pragma once

namespace sinew {

enum class Change {
  values,     // nothing: each step reads them
  time_step,  // the history of steps, which had another size
  friction,
  materials,
  springs,
  loads,
  pulls,
  method,  // all: another method, or other prescribed coordinates
};

}  // namespace sinew

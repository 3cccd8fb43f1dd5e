// The numbers of a scene that may change between steps, one row each. A row gives the bounds and texts of its key in
// the schema of scenes, and Python's set_NAME. It also gives the slider, messages and recordings of live sessions, the
// entry in checkpoints, and the lines in the docs. To add a number, write a row here with its effect on the System,
// then run scripts/scene_reference.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/model/change.h"
#include "sinew/model/system.h"

namespace sinew {

struct SliderRange {
  double least = 0, most = 0;
  bool log = false;
};

struct LiveScalar {
  const char* key;       // of a scene
  const char* name;      // of Python's set_NAME and in checkpoints
  const char* argument;  // of set_NAME
  const char* unit = "";
  std::size_t size = 1;      // 3: a vector
  double least = 0, most;    // of each number
  bool above_least = false;  // least itself is too small
  bool whole = false;        // numbers without fractions
  const char* title;         // of the key in the schema
  const char* text = "";     // likewise
  const char* effect = "";   // of a change
  Change change = Change::values;
  std::vector<double> (*get)(const System& system);  // NaN: left to the method ("auto")
  void (*set)(System& system, std::span<const double> value);
  SliderRange (*slider)(std::span<const double> start);
  // Why it cannot change in this system, or null.
  const char* (*refusal)(const System& system) = [](const System&) -> const char* { return nullptr; };
};

std::span<const LiveScalar> live_scalars();

// Null where there is none.
const LiveScalar* find_live_scalar(const std::string& key);

// Throws InputError where the system does not take the value.
void require_live_scalar(const System& system, const LiveScalar& scalar, std::span<const double> value);

}  // namespace sinew

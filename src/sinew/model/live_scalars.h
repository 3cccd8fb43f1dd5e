// The table of a scene's numbers that may change between steps, one row for each number. A row gives the bounds and
// texts of its key in the schema of scenes, and Python's set_NAME. It also gives the slider, messages and recordings of
// live sessions, the entry in checkpoints, and the lines in the docs. To add a number, write a row here with its effect
// on the System, then run scripts/scene_reference.
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
  const char* key;       // key of a scene
  const char* name;      // as in Python's set_NAME and in checkpoints
  const char* argument;  // name of set_NAME's argument
  const char* unit = "";
  std::size_t size = 1;      // number of components; 3: a vector
  double least = 0, most;    // bounds of each component
  bool above_least = false;  // whether `least` itself is not allowed
  bool whole = false;        // whether the components are integers
  const char* title;         // title of the key in the schema
  const char* text = "";     // description of the key in the schema
  const char* effect = "";   // effect of a change, for the docs
  Change change = Change::values;
  std::vector<double> (*get)(const System& system);  // NaN: the method chooses ("auto")
  void (*set)(System& system, std::span<const double> value);
  SliderRange (*slider)(std::span<const double> start);
  // Returns why the number cannot change in this system, or null.
  const char* (*refusal)(const System& system) = [](const System&) -> const char* { return nullptr; };
};

std::span<const LiveScalar> live_scalars();

// Returns the row of a key, or null.
const LiveScalar* find_live_scalar(const std::string& key);

// Throws InputError if the system does not accept the value.
void require_live_scalar(const System& system, const LiveScalar& scalar, std::span<const double> value);

}  // namespace sinew

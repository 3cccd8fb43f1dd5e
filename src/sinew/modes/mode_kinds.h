// The kinds of modes of bodies at rest, by name. To add a kind, write a pair of files and a row in mode_kinds.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/nonlinear_modes.h"

namespace sinew {

struct ModeOptions {
  ModeCount count;
  bool rigid = true;               // whether motions without strain are included, if the kind has them
  InertiaOptions inertia;          // for inertia modes and their derivatives
  NonlinearModeOptions nonlinear;  // for derivatives; the kind sets its basis and `inertia`
};

struct ModeKind {
  const char* name;
  const char* summary;
  bool is_nonlinear;  // whether ModeOptions::nonlinear has an effect
  bool is_inertia;    // whether ModeOptions::inertia has an effect
  const char* end;    // why there may be fewer modes than coordinates
  ModeSet (*make)(const System& system, const std::vector<char>& fixed, const ModeOptions& options);
};

std::span<const ModeKind> mode_kinds();
std::vector<std::string> mode_kind_names();
// Returns the kind of this name, or null.
const ModeKind* find_mode_kind(const std::string& name);

}  // namespace sinew

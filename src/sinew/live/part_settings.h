// Numbers of the parts of a scene that viewers see and change: springs and pressures with a name, activations of
// fibers, friction of pairs with a coefficient of their own.
#pragma once

#include <string>
#include <vector>

#include "sinew/model/edit.h"
#include "sinew/model/live_scalars.h"

namespace sinew {

struct PartSetting {
  std::string key;    // such as springs.arm.tendon.length
  std::string group;  // to which the page puts it
  std::string title, unit;
  double value = 0;
  SliderRange range;
};

std::vector<PartSetting> part_settings(const System& system);

// Returns the edits that set a key of part_settings(); empty: the key is none of them.
std::vector<Edit> part_edits(const System& system, const std::string& key, double value);

}  // namespace sinew

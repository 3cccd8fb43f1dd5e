// How many modes are asked for, and by whom.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "sinew/modes/rest_body.h"

namespace sinew {

struct ModeCount {
  Index number = 20;
  std::string key = "count";  // as errors name it ("solver.handles"); empty: nobody asked, fewer will do

  ModeCount() = default;
  ModeCount(Index number) : number(number) {}  // NOLINT: a number is a count
  ModeCount(Index number, std::string key) : number(number), key(std::move(key)) {}
};

// Of all bodies: how many modes can be independent.
struct ModeFreedom {
  Index coordinates = 0;  // that move
  Index rigid = 0;        // motions without strain: K has no other kernel
  Index elastic() const { return coordinates - rigid; }
};
ModeFreedom mode_freedom(std::span<const RestBody> bodies);

// The modes to make: the number asked for, or as many as there can be where nobody asked. Throws InputError where more
// are asked for. kind: of the modes; rigid: whether motions without strain are among them.
Index modes_to_make(std::span<const RestBody> bodies, const ModeCount& count, const std::string& kind, bool rigid);

}  // namespace sinew

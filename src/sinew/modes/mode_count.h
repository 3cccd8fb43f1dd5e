// The requested number of modes, and the key that requests it.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "sinew/modes/rest_body.h"

namespace sinew {

struct ModeCount {
  Index number = 20;
  std::string key = "count";  // as errors name it ("solver.handles"); empty: a default, fewer are fine

  ModeCount() = default;
  ModeCount(Index number) : number(number) {}  // NOLINT: a number is a count
  ModeCount(Index number, std::string key) : number(number), key(std::move(key)) {}
};

// The number of independent modes of all bodies.
struct ModeFreedom {
  Index coordinates = 0;  // that move
  Index rigid = 0;        // motions without strain: K has no other kernel
  Index elastic() const { return coordinates - rigid; }
};
ModeFreedom mode_freedom(std::span<const RestBody> bodies);

// Returns the number of modes to make: the requested one, or for a default at most the possible one. Throws InputError
// if more are requested than possible. kind: of the modes. rigid: whether motions without strain are among them.
Index modes_to_make(std::span<const RestBody> bodies, const ModeCount& count, const std::string& kind, bool rigid);

}  // namespace sinew

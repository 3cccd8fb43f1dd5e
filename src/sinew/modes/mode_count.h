// The requested number of modes, and the key that requests it.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "sinew/modes/rest_body.h"

namespace sinew {

struct ModeCount {
  Index number = 20;
  std::string key = "count";  // name in errors ("solver.handles"); empty: the number is a default, and fewer are fine

  ModeCount() = default;
  ModeCount(Index number) : number(number) {}  // NOLINT: a number is a count
  ModeCount(Index number, std::string key) : number(number), key(std::move(key)) {}
};

// The number of independent motions of all bodies.
struct ModeFreedom {
  Index coordinates = 0;  // coordinates that are not fixed
  Index rigid = 0;        // motions without strain, which are the whole kernel of K
  Index elastic() const { return coordinates - rigid; }
};
ModeFreedom mode_freedom(std::span<const RestBody> bodies);

// Returns the number of modes to make: the requested number or, for a default, at most the possible number. Throws
// InputError if more are requested than possible. kind: name of the modes' kind. rigid: whether motions without strain
// are among the modes.
Index modes_to_make(std::span<const RestBody> bodies, const ModeCount& count, const std::string& kind, bool rigid);

}  // namespace sinew

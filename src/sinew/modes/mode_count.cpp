#include "sinew/modes/mode_count.h"

#include <algorithm>

#include "sinew/core/error.h"

namespace sinew {

ModeFreedom mode_freedom(std::span<const RestBody> bodies) {
  ModeFreedom freedom;
  for (const RestBody& body : bodies) {
    freedom.coordinates += body.free_count();
    freedom.rigid += static_cast<Index>(body.rigid().cols());
  }
  return freedom;
}

Index modes_to_make(std::span<const RestBody> bodies, const ModeCount& count, const std::string& kind, bool rigid) {
  const ModeFreedom freedom = mode_freedom(bodies);
  const Index most = rigid ? freedom.coordinates : freedom.elastic();
  if (count.number <= most) return count.number;
  if (count.key.empty()) return most;
  if (most == 0)
    fail_input(code::modes,
               "{}: found {} modes of kind \"{}\", but no tet {}; free some vertices, or add a body of tets", count.key,
               count.number, kind, freedom.coordinates == 0 ? "has a vertex that can move" : "can be strained");
  if (rigid)
    fail_input(code::modes,
               "{}: found {} modes of kind \"{}\", expected at most {}, the number of free coordinates; ask for fewer",
               count.key, count.number, kind, most);
  fail_input(code::modes,
             "{}: found {} modes of kind \"{}\", expected at most {}: {} free coordinates less {} rigid motions; ask "
             "for fewer",
             count.key, count.number, kind, most, freedom.coordinates, freedom.rigid);
}

}  // namespace sinew

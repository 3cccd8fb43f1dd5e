// The start of bodies that overlap at rest, as for a press fit (contact.interference).
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Finds a start without overlap for each pair of System::interferences. The softer body of the pair yields where it is
// inside the other one, up to the contact distance. Its inside comes to elastic equilibrium. Sets the start and the
// steps over which springs hold it (System::interference_start, interference_steps). Throws InputError naming the pair
// if no such start is found.
//
// A start without overlap keeps every later state free of intersections, with the contact model unchanged. The
// alternative, a contact distance that begins negative, has no meaning for unsigned distances of edges.
void start_interferences(System& system);

}  // namespace sinew

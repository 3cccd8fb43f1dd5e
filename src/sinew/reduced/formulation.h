// How elasticity enters methods over points of tets.
#pragma once

namespace sinew {

// Standard finite elements, or mixed ones with stretches of their own.
enum class Formulation { standard, mixed };

}  // namespace sinew

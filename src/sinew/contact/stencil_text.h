// Describes contacts in words, for messages.
#pragma once

#include <string>
#include <utility>

#include "sinew/contact/stencil.h"
#include "sinew/model/system.h"

namespace sinew {

// The owners of the two sides of a stencil, as in CollisionMesh.
std::pair<Index, Index> stencil_owners(const CollisionMesh& mesh, const ContactStencil& stencil);

// "vertex 3 of body 'cube' and triangle (0, 1, 2) of obstacle 'wall'", with numbers as in the meshes' files.
std::string stencil_text(const System& system, const ContactStencil& stencil);

}  // namespace sinew

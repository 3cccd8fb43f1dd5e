// Reads the preload of a bolt.
#pragma once

#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/setup.h"
#include "sinew/scene/node.h"
#include "sinew/scene/selection.h"

namespace sinew {

// number: of the bolt in its body's list. mesh: that of the body after its transform. Throws InputError.
BoltSetup read_bolt(const Node& node, std::size_t number, const TetMesh& mesh, const Selector& selector);

}  // namespace sinew

// Keyframes, motions, axes and transforms of the scene format.
#pragma once

#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/motion.h"
#include "sinew/scene/node.h"

namespace sinew {

// {times, values}: 1 x k from numbers, 3 x k from vectors (a mixture becomes 3 x k). `values` names the second key.
// Throws InputError when the numbers of times and values differ or times do not ascend strictly.
Keyframes read_keyframes(const Node& node, const char* values = "values");

Motion read_motion(const Node& node);

// A unit direction from "x", "y", "z" or a vector.
Vec3 read_axis(const Node& node);

// Scales, rotates and translates a mesh in place; a mirroring one turns its elements so that they stay positive.
void apply_transform(const Node& transform, TetMesh& mesh);
void apply_transform(const Node& transform, TriMesh& mesh);

}  // namespace sinew

// Reads keyframes, motions, axes and transforms of the scene format.
#pragma once

#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/motion.h"
#include "sinew/scene/node.h"

namespace sinew {

// Reads {times, values}: 1 x k from numbers, 3 x k from vectors or from a mixture of both. values: name of the second
// key. Throws InputError if the numbers of times and values differ, or if times do not ascend strictly.
Keyframes read_keyframes(const Node& node, const char* values = "values");
// Sets the number, or the keys if the node has them.
void read_number_or_keys(const Node& node, double& number, Keyframes& keys);

Motion read_motion(const Node& node);

// Returns the unit direction of "x", "y", "z" or a vector.
Vec3 read_axis(const Node& node);

// Scales, rotates and translates a mesh in place. If the transform mirrors, elements are reordered so that their
// volumes stay positive.
void apply_transform(const Node& transform, TetMesh& mesh);
void apply_transform(const Node& transform, TriMesh& mesh);

}  // namespace sinew

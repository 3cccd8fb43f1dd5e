// Sharp edges of common solids, as polylines that meet at their ends.
#pragma once

#include <vector>

#include "solid.h"

namespace sinew::mesher {

// Edges of a box whose faces are parallel to the axes, and the rectangles where planes at heights `levels` (ascending,
// between bottom and top) cut its sides.
void add_box_edges(const Eigen::AlignedBox3d& box, std::vector<Polyline>& features,
                   const std::vector<double>& levels = {});

// Pieces of a line no longer than `chord`, at least `least`, and no more than any mesh can follow.
int chord_count(double length, double chord, int least);

// A circle around the z axis, of chords no longer than `chord`.
Polyline circle_around_z(double radius, double z, double chord);

// The box with a margin of `part` of its diagonal, but at most of its shortest side, on all sides.
Eigen::AlignedBox3d with_margin(const Eigen::AlignedBox3d& box, double part = 0.02);

// The box of the given extents around the origin.
Eigen::AlignedBox3d centred_box(const Vec3& size);

}  // namespace sinew::mesher

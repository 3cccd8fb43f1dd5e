// The signed distance to a closed curve in the plane, from a table.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew::mesher {

// A closed smooth curve through the points (Catmull-Rom), `steps` chords between two of them.
std::vector<Eigen::Vector2d> closed_spline(const std::vector<Eigen::Vector2d>& points, int steps);

class OutlineField {
 public:
  // Negative inside the closed polygon. Tabulated on a grid of that spacing, up to `margin` beyond the polygon [m].
  OutlineField(const std::vector<Eigen::Vector2d>& polygon, double spacing, double margin);

  // Interpolated; beyond the margin the value at its border.
  double operator()(double x, double y) const;

  const Eigen::AlignedBox2d& bounds() const { return bounds_; }  // of the polygon

 private:
  Eigen::AlignedBox2d bounds_;
  Eigen::Vector2d origin_;
  double inv_spacing_;
  Eigen::MatrixXd table_;
};

}  // namespace sinew::mesher

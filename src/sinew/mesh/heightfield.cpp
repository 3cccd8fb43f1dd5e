#include "sinew/mesh/heightfield.h"

#include "sinew/core/error.h"

namespace sinew {

TriMesh make_heightfield(const MatX& heights, const std::array<double, 2>& size, Axis up) {
  const Eigen::Index rows = heights.rows(), columns = heights.cols();
  if (rows < 2 || columns < 2)
    fail_input(code::scene_value, "heightfield: found {} x {} heights, expected at least 2 x 2", rows, columns);
  TriMesh mesh = make_sheet(size, {static_cast<Index>(columns) - 1, static_cast<Index>(rows) - 1}, up);
  for (Eigen::Index row = 0; row < rows; ++row)
    for (Eigen::Index column = 0; column < columns; ++column)
      mesh.vertices(static_cast<int>(up), column + columns * row) = heights(row, column);
  return mesh;
}

}  // namespace sinew

#include "sinew/reduced/substructure_shapes.h"

#include <algorithm>

namespace sinew {
namespace {

// C of frame_coordinates.h, transposed: a column an axis, and phi = [1; X - c; U_1; ..; U_r].
void add_floating(const System& system, const Substructure& sub, Index begin, ShapeFunctions& shape) {
  shape.block.unknowns = 4 + 3 * sub.mode_count();
  shape.block.column = {0, 1, 2};
  shape.block.where.resize(shape.block.unknowns, 3);
  for (Index j = 0; j < shape.block.unknowns; ++j)
    for (int a = 0; a < 3; ++a) shape.block.where(j, a) = begin + 3 * j + a;
  shape.add = [&system, &sub](Index v, int, double factor, double* sum) {
    sum[0] += factor;
    Eigen::Map<Vec3>(sum + 1) += factor * (system.rest.col(sub.vertices[v]) - sub.center);
    for (Index j = 0; j < sub.mode_count(); ++j)
      Eigen::Map<Vec3>(sum + 4 + 3 * j) += factor * sub.modes.col(j).segment<3>(3 * v);
  };
}

// u_a = [U | U_D]_a [q; q_D], with four numbers of each motion along each axis.
void add_held(const Substructure& sub, const FrameCoordinates& frames, Index begin, ShapeFunctions& shape) {
  const Index r = sub.mode_count(), motions = static_cast<Index>(sub.prescribed.cols() / 4);
  shape.block.unknowns = r;
  shape.block.column = {0, 0, 0};
  shape.block.where.resize(r + 12 * motions, 1);
  for (Index j = 0; j < r; ++j) shape.block.where(j) = begin + j;
  for (Index j = 0; j < 12 * motions; ++j) shape.block.where(r + j) = frames.prescribed_begin() + j;
  shape.by_axis = true;
  shape.add = [&sub, r, motions](Index v, int axis, double factor, double* sum) {
    Eigen::Map<VecX>(sum, r) += factor * sub.modes.row(3 * v + axis).transpose();
    for (Index m = 0; m < motions; ++m)
      Eigen::Map<Eigen::Vector4d>(sum + r + 12 * m + 4 * axis) +=
          factor * sub.prescribed.row(3 * v + axis).segment<4>(4 * m).transpose();
  };
}

}  // namespace

// phi(X) of each part, for the sums over the mesh that make masses and loads once (potential/quadratic_terms.h).
std::vector<ShapeFunctions> substructure_shapes(const System& system, const std::vector<Substructure>& parts,
                                                const FrameCoordinates& coordinates) {
  const bool is_warped = std::ranges::any_of(parts, &Substructure::is_warped);
  std::vector<ShapeFunctions> shapes;
  for (Index p = 0; p < static_cast<Index>(parts.size()); ++p) {
    const Substructure& sub = parts[p];
    ShapeFunctions& shape = shapes.emplace_back();
    if (sub.floats)
      add_floating(system, sub, coordinates.y_begin(p), shape);
    else
      add_held(sub, coordinates, coordinates.y_begin(p), shape);
    shape.vertices = sub.vertices;
    shape.mass = {sub.mass.data(), static_cast<std::size_t>(sub.mass.size())};
    shape.weighs = !is_warped || sub.floats;
    shape.is_loaded = !is_warped;
  }
  return shapes;
}

}  // namespace sinew

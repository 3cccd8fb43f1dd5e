// A contact with its geometry, its forces and its slip, for reports.
#pragma once

#include <array>
#include <tuple>

#include "sinew/core/types.h"

namespace sinew {

// Two sides touch at their closest points. The first side consists of the first `first` vertices. Forces on the second
// side are opposite.
struct ContactRow {
  std::array<Index, 4> v{-1, -1, -1, -1};  // vertices; -1 where the contact has fewer
  int first = 1;
  Index plane = -1;  // the analytic plane that is the second side; -1: none
  // Weights of the vertices in the closest points: those of the first side add up to 1, the others to -1, or to 0 for a
  // plane.
  Eigen::Vector4d c = Eigen::Vector4d::Zero();
  Vec3 point = Vec3::Zero();     // midway between the closest points [m]
  Vec3 normal = Vec3::Zero();    // unit, from the second side to the first
  double gap = 0;                // distance less thickness [m]
  double area = 0;               // over which the contact integrates the pressure [m^2]
  double normal_force = 0;       // along the normal on the first side [N]
  Vec3 friction = Vec3::Zero();  // on the first side [N]
  Vec3 slip = Vec3::Zero();      // tangential velocity of the first side relative to the second [m/s]
  // Moment about `point` of the forces on the vertices of each side [N m].
  std::array<Vec3, 2> couple{Vec3::Zero(), Vec3::Zero()};
};

// Whether two rows are one contact: its vertices, sides and plane.
inline auto key_of(const ContactRow& row) {
  return std::tuple(row.v, row.first, row.plane);
}

// Changes the signs of weights and normal if those of the first side are negative: closest points of edges may be in
// either order (contact/distance_derivatives.h).
void orient_row(ContactRow& row);
// Sets `point` from the other entries at positions x. offset: distance at which the sides touch [m].
void place_row(const Points& x, double offset, ContactRow& row);
// Adds the moments of forces on the vertices [N] to the couples.
void add_couples(const Points& x, const std::array<Vec3, 4>& force, ContactRow& row);

}  // namespace sinew

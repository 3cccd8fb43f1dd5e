#include "sinew/reduced/material_points.h"

namespace sinew {

// A fixed weighted mean of vertices of one part, as rows of its functions (theory, section 9):
//
//   x = w t + R (X + U q)   with w = sum of weights, X = sum w_v (X_v - c), U = sum w_v U_v,
//
// or X + U q + U_D q_D of a part that is constrained. Nothing of the mesh is needed after this.
MaterialPoint make_material_point(const System& system, const std::vector<Substructure>& parts, Index part,
                                  std::span<const std::pair<Index, double>> vertices) {
  const Substructure& sub = parts[part];
  MaterialPoint point;
  point.part = part;
  point.modes.setZero(3, sub.mode_count());
  point.prescribed.setZero(3, sub.prescribed.cols());
  if (sub.is_warped()) point.turns.setZero(3, sub.mode_count());
  const Vec3 origin = sub.floats ? sub.center : Vec3::Zero();
  for (const auto& [vertex, weight] : vertices) {
    const Index v = sub.local(vertex);
    point.weight += weight;
    point.rest += weight * (system.rest.col(vertex) - origin);
    point.modes += weight * sub.modes.middleRows(3 * v, 3);
    if (point.prescribed.size() > 0) point.prescribed += weight * sub.prescribed.middleRows(3 * v, 3);
    if (sub.is_warped()) point.turns += weight * sub.turns.middleRows(3 * v, 3);
  }
  if (sub.is_warped()) point.turns /= point.weight;
  return point;
}

// Points by parts: those of one part are a dense matrix, and their places one product.
MaterialPoints::MaterialPoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                               std::vector<MaterialPoint> points)
    : parts_(parts), coordinates_(coordinates), groups_(parts.size()) {
  for (const MaterialPoint& point : points) {
    Group& group = groups_[point.part];
    place_.push_back(static_cast<Index>(group.point.size()));
    group.point.push_back(static_cast<Index>(part_.size()));
    part_.push_back(point.part);
  }
  for (Group& group : groups_) {
    const auto m = static_cast<Index>(group.point.size());
    if (m == 0) continue;
    const MaterialPoint& first = points[group.point[0]];
    group.weight.resize(m);
    group.rest.resize(3, m);
    group.modes.resize(3 * m, first.modes.cols());
    group.prescribed.resize(3 * m, first.prescribed.cols());
    group.moved.resize(3 * m);
    group.place.resize(3, m);
    for (Index k = 0; k < m; ++k) {
      const MaterialPoint& point = points[group.point[k]];
      group.weight[k] = point.weight;
      group.rest.col(k) = point.rest;
      group.modes.middleRows(3 * k, 3) = point.modes;
      if (point.prescribed.size() > 0) group.prescribed.middleRows(3 * k, 3) = point.prescribed;
    }
    if (first.turns.size() == 0) continue;
    group.straight_rest = group.rest;
    group.straight_modes = group.modes;
    group.turns.resize(3 * m, first.modes.cols());
    for (Index k = 0; k < m; ++k) group.turns.middleRows(3 * k, 3) = points[group.point[k]].turns;
    group.turned.resize(3 * m);
    group.by_modes.resize(m);
    group.by_turns.resize(m);
    group.q.setZero(first.modes.cols());  // D = U there
  }
}

// Warped points (theory, section 9, "Modal warping"): D = R U + d(R u)/dw Psi and the offset R u - D q at u = U q, w
// = Psi q, column by column; kept while q stays.
void MaterialPoints::linearize(Group& group, const Eigen::Ref<const VecX>& q) {
  if (group.turns.size() == 0 || group.q == q) return;
  group.moved.noalias() = group.straight_modes * q;
  group.turned.noalias() = group.turns * q;
  const auto m = static_cast<Index>(group.point.size());
  for (Index k = 0; k < m; ++k) {
    const Vec3 u = group.moved.segment<3>(3 * k), w = group.turned.segment<3>(3 * k);
    const WarpedVector warped = warp(w, u);
    group.by_modes[k] = warped.turn;
    group.by_turns[k] = warped.by_turn;
    group.rest.col(k) = group.straight_rest.col(k) + warped.place - warped.turn * u - warped.by_turn * w;
  }
  for (Index j = 0; j < q.size(); ++j)
    for (Index k = 0; k < m; ++k)
      group.modes.col(j).segment<3>(3 * k) = group.by_modes[k] * group.straight_modes.col(j).segment<3>(3 * k) +
                                             group.by_turns[k] * group.turns.col(j).segment<3>(3 * k);
  group.q = q;
}

// Derivatives at this placement from here on.
void MaterialPoints::settle(const Placement& at) {
  for (Index p = 0; p < static_cast<Index>(groups_.size()); ++p) linearize(groups_[p], coordinates_.modes(p, at.z));
}

// X + U q or X + R(Psi q) U q of all points, in the axes of the part.
void MaterialPoints::place(Group& group, const Eigen::Ref<const VecX>& q) {
  if (group.turns.size() == 0) {
    group.moved.noalias() = group.modes * q;
    group.place = group.rest + group.moved.reshaped(3, group.rest.cols());
    return;
  }
  group.moved.noalias() = group.straight_modes * q;
  group.turned.noalias() = group.turns * q;
  for (Index k = 0; k < group.rest.cols(); ++k)
    group.place.col(k) =
        group.straight_rest.col(k) + warp_place(group.turned.segment<3>(3 * k), group.moved.segment<3>(3 * k));
}

// x at a placement. A row of U_D acts on the four numbers that each prescribed motion has along its axis.
void MaterialPoints::positions(const Placement& at, Points& out) {
  for (Index p = 0; p < static_cast<Index>(groups_.size()); ++p) {
    Group& group = groups_[p];
    const auto m = static_cast<Index>(group.point.size());
    if (m == 0) continue;
    place(group, coordinates_.modes(p, at.z));
    const Index motions = static_cast<Index>(group.prescribed.cols() / 4), prescribed = coordinates_.prescribed();
    for (Index k = 0; k < m; ++k) {
      Vec3 x = group.place.col(k);
      if (parts_[p].floats) {
        x = group.weight[k] * at.shift[p] + at.turn[p] * x;
      } else {
        for (Index i = 0; i < motions; ++i)
          for (int a = 0; a < 3; ++a)
            x[a] += group.prescribed.row(3 * k + a).segment<4>(4 * i).dot(
                at.z.segment<4>(at.z.size() - prescribed + 12 * i + 4 * a));
      }
      out.col(group.point[k]) = x;
    }
  }
}

// dx = w s + R (R^T w_turn x (X + U q) + U dq) for rates (s, w_turn, dq) of the unknowns.
void MaterialPoints::motions(const Placement& at, const MatX& d, Points& out) {
  settle(at);
  for (Index p = 0; p < static_cast<Index>(groups_.size()); ++p) {
    Group& group = groups_[p];
    const auto m = static_cast<Index>(group.point.size());
    if (m == 0) continue;
    const Substructure& part = parts_[p];
    const auto own = d.col(0).segment(coordinates_.begin(p), part.freedom());
    if (!part.floats) {
      group.moved.noalias() = group.modes * own;
      for (Index k = 0; k < m; ++k) out.col(group.point[k]) = group.moved.segment<3>(3 * k);
      continue;
    }
    // R (W x (X + U q) + U dq) with the turn W in the axes of the body
    const Vec3 shift = own.head<3>(), turn = at.turn[p].transpose() * own.segment<3>(3);
    group.moved.noalias() = group.modes * coordinates_.modes(p, at.z);
    for (Index k = 0; k < m; ++k)
      out.col(group.point[k]) = turn.cross(Vec3(group.rest.col(k) + group.moved.segment<3>(3 * k)));
    group.moved.noalias() = group.modes * own.tail(part.mode_count());
    for (Index k = 0; k < m; ++k)
      out.col(group.point[k]) =
          group.weight[k] * shift + at.turn[p] * Vec3(out.col(group.point[k]) + group.moved.segment<3>(3 * k));
  }
}

// u = C phi; where warped, w (t - c) + (I + C_R) (X + R(Psi q) U q) + w c with the q of y itself, which where y is no
// position differs by the square of the step.
void MaterialPoints::combined(const MatX& y, Points& out) {
  for (Index p = 0; p < static_cast<Index>(groups_.size()); ++p) {
    Group& group = groups_[p];
    const auto m = static_cast<Index>(group.point.size());
    if (m == 0) continue;
    const Index r = parts_[p].mode_count(), motions = static_cast<Index>(group.prescribed.cols() / 4);
    const bool warped = group.turns.size() > 0;
    if (warped) {
      coordinates_.modes_of(p, y, combined_);
      place(group, combined_);
    }
    for (Index k = 0; k < m; ++k) {
      Vec3 x = warped ? Vec3(group.place.col(k)) : Vec3(group.rest.col(k));
      if (parts_[p].floats) {
        const auto C = coordinates_.ambient(p, y);
        x += group.weight[k] * (parts_[p].center + C.col(0)) + C.middleCols<3>(1) * x;
        for (Index j = 0; j < r && !warped; ++j) x += C.middleCols<3>(4 + 3 * j) * group.modes.block<3, 1>(3 * k, j);
      } else {
        if (!warped) x += modes(group, k) * coordinates_.q_of(p, y);
        for (Index i = 0; i < motions; ++i)
          for (int a = 0; a < 3; ++a)
            x[a] += group.prescribed.row(3 * k + a).segment<4>(4 * i).dot(
                y.col(0).segment<4>(coordinates_.prescribed_begin() + 12 * i + 4 * a));
      }
      out.col(group.point[k]) = x;
    }
  }
}

void MaterialPoints::add_gradient(const Points& f, MatX& G) const {
  for (Index s = 0; s < count(); ++s)
    if (!f.col(s).isZero(0)) add_gradient(s, f.col(s), G);
}

// G_C += f phi^T with phi = [w; X; U_1; ..; U_r]: the gradient by the linear coordinates C.
void MaterialPoints::add_gradient(Index point, const Vec3& f, MatX& G) const {
  const Index p = part_[point], k = place_[point];
  const Group& group = groups_[p];
  if (!parts_[p].floats) {
    coordinates_.q_of(p, G).noalias() += modes(group, k).transpose() * f;
    return;
  }
  auto C = coordinates_.ambient(p, G);
  C.col(0) += group.weight[k] * f;
  C.middleCols<3>(1) += f * group.rest.col(k).transpose();
  for (Index j = 0; j < parts_[p].mode_count(); ++j)
    C.middleCols<3>(4 + 3 * j) += f * group.modes.block<3, 1>(3 * k, j).transpose();
}

// J = dx/d(unknowns), 3 x freedom, at a placement.
void MaterialPoints::row(const Placement& at, Index point, Eigen::Ref<Eigen::Matrix3Xd> J) const {
  const Index p = part_[point], k = place_[point], r = parts_[p].mode_count();
  const Group& group = groups_[p];
  if (!parts_[p].floats) {
    J.leftCols(r) = modes(group, k);
    return;
  }
  const Mat3& R = at.turn[p];
  Vec3 arm = group.rest.col(k);
  const auto q = coordinates_.modes(p, at.z);
  for (Index j = 0; j < r; ++j) arm += q[j] * group.modes.block<3, 1>(3 * k, j);
  frame_row(R, group.weight[k], R * arm, modes(group, k), J);
}

}  // namespace sinew

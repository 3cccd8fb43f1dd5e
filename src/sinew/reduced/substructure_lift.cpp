#include "sinew/reduced/substructure_lift.h"

#include <cmath>

#include <Eigen/SVD>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {

SubstructureLift::SubstructureLift(const System& system, const std::vector<Substructure>& parts,
                                   const FrameCoordinates& coordinates, std::vector<FrameInertia>& inertia)
    : system_(system), parts_(parts), frames_(coordinates), inertia_(inertia) {}

void SubstructureLift::displacements(const MatX& y, Points& u, std::span<const Index> vertices) const {
  frames_.place(y, placement_);
  lift_by(y, placement_, true, vertices, u);
}

void SubstructureLift::motions(const MatX& at, const MatX& v, Points& u, std::span<const Index> vertices) const {
  frames_.place(at, placement_);
  lift_by(v, placement_, false, vertices, u);
}

// u at all vertices from coordinates y, or velocities and accelerations from theirs (is_position false, without
// constants). With C = [t - c | R - I | R q_1 | ...] of a part that floats (theory, section 9, "Frames"),
//
//   u = C_0 + C_R (X - c) + sum_j C_j U_j,      u = U q + U_D q_D  of a part that is held,
//
// and the mean by mass where parts share a vertex. Warped parts have local modes D and an offset o in place of U.
void SubstructureLift::lift_by(const MatX& y, const Placement& at, bool is_position, std::span<const Index> vertices,
                               Points& u) const {
  u.setZero(3, system_.dynamic_count);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const Substructure& part = parts_[p];
    // A part is one of a body.
    if (!vertices.empty() && system_.vertex_body[part.vertices[0]] != system_.vertex_body[vertices[0]]) continue;
    const Index r = part.mode_count(), motions = static_cast<Index>(part.prescribed.cols() / 4);
    parallel_for(part.vertex_count(), [&](std::size_t i) {
      const auto v = static_cast<Index>(i);
      const Index vertex = part.vertices[v];
      LocalModes local;
      local.offset.setZero();
      if (part.is_warped()) {
        linearize_warp(part.modes.middleRows(3 * v, 3), part.turns.middleRows(3 * v, 3), frames_.modes(p, at.z), local);
      }
      const auto modes = [&]() -> Eigen::Ref<const MatX> {
        if (part.is_warped()) return local.modes;
        return part.modes.middleRows(3 * v, 3);
      }();
      Vec3 moved = is_position ? local.offset : Vec3::Zero();
      if (part.floats) {
        const auto C = frames_.ambient(p, y);
        moved += C.col(0) + C.middleCols<3>(1) * (system_.rest.col(vertex) - part.center + local.offset);
        for (Index j = 0; j < r; ++j) moved += C.middleCols<3>(4 + 3 * j) * modes.col(j);
      } else {
        moved += modes * frames_.q_of(p, y);
        for (Index m = 0; m < motions; ++m)
          for (int a = 0; a < 3; ++a)
            moved[a] += part.prescribed.row(3 * v + a).segment<4>(4 * m).dot(
                y.col(0).segment<4>(frames_.prescribed_begin() + 12 * m + 4 * a));
      }
      u.col(vertex) += part.mass[v] / system_.mass[vertex] * moved;
    });
  }
}

// J of a vertex of a warped part at a placement, and its place there.
Vec3 SubstructureLift::vertex_row(Index part, Index v, const Placement& at, LocalModes& local,
                                  Eigen::Matrix3Xd& J) const {
  const Substructure& sub = parts_[part];
  const auto q = frames_.modes(part, at.z);
  linearize_warp(sub.modes.middleRows(3 * v, 3), sub.turns.middleRows(3 * v, 3), q, local);
  const Vec3 moved = local.modes * q + local.offset;
  J.resize(3, sub.freedom());
  if (!sub.floats) {
    J = local.modes;
    return system_.rest.col(sub.vertices[v]) + moved;
  }
  const Vec3 arm = at.turn[part] * (system_.rest.col(sub.vertices[v]) - sub.center + moved);
  frame_row(at.turn[part], 1, arm, local.modes, J);
  return at.shift[part] + arm;
}

// Least squares for a warped part, by Gauss and Newton:
//
//   min over (t, R, q) of sum_v m_v |x_v - X(v; t, R, q)|^2,   d = (J^T M J)^{-1} J^T M (x - X).
//
// It ends where the sum no longer falls: rounding, or a step that led too far and is taken back.
void SubstructureLift::fit_warped(Index part, const Points& x, Placement& at) const {
  constexpr int most = 50;
  const Substructure& sub = parts_[part];
  const Index size = sub.freedom();
  LocalModes local;
  Eigen::Matrix3Xd J;
  double before = forever;
  VecX q;  // and frame of the fit before
  Mat3 turn;
  Vec3 shift;
  for (int k = 0; k < most; ++k) {
    MatX H = MatX::Zero(size, size);
    VecX b = VecX::Zero(size);
    double deviation = 0;
    for (Index v = 0; v < sub.vertex_count(); ++v) {
      const Vec3 off = x.col(v) - vertex_row(part, v, at, local, J);
      deviation += sub.mass[v] * off.squaredNorm();
      H.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose(), sub.mass[v]);
      b.noalias() += sub.mass[v] * (J.transpose() * off);
    }
    if (!(deviation < before)) {  // rounding is reached, or the step led too far
      frames_.modes(part, at.z) = q;
      at.turn[part] = turn;
      at.shift[part] = shift;
      return;
    }
    before = deviation;
    q = frames_.modes(part, at.z);
    turn = at.turn[part];
    shift = at.shift[part];
    const VecX d = H.selfadjointView<Eigen::Lower>().llt().solve(b);
    if (sub.floats) {
      at.shift[part] += d.head<3>();
      at.turn[part] = rounded_off(rotation(d.segment<3>(3)) * at.turn[part]);
    }
    frames_.modes(part, at.z) += d.tail(sub.mode_count());
  }
}

// max R : A over the rotations that a part may have, A = sum m (x - t)(X - c)^T:
//
//   no axis:     R = I,
//   one axis a:  angle atan2(a . T, tr A - a . A a), T the torque of the columns of A,
//   all axes:    R = U diag(1, 1, det) V^T of A = U S V^T          (Kabsch 1976).
Mat3 SubstructureLift::nearest_turn(const Substructure& part, const Mat3& moments) {
  const Vec3 axis = part.is_pivoted() ? Vec3(part.allowed.bottomRows(3).rowwise().squaredNorm()) : Vec3::Ones();
  const double axes = axis.sum();  // how many there are
  if (axes < 0.5) return Mat3::Identity();
  if (axes < 1.5) {
    const Vec3 a = part.allowed.rightCols(1).bottomRows(3);
    Vec3 torque = Vec3::Zero();  // sum of r x R r over the columns of the moments
    for (int k = 0; k < 3; ++k) torque += Vec3::Unit(k).cross(moments.col(k));
    return rotation(std::atan2(a.dot(torque), moments.trace() - a.dot(moments * a)) * a);
  }
  const Eigen::JacobiSVD<Mat3> svd(moments, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vec3 signs(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant());
  return rounded_off(svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose());
}

// Coordinates closest to displacements u in the metric of mass:
//
// 1. t: the centre of mass of x; of a pivoted part within its allowed shifts.
// 2. R: the rotation nearest to sum m (x - t)(X - c)^T. It is exact if u is a position of the part: modes are
//    orthogonal to rigid motions, so that sum m U q (X - c)^T is symmetric.
// 3. q = U^T M (R^T (x - t) - (X - c)), or U^T M (u - U_D q_D) of a part that is held, with two steps of refinement
//    for U^T M U = I.
// 4. Warped parts go on from there by Gauss and Newton.
void SubstructureLift::project(const Points& u, MatX& y) const {
  Placement at;
  frames_.place(y, at);
  MatX known = y;
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p)
    if (!parts_[p].floats) frames_.q_of(p, known).setZero();
  Points prescribed;
  displacements(known, prescribed);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const Substructure& part = parts_[p];
    Points x(3, part.vertex_count());
    for (Index v = 0; v < part.vertex_count(); ++v) x.col(v) = u.col(part.vertices[v]);
    if (part.floats) {
      for (Index v = 0; v < part.vertex_count(); ++v) x.col(v) += system_.rest.col(part.vertices[v]);
      Vec3 t = x * part.mass / part.mass.sum();
      if (part.is_pivoted()) {
        const Vec3 off = frames_.allowed(p).topLeftCorner<3, 3>() * (t - at.shift[p]);
        t = at.shift[p] + off;
      }
      Mat3 moments = Mat3::Zero();
      for (Index v = 0; v < part.vertex_count(); ++v)
        moments += part.mass[v] * (x.col(v) - t) * (system_.rest.col(part.vertices[v]) - part.center).transpose();
      at.turn[p] = nearest_turn(part, moments);
      at.shift[p] = t;
      for (Index v = 0; v < part.vertex_count(); ++v)
        x.col(v) = at.turn[p].transpose() * (x.col(v) - t) - (system_.rest.col(part.vertices[v]) - part.center);
    } else {
      for (Index v = 0; v < part.vertex_count(); ++v) x.col(v) -= prescribed.col(part.vertices[v]);
    }
    for (Index v = 0; v < part.vertex_count(); ++v) x.col(v) *= part.mass[v];
    const VecX b = part.modes.transpose() * Eigen::Map<const VecX>(x.data(), x.size());
    if (b.size() == 0) continue;
    // Two steps of refinement of U^T M U = I.
    const MatX of_modes = inertia_[p].of_modes();
    VecX q = b;
    for (int k = 0; k < 3; ++k) q += b - of_modes * q;
    frames_.modes(p, at.z) = q;
    if (!part.is_warped()) continue;
    for (Index v = 0; v < part.vertex_count(); ++v)
      x.col(v) = u.col(part.vertices[v]) + system_.rest.col(part.vertices[v]);
    fit_warped(p, x, at);
  }
  frames_.store(at, y);
}

// The block matrix J^T M J at a placement; of warped parts with the J of their places.
// J^T M J, block by block: parts have no mass in common.
BlockCholesky SubstructureLift::masses(const Placement& at) const {
  BlockCholesky M(frames_.sizes());
  LocalModes local;
  Eigen::Matrix3Xd J;
  for (Index p = 0; p < M.block_count(); ++p) {
    MatX& block = M.block(p, p);
    if (!parts_[p].is_warped()) {
      inertia_[p].add_hessian(at, 1, block);
      continue;
    }
    for (Index v = 0; v < parts_[p].vertex_count(); ++v) {
      vertex_row(p, v, at, local, J);
      block.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose(), parts_[p].mass[v]);
    }
  }
  frames_.confine(M);
  if (!M.factor()) throw SimulationError(code::factorization, "the mass matrix of the modes is singular");
  return M;
}

// J^T g with the columns of J for shift, turn and modes of a part:
//
//   shift: sum f,   turn: sum (x - t) x f,   modes: U^T R^T f.
//
// A vertex of several parts gives each its share of f by mass.
MatX SubstructureLift::pulled_back(const Placement& at, const Points& g) const {
  MatX result(frames_.unknowns(), 1);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const Substructure& part = parts_[p];
    Points f(3, part.vertex_count());
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Index v = 0; v < part.vertex_count(); ++v)
      f.col(v) = part.mass[v] / system_.mass[part.vertices[v]] * g.col(part.vertices[v]);
    auto own = result.col(0).segment(frames_.begin(p), part.freedom());
    if (part.is_warped()) {
      LocalModes local;
      Eigen::Matrix3Xd J;
      own.setZero();
      for (Index v = 0; v < part.vertex_count(); ++v) {
        vertex_row(p, v, at, local, J);
        own.noalias() += J.transpose() * f.col(v);
      }
      continue;
    }
    if (part.floats) {
      f = at.turn[p].transpose() * f;  // in the axes of the body
      const VecX u = part.modes * frames_.modes(p, at.z);
      for (Index v = 0; v < part.vertex_count(); ++v) {
        force += f.col(v);
        torque += Vec3(system_.rest.col(part.vertices[v]) - part.center + u.segment<3>(3 * v)).cross(Vec3(f.col(v)));
      }
      own.head<3>() = at.turn[p] * force;
      own.segment<3>(3) = at.turn[p] * torque;
    }
    own.tail(part.mode_count()) = part.modes.transpose() * Eigen::Map<const VecX>(f.data(), f.size());
  }
  frames_.confine(result);
  return result;
}

// Velocities J v closest to given ones in the metric of mass, (J^T M J) v = J^T M v. Rigid motions are in the span of
// J, so that momentum and angular momentum are kept.
void SubstructureLift::project_velocity(const MatX& at_y, const Points& v, MatX& y) const {
  Placement at;
  frames_.place(at_y, at);
  MatX known = y;
  known.topRows(frames_.prescribed_begin()).setZero();
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p)
    if (parts_[p].is_pivoted()) frames_.ambient(p, known).col(0) = frames_.prescribed_shift(p, y);
  Points prescribed;
  displacements(known, prescribed);
  Points weighted = v - prescribed;
  for (Index i = 0; i < weighted.cols(); ++i) weighted.col(i) *= system_.mass[i];
  MatX d = pulled_back(at, weighted);
  masses(at).solve(d.col(0));
  MatX moved(y.rows(), 1);
  frames_.tangent(at, d, moved);
  y.topRows(frames_.prescribed_begin()) =
      moved.topRows(frames_.prescribed_begin()) + known.topRows(frames_.prescribed_begin());
}

MatX SubstructureLift::restricted(const MatX& y, const Points& g) const {
  Placement at;
  frames_.place(y, at);
  return pulled_back(at, g);
}

// |r|^2 = r^T (J^T M J)^{-1} r, the accelerations that r would cause.
double SubstructureLift::inverse_mass_square(const MatX& y, const MatX& r) const {
  Placement at;
  frames_.place(y, at);
  VecX x = r.col(0);
  const double norm = masses(at).inverse_norm(x);
  return norm * norm;
}

void SubstructureLift::accelerate(const MatX& y, const MatX& r, MatX& a) const {
  Placement at;
  frames_.place(y, at);
  MatX d = r;
  masses(at).solve(d.col(0));
  a.setZero(y.rows(), 1);
  frames_.tangent(at, d, a);
}

}  // namespace sinew

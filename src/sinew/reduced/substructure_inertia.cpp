#include "sinew/reduced/substructure_inertia.h"

#include "sinew/core/parallel.h"
#include "sinew/linalg/tall_products.h"

namespace sinew {
namespace {

// phi of all vertices, a row each.
MatX shape_functions(const System& system, const Substructure& sub) {
  const Index n = sub.vertex_count(), r = sub.mode_count();
  MatX phi(n, 4 + 3 * r);
  parallel_for(n, [&](std::size_t i) {
    const auto v = static_cast<Index>(i);
    phi(v, 0) = 1;
    phi.row(v).segment<3>(1) = (system.rest.col(sub.vertices[v]) - sub.center).transpose();
    for (Index j = 0; j < r; ++j) phi.row(v).segment<3>(4 + 3 * j) = sub.modes.col(j).segment<3>(3 * v).transpose();
  });
  return phi;
}

// [U | U_D], in the order of q and q_D, 3 rows a vertex.
MatX held_functions(const Substructure& sub) {
  const auto motions = static_cast<Index>(sub.driven.cols() / 4);
  const Index r = sub.mode_count();
  MatX W = MatX::Zero(sub.modes.rows(), r + 12 * motions);
  W.leftCols(r) = sub.modes;
  for (Index i = 0; motions > 0 && i < W.rows(); ++i)
    for (Index m = 0; m < motions; ++m)
      W.row(i).segment<4>(r + 12 * m + 4 * (i % 3)) = sub.driven.row(i).segment<4>(4 * m);
  return W;
}

VecX mass_of_coordinates(const Substructure& sub) {
  VecX mass(3 * sub.vertex_count());
  for (Index i = 0; i < mass.size(); ++i) mass[i] = sub.mass[i / 3];
  return mass;
}

}  // namespace

SubstructureInertia::SubstructureInertia(const System& system, const Substructure& sub, Index part,
                                         const FrameCoordinates& coordinates)
    : frames_(coordinates), sub_(sub), part_(part), mass_(sub.mass.sum()), has_load_(system.loads.size(), 0) {
  for (Index v = 0; v < sub.vertex_count(); ++v) rest_moment_ += sub.mass[v] * system.rest.col(sub.vertices[v]);
  const MatX W = sub.floats ? shape_functions(system, sub) : held_functions(sub);
  M_ = weighted_gram(W, sub.floats ? sub.mass : mass_of_coordinates(sub));
  of_modes_ = sub.floats ? weighted_gram(sub.modes, mass_of_coordinates(sub))
                         : MatX(M_.topLeftCorner(sub.mode_count(), sub.mode_count()));
  const auto size = static_cast<Index>(M_.rows());
  const auto add = [&](Index v, double factor, std::array<VecX, 3>& moment) {
    for (int a = 0; a < (sub.floats ? 1 : 3); ++a) moment[a] += factor * W.row(sub.floats ? v : 3 * v + a).transpose();
  };
  const std::array<VecX, 3> zero{VecX::Zero(size), VecX::Zero(size), VecX::Zero(size)};
  of_mass_ = zero;
  for (Index v = 0; v < sub.vertex_count(); ++v) add(v, sub.mass[v], of_mass_);
  // A vertex that others share takes its part of the load on it, as of the mass.
  of_load_.assign(system.loads.size(), {});
  for (std::size_t l = 0; l < system.loads.size(); ++l) {
    const FaceLoad& load = system.loads[l];
    for (Index f = 0; f < load.faces.cols(); ++f)
      for (int k = 0; k < 3; ++k) {
        const Index vertex = load.faces(k, f), v = sub.local(vertex);
        if (v < 0) continue;
        if (!has_load_[l]) of_load_[l] = zero;
        has_load_[l] = 1;
        add(v, load.face_area[f] / 3 * sub.mass[v] / system.mass[vertex], of_load_[l]);
      }
  }
  held_.resize(sub.floats ? 0 : size);
  product_.resize(size);
  arms_.resize(3, sub.floats ? size : 0);
  arm_product_.resize(3, sub.floats ? size : 0);
}

double SubstructureInertia::energy(const MatX& y) {
  if (sub_.floats) {
    const auto C = frames_.ambient(part_, y);
    arm_product_.noalias() = C * M_;
    return 0.5 * C.cwiseProduct(arm_product_).sum();
  }
  const Index r = sub_.mode_count();
  held_.head(r) = frames_.held(part_, y);
  held_.tail(held_.size() - r) = y.col(0).tail(held_.size() - r);
  product_.noalias() = M_ * held_;
  return 0.5 * held_.dot(product_);
}

void SubstructureInertia::add_gradient(const MatX& y, double factor, MatX& G) {
  if (sub_.floats) {
    auto out = frames_.ambient(part_, G);
    arm_product_.noalias() = frames_.ambient(part_, y) * M_;
    out += factor * arm_product_;
    return;
  }
  const Index r = sub_.mode_count();
  held_.head(r) = frames_.held(part_, y);
  held_.tail(held_.size() - r) = y.col(0).tail(held_.size() - r);
  product_.head(r).noalias() = M_.topRows(r) * held_;
  frames_.held(part_, G) += factor * product_.head(r);
}

// With the columns c_k of [0 | R | R q_j] and Q = C M: shift and turn by sum_k M_0k c_k = Q_0, turn and turn by
// tr(S) I - S with S = Q C^T, mode j and a shift by sum_a M_0,ja R e_a, mode j and a turn by sum_a Q_ja x R e_a.
void SubstructureInertia::add_hessian(const Placement& at, double factor, MatX& block) {
  const Index r = sub_.mode_count();
  block.bottomRightCorner(r, r) += factor * of_modes_;
  if (!sub_.floats) return;
  const Mat3& R = at.turn[part_];
  const auto q = frames_.modes(part_, at.z);
  arms_.col(0).setZero();
  arms_.middleCols<3>(1) = R;
  for (Index j = 0; j < r; ++j) arms_.middleCols<3>(4 + 3 * j) = q[j] * R;
  arm_product_.noalias() = arms_ * M_;
  const Mat3 S = arm_product_ * arms_.transpose();
  block.topLeftCorner<3, 3>() += factor * mass_ * Mat3::Identity();
  const Vec3 c = factor * arm_product_.col(0);
  Mat3 cross;  // [c]x: a shift s and a turn w share s . (w x c) = w . (c x s)
  cross << 0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0;
  block.block<3, 3>(3, 0) += cross;
  block.block<3, 3>(3, 3) += factor * (S.trace() * Mat3::Identity() - S);
  for (Index j = 0; j < r; ++j) {
    Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {
      shift += M_(0, 4 + 3 * j + a) * R.col(a);
      turn += arm_product_.col(4 + 3 * j + a).cross(R.col(a));
    }
    block.row(6 + j).head<3>() += factor * shift.transpose();
    block.row(6 + j).segment<3>(3) += factor * turn.transpose();
  }
}

double SubstructureInertia::along(const Vec3& a, const std::array<VecX, 3>& moment, const MatX& y) const {
  double sum = 0;
  if (sub_.floats) {
    const auto C = frames_.ambient(part_, y);
    for (int k = 0; k < 3; ++k) sum += a[k] * C.row(k).dot(moment[0]);
    return sum;
  }
  const Index r = sub_.mode_count(), driven = static_cast<Index>(moment[0].size()) - r;
  for (int k = 0; k < 3; ++k)
    sum += a[k] * (moment[k].head(r).dot(frames_.held(part_, y)) + moment[k].tail(driven).dot(y.col(0).tail(driven)));
  return sum;
}

void SubstructureInertia::add_along(const Vec3& a, const std::array<VecX, 3>& moment, double factor, MatX& f) const {
  if (sub_.floats) {
    frames_.ambient(part_, f).noalias() += factor * a * moment[0].transpose();
    return;
  }
  for (int k = 0; k < 3; ++k) frames_.held(part_, f) += factor * a[k] * moment[k].head(sub_.mode_count());
}

}  // namespace sinew

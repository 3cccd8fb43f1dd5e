#include "sinew/reduced/reduced_springs.h"

#include <algorithm>

namespace sinew {

// Symbols: u = w^T y + X - A (p, 1) the extension of a spring, with w its row of W (difference of those of its ends), X
// its rest vector, p its anchor and A the motion of the anchor at the time; k its stiffness, l its rest length. With l
// = 0, sum k/2 |u|^2 over all springs of a group is one quadratic form in (y, A): only the sums below are kept.
ReducedSprings::ReducedSprings(const System& system, const AxisRows& rows, double time)
    : system_(system), columns_(rows.rows), free_(rows.free) {
  const auto rest = [&](Index vertex) -> Vec3 { return system.rest.col(vertex); };
  for (std::size_t s = 0; s < system.scene_spring_count(); ++s) {
    const Spring& spring = system.springs[s];
    // w and X of the spring; the other end may be the mean of several vertices.
    std::array<VecX, 3> w;
    for (int a = 0; a < 3; ++a) {
      w[a] = rows.row(a, spring.vertex);
      for (std::size_t k = 0; k < spring.others.size(); ++k) w[a] -= rows.row(a, spring.others[k]) * spring.weight(k);
    }
    Vec3 X = rest(spring.vertex);
    for (std::size_t k = 0; k < spring.others.size(); ++k) X -= rest(spring.others[k]) * spring.weight(k);
    const bool to_point = spring.others.empty();
    if (spring.length > 0) {
      long_.push_back({s, w, X, Vec3::Zero(), true});
      continue;
    }
    const Index motion = to_point ? spring.motion : -1;
    // Springs without rest length whose anchors move alike and that hold until the same time are one quadratic form.
    auto group =
        std::ranges::find_if(groups_, [&](const Group& g) { return g.motion == motion && g.until == spring.until; });
    if (group == groups_.end()) {
      Group fresh;
      fresh.motion = motion;
      fresh.until = spring.until;
      for (int a = 0; a < 3; ++a) {
        fresh.stiffness[a].setZero(columns_, columns_);
        fresh.rest[a].setZero(columns_);
        fresh.anchor[a].setZero(columns_, 4);
      }
      fresh.rest_anchor.setZero();
      fresh.anchor_square.setZero();
      groups_.push_back(std::move(fresh));
      group = groups_.end() - 1;
    }
    const double k = spring.stiffness;
    Eigen::Vector4d p = Eigen::Vector4d::Zero();  // a spring between vertices has no anchor
    if (to_point) p << spring.point, 1;
    for (int a = 0; a < 3; ++a) {
      group->stiffness[a] += k * w[a] * w[a].transpose();
      group->rest[a] += k * X[a] * w[a];
      group->anchor[a] += k * w[a] * p.transpose();
    }
    group->rest_square += k * X.squaredNorm();
    group->rest_anchor += k * X * p.transpose();
    group->anchor_square += k * p * p.transpose();
  }
  begin_step(time);
}

// Places of the anchors at a time, and the springs that still hold.
void ReducedSprings::begin_step(double time) {
  for (Group& group : groups_) {
    group.holds = time <= group.until;
    group.place = affine_at(system_, group.motion, time);
  }
  for (LongSpring& spring : long_) {
    spring.holds = time <= system_.springs[spring.spring].until;
    if (!system_.springs[spring.spring].others.empty()) continue;
    const AffineMap map = affine_at(system_, system_.springs[spring.spring].motion, time);
    spring.target = map.leftCols<3>() * system_.springs[spring.spring].point + map.col(3);
  }
}

// 1/2 sum k |u|^2 + 1/2 sum k (|u| - l)^2, u = w^T y + X - A (p, 1)
double ReducedSprings::value(const MatX& y) const {
  double value = 0;
  for (const Group& g : groups_) {
    if (!g.holds) continue;
    // sum k/2 |u|^2 multiplied out: the terms without y, then those of each row of y.
    value += 0.5 * (g.rest_square - 2 * g.rest_anchor.cwiseProduct(g.place).sum() +
                    (g.place * g.anchor_square).cwiseProduct(g.place).sum());
    for (int a = 0; a < 3; ++a) {
      for (Index i = 0; i < columns_; ++i) {
        const double target = g.anchor[a].row(i).dot(g.place.row(a)) - g.rest[a][i];
        value += y(i, a) * (0.5 * g.stiffness[a].col(i).dot(y.col(a)) - target);
      }
    }
  }
  for (const LongSpring& s : long_) {
    if (!s.holds) continue;
    const double stretch = extension(s, y).norm() - system_.springs[s.spring].length;
    value += 0.5 * system_.springs[s.spring].stiffness * stretch * stretch;
  }
  return value;
}

// sum k w u + sum k (1 - l/|u|) w u
void ReducedSprings::add_gradient(const MatX& y, double scale, MatX& g) const {
  for (const Group& group : groups_) {
    if (!group.holds) continue;
    for (int a = 0; a < 3; ++a) {
      for (Index i = 0; i < free_; ++i) {
        const double target = group.anchor[a].row(i).dot(group.place.row(a)) - group.rest[a][i];
        g(i, a) += scale * (group.stiffness[a].col(i).dot(y.col(a)) - target);
      }
    }
  }
  for (const LongSpring& s : long_) {
    if (!s.holds) continue;
    const Vec3 u = extension(s, y);
    const double norm = u.norm();
    if (norm == 0) continue;  // no direction
    const double factor = scale * system_.springs[s.spring].stiffness * (1 - system_.springs[s.spring].length / norm);
    for (int a = 0; a < 3; ++a) g.col(a).head(free_) += factor * u[a] * s.w[a].head(free_);
  }
}

// sum k w w^T + sum k (w (x) I) (n n^T + max(1 - l/|u|, 0) (I - n n^T)) (w (x) I)^T, n = u/|u|
void ReducedSprings::add_hessian(const MatX& y, double scale, AxisHessian& H) const {
  for (const Group& group : groups_) {
    if (!group.holds) continue;
    for (int a = 0; a < 3; ++a) H.block(a, a) += scale * group.stiffness[a].topLeftCorner(free_, free_);
  }
  for (const LongSpring& s : long_) {
    if (!s.holds) continue;
    const Vec3 u = extension(s, y);
    const double norm = u.norm();
    if (norm == 0) continue;
    const Vec3 n = u / norm;
    const double across = std::max(1 - system_.springs[s.spring].length / norm, 0.0);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b <= a; ++b) {
        const double factor =
            scale * system_.springs[s.spring].stiffness * ((a == b ? across : 0.0) + (1 - across) * n[a] * n[b]);
        auto block = H.block(a, b);
        for (Index j = 0; j < free_; ++j) block.col(j) += factor * s.w[b][j] * s.w[a].head(free_);
      }
    }
  }
}

// u of one spring with a rest length.
Vec3 ReducedSprings::extension(const LongSpring& spring, const MatX& y) const {
  Vec3 u = spring.rest - spring.target;
  for (int a = 0; a < 3; ++a) u[a] += spring.w[a].dot(y.col(a));
  return u;
}

}  // namespace sinew

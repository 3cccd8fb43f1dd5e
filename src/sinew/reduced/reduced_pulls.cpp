#include "sinew/reduced/reduced_pulls.h"

namespace sinew {

// The energy of a pull is k/2 |u|^2, u = X + U y - target, which is quadratic in y.
void ReducedPulls::set(const System& system, const AxisRows& rows) {
  free_ = rows.free;
  pulls_.clear();
  for (std::size_t s = system.scene_spring_count(); s < system.springs.size(); ++s) {
    const Spring& spring = system.springs[s];
    PulledVertex pull{{}, system.rest.col(spring.vertex), spring.point, spring.stiffness};
    for (int a = 0; a < 3; ++a) pull.w[a] = rows.row(a, spring.vertex);
    pulls_.push_back(std::move(pull));
  }
}

// u_a = X_a + w_a . y_a - target_a for the axes a.
Vec3 ReducedPulls::extension(const PulledVertex& pull, const MatX& y) const {
  Vec3 u = pull.rest - pull.target;
  for (int a = 0; a < 3; ++a) u[a] += pull.w[a].dot(y.col(a));
  return u;
}

double ReducedPulls::value(const MatX& y) const {
  double sum = 0;
  for (const PulledVertex& pull : pulls_) sum += 0.5 * pull.stiffness * extension(pull, y).squaredNorm();
  return sum;
}

void ReducedPulls::add_gradient(const MatX& y, double scale, MatX& g) const {
  for (const PulledVertex& pull : pulls_) {
    const Vec3 force = scale * pull.stiffness * extension(pull, y);
    for (int a = 0; a < 3; ++a) g.col(a).head(free_) += force[a] * pull.w[a].head(free_);
  }
}

void ReducedPulls::add_hessian(double scale, AxisHessian& H) const {
  for (const PulledVertex& pull : pulls_)
    for (int a = 0; a < 3; ++a) {
      auto block = H.block(a, a);
      for (Index j = 0; j < free_; ++j) block.col(j) += scale * pull.stiffness * pull.w[a][j] * pull.w[a].head(free_);
    }
}

}  // namespace sinew

#include "sinew/kinematics/vertex_kinematics.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/kinematics/vertex_hessian.h"
#include "sinew/kinematics/vertex_points.h"

namespace sinew {
// x = X + y with all vertices as coordinates: the identity as kinematics. Reduced methods with `subspace: "full"` use
// it, to measure what a subspace loses.
VertexKinematics::VertexKinematics(const System& system, std::shared_ptr<const BlockPattern> pattern, double time)
    : system_(system), pattern_(std::move(pattern)), fixed_(3 * static_cast<std::size_t>(system.dynamic_count), 0) {
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(time)) continue;
    prescribed_.push_back(prescribed);
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k]) fixed_[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
  }
}

// Prescribed rows of y follow their motions: y_v = motion(X_v, t) - X_v. They are met exactly, so that a step has no
// residual there.
void VertexKinematics::prescribe(double time, MatX& y) const {
  for (const PrescribedVertex& prescribed : prescribed_) {
    const Vec3 rest = system_.rest.col(prescribed.vertex);
    const Vec3 target = system_.motions[prescribed.motion].apply(rest, time, prescribed.place);
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k]) y(prescribed.vertex, k) = target[k] - rest[k];
  }
}

// The largest and the mean length of a vertex's displacement [m].
Displacement VertexKinematics::displacement(const MatX&, const MatX& d) {
  Displacement result;
  result.largest = parallel_max(rows(), 0.0, [&](std::size_t v) { return d.row(v).norm(); });
  result.mean = parallel_sum(rows(), [&](std::size_t v) { return d.row(v).norm(); }) / std::max<Index>(1, rows());
  return result;
}

// Every vertex has coordinates of its own: the projection copies the free ones.
void VertexKinematics::project(const Points& u, MatX& y) const {
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (!is_fixed(v, k)) y(v, k) = u(k, v);
}

// (dx/dy)^T g = g at free coordinates.
MatX VertexKinematics::restrict_to(const MatX&, const Points& g) const {
  MatX result = g.transpose();
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (is_fixed(v, k)) result(v, k) = 0;
  return result;
}

// |r|^2 in the metric M^{-1}: the acceleration that the residual r would cause.
double VertexKinematics::inverse_mass_square(const MatX&, const MatX& r) const {
  double sum = 0;
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (!is_fixed(v, k)) sum += r(v, k) * r(v, k) / system_.mass[v];
  return sum;
}

// M a = r with the lumped, diagonal M.
void VertexKinematics::accelerate(const MatX&, const MatX& r, MatX& a) const {
  a.setZero(rows(), 3);
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (!is_fixed(v, k)) a(v, k) = r(v, k) / system_.mass[v];
}

// The points of an energy are the vertices themselves; other rows would need W, which this kinematics does not have.
std::unique_ptr<PointSet> VertexKinematics::make_points(const std::vector<PointRow>& rows,
                                                        std::vector<PointSpring>*) const {
  for (std::size_t v = 0; v < rows.size(); ++v)
    if (rows.size() != static_cast<std::size_t>(this->rows()) || rows[v] != PointRow{{static_cast<Index>(v), 1.0}})
      throw std::logic_error("points over all vertices are the vertices");
  return std::make_unique<VertexPoints>(system_);
}

std::unique_ptr<CoordinateHessian> VertexKinematics::make_hessian() const {
  return std::make_unique<VertexHessian>(pattern_, fixed_);
}

}  // namespace sinew

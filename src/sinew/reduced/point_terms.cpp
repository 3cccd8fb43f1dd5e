#include "sinew/reduced/point_terms.h"

#include <numeric>

#include "sinew/core/sort_unique.h"

namespace sinew {

PointPressures point_pressures(const System& system, Index first) {
  PointPressures result;
  std::vector<Index> vertices;
  for (const FaceLoad& load : system.loads)
    if (load.kind == LoadKind::pressure)
      vertices.insert(vertices.end(), load.faces.data(), load.faces.data() + load.faces.size());
  sort_unique(vertices);
  for (const Index v : vertices) result.rows.push_back({{v, 1.0}});
  const auto point_of = [&](Index v) {
    return first + static_cast<Index>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  for (const FaceLoad& load : system.loads) {
    if (load.kind != LoadKind::pressure) continue;
    FaceLoad& of_points = result.loads.emplace_back(load);
    of_points.faces = load.faces.unaryExpr(point_of);
  }
  return result;
}

PointTerms::PointTerms(const System& system, const std::vector<PointSpring>& springs, std::vector<FaceLoad> loads,
                       std::unique_ptr<PointMotion> motion)
    : points_([&] {
        System points;
        points.dynamic_count = motion->count();
        points.motions = system.motions;
        points.springs = springs_of_points(system, springs);
        points.loads = std::move(loads);
        return points;
      }()),
      motion_(std::move(motion)),
      springs_(points_),
      pressure_(points_),
      all_(points_.dynamic_count) {
  std::iota(all_.begin(), all_.end(), 0);
  x_.setZero(3, points_.dynamic_count);
  g_.setZero(3, points_.dynamic_count);
  std::vector<std::pair<Index, Index>> pairs;
  springs_.collect_pairs(pairs);
  pressure_.collect_pairs(pairs);
  H_.set_pattern(make_pattern(points_.dynamic_count, pairs));
}

void PointTerms::begin_step(const SpaceStep& step, const MatX& start) {
  set_time(step.time);
  if (points_.loads.empty()) return;
  motion_->positions(start, x_);
  pressure_.set_loads(x_, step.time, step.load_factor);
}

void PointTerms::lag(const MatX& y) {
  if (!pressure_.lags()) return;
  motion_->positions(y, x_);
  pressure_.lag(x_);
}

double PointTerms::lagging_change(const MatX& y) {
  if (!pressure_.lags()) return 0;
  motion_->positions(y, x_);
  const LaggingChange loads = pressure_.lagging_change(x_);
  return loads.size > 0 ? loads.change / loads.size : 0;
}

double PointTerms::value(const MatX& y) {
  if (empty()) return 0;
  motion_->positions(y, x_);
  return springs_.value(x_) + pressure_.value(x_);
}

double PointTerms::spring_energy(const MatX& y) {
  if (points_.springs.empty()) return 0;
  motion_->positions(y, x_);
  return springs_.value(x_);
}

// The chain rule over the points.
void PointTerms::add_gradient(const MatX& y, double scale, MatX& g) {
  if (empty()) return;
  motion_->positions(y, x_);
  gradient_x_ = x_;
  g_.setZero();
  springs_.add_gradient(x_, scale, g_);
  pressure_.add_gradient(x_, scale, g_);
  motion_->add_gradient(y, g_, g);
}

const SymBlockMatrix* PointTerms::hessian(double scale) {
  if (empty()) return nullptr;
  H_.set_zero();
  g_.setZero();
  springs_.add_derivatives(gradient_x_, scale, Projection::psd, g_, H_);
  pressure_.add_derivatives(gradient_x_, scale, Projection::psd, g_, H_);
  return &H_;
}

}  // namespace sinew

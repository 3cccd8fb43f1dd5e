#include "sinew/reduced/reduced_contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/intersection.h"
#include "sinew/contact/kinematics.h"
#include "sinew/core/error.h"
#include "sinew/model/automatic_scales.h"

namespace sinew {
namespace {

bool same_coordinates(const MatX& a, const MatX& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

}  // namespace

ReducedContact::ReducedContact(const System& system, CoarseSurface surface, std::unique_ptr<SampleMotion> motion)
    : system_(system),
      surface_(std::move(surface)),
      motion_(std::move(motion)),
      detector_(surface_.mesh),
      barrier_(surface_.sample_count),
      friction_(surface_.sample_count),
      has_friction_(has_friction(system)),
      anew_(surface_.sample_count) {
  for (Index s = 0; s < surface_.sample_count; ++s) body_.push_back(system.vertex_body[surface_.vertex[s]]);
  barrier_.set_barrier({system.contact_stiffness, system.contact_distance});
  x_.setZero(3, static_cast<Index>(surface_.vertex.size()));
  d_ = reference_ = x_;
  g_.setZero(3, surface_.sample_count);
  is_touched_.assign(surface_.sample_count, 0);
}

void ReducedContact::adapt(Change change) {
  if (change == Change::friction) {
    surface_.mesh.friction = system_.collision.friction;
    has_friction_ = has_friction(system_);
  }
  if (change == Change::materials) barrier_.set_barrier({system_.contact_stiffness, system_.contact_distance});
  if (change == Change::friction || change == Change::materials) found_at_.resize(0, 0);
}

// Places the samples; obstacles stay.
void ReducedContact::place(const MatX& y) {
  if (same_coordinates(y, placed_at_)) return;
  motion_->positions(y, x_);
  placed_at_ = y;
}

// Finds the contacts at y, unless the last search was at the same y: an iteration asks there for the gradient, for the
// start of its line search, and for the end of the line search before.
void ReducedContact::set_contacts(const MatX& y) {
  place(y);
  if (same_coordinates(y, found_at_)) return;
  found_at_.resize(0, 0);  // the search may throw
  set_ = &detector_.active_set(x_, planes_, system_.contact_distance);
  barrier_.set_contacts(set_->stencils, planes_);
  found_at_ = y;
}

// Refuses a start at which the coarse surfaces intersect, although the fine ones may not.
void check_coarse_surface(const CoarseSurface& surface, const Points& x, const std::vector<PlaneState>& planes) {
  Points coarse(3, static_cast<Index>(surface.vertex.size()));
  for (std::size_t v = 0; v < surface.vertex.size(); ++v) coarse.col(v) = x.col(surface.vertex[v]);
  const char* remedy = "move the bodies apart, or give more contact.samples";
  const CollisionMesh& mesh = surface.mesh;
  const std::vector<Intersection> pairs = find_intersections(mesh, coarse);
  if (!pairs.empty())
    fail_input("the coarse surfaces of contact, of {} samples, intersect: that of {} crosses {} at {} places; {}",
               surface.sample_count, mesh.owner_names[pairs[0].edge_owner], mesh.owner_names[pairs[0].triangle_owner],
               pairs.size(), remedy);
  const std::vector<BelowPlane> below = find_below_planes(mesh, coarse, planes);
  if (!below.empty())
    fail_input("{} samples of the surfaces lie behind the plane of {}, the first by {:.3g} m; {}", below.size(),
               mesh.owner_names[mesh.planes[below[0].plane].owner], 0 - below[0].height, remedy);
}

// Places obstacles and planes at a time.
void ReducedContact::stand(double time) {
  planes_at(system_, time, planes_);
  Points all = system_.rest;
  place_obstacles(system_, time, all);
  x_.rightCols(obstacle_vertices()) = all.rightCols(obstacle_vertices());
  placed_ = true;
}

std::optional<ObstaclePlaces> ReducedContact::obstacles() const {
  if (!placed_) return {};
  return ObstaclePlaces{x_.rightCols(obstacle_vertices()), planes_};
}

// Places samples, obstacles and planes, and checks that nothing touches. Friction is that of no step then.
void ReducedContact::check(const MatX& y, double time, const ObstaclePlaces* places) {
  found_at_.resize(0, 0);
  friction_.set_stencils({});
  start_time_ = time;
  if (places) {
    x_.rightCols(obstacle_vertices()) = places->x;
    planes_ = places->planes;
    placed_ = true;
  } else {
    stand(time);
  }
  place(y);
  Points all = system_.rest;
  all.rightCols(obstacle_vertices()) = x_.rightCols(obstacle_vertices());
  for (Index s = 0; s < surface_.sample_count; ++s) all.col(surface_.vertex[s]) = x_.col(s);
  check_coarse_surface(surface_, all, planes_);
}

// Places of obstacles at both ends of the step, contacts at its start, and friction lagged there.
void ReducedContact::begin_step(const SpaceStep& step, const MatX& start) {
  // Where obstacles are from the step before, or a check().
  if (planes_.size() != system_.planes.size() || start_time_ != step.start_time) check(start, step.start_time);
  start_time_ = step.time;
  factor_ = step.contact_factor;
  step_ = &step;
  place_obstacle_vertices(system_, step.time, kinematic_target_);
  planes_at(system_, step.time, plane_target_);
  stay();
  set_contacts(start);
  if (!has_friction_) return;
  // x^ so that displacements from it are velocities times h^; of obstacles, those over the step.
  const double left = step.slip_step() / step.step;
  motion_->reference(step.slip_reference(), reference_);
  reference_.rightCols(obstacle_vertices()) = left * x_.rightCols(obstacle_vertices()) + (1 - left) * kinematic_target_;
  plane_reference_ = planes_;
  for (std::size_t p = 0; p < planes_.size(); ++p)
    plane_reference_[p] = reference_plane(planes_[p], plane_target_[p], left);
  lag_friction(friction_);
}

void ReducedContact::lag_friction(FrictionEnergy& friction) {
  friction.set_reference(reference_, system_.setup.contact.slip_speed * step_->slip_step());
  friction.lag_contacts(set_->stencils, x_, planes_, barrier_.barrier(), surface_.mesh);
  friction.set_plane_motion(plane_reference_, plane_target_);
}

double ReducedContact::friction_error(const MatX& y) {
  if (!has_friction_) return 0;
  set_contacts(y);
  lag_friction(anew_);
  return coulomb_.largest(friction_, anew_, x_, body_,
                          coulomb_.least(system_, step_->inertia, step_->step, step_->contact_factor * step_->scale));
}

void ReducedContact::lag_friction(const MatX& y) {
  if (!has_friction_) return;
  set_contacts(y);
  lag_friction(friction_);
}

// go() counts from here.
void ReducedContact::stay() {
  kinematic_start_ = x_.rightCols(obstacle_vertices());
  plane_start_ = planes_;
  gone_ = 0;
}

double ReducedContact::obstacles_left() {
  stay();
  double left = 0;
  if (kinematic_start_.cols() > 0)
    left = std::sqrt((kinematic_target_ - kinematic_start_).colwise().squaredNorm().maxCoeff());
  double of_planes = 0;
  for (std::size_t p = 0; p < planes_.size(); ++p)
    of_planes = std::max({of_planes, (plane_target_[p].point - planes_[p].point).norm(),
                          (plane_target_[p].normal - planes_[p].normal).norm() * system_.diagonal});
  if (of_planes == 0) planes_ = plane_start_ = plane_target_;
  return std::max(left, of_planes);
}

void ReducedContact::go(double part) {
  gone_ = part;
  found_at_.resize(0, 0);
  if (part == 1) {
    x_.rightCols(obstacle_vertices()) = kinematic_target_;
    planes_ = plane_target_;
    return;
  }
  x_.rightCols(obstacle_vertices()) = kinematic_start_ + part * (kinematic_target_ - kinematic_start_);
  for (std::size_t p = 0; p < planes_.size(); ++p) planes_[p] = interpolate(plane_start_[p], plane_target_[p], part);
}

double ReducedContact::max_step(const MatX& from, const MatX& to) {
  place(from);
  motion_->way(from, to, d_);
  if (gone_ == 0) {
    d_.rightCols(obstacle_vertices()).setZero();
    return detector_.max_step(x_, d_, planes_, planes_);
  }
  kinematic_now_ = x_.rightCols(obstacle_vertices());
  d_.rightCols(obstacle_vertices()) = kinematic_now_ - kinematic_start_;
  x_.rightCols(obstacle_vertices()) = kinematic_start_;
  const double part = detector_.max_step(x_, d_, plane_start_, planes_);
  x_.rightCols(obstacle_vertices()) = kinematic_now_;
  return part;
}

double ReducedContact::value(const MatX& y) {
  set_contacts(y);
  return factor_ * (barrier_.value(x_) + (has_friction_ ? friction_.value(x_) : 0.0));
}

SpaceContact ReducedContact::at(const MatX& y) {
  if (!placed_) stand(0);  // nothing has been checked or stepped: the start
  set_contacts(y);
  return {count(), set_->min_distance, barrier_.value(x_), has_friction_ ? friction_.value(x_) : 0,
          barrier_.barrier().stiffness};
}

// g += U^T grad(B + D): the chain rule over the samples.
void ReducedContact::add_gradient(const MatX& y, double scale, MatX& g) {
  set_contacts(y);
  g_.setZero();
  barrier_.add_gradient(x_, factor_ * scale, g_);
  if (has_friction_) friction_.add_gradient(x_, factor_ * scale, g_);
  motion_->add_gradient(g_, g);
}

// Forces on the samples, which are vertices of the full mesh.
void ReducedContact::add_full_gradient(const MatX& y, double scale, Points& barrier, Points& friction) {
  const auto add = [&](const auto& energy, Points& to) {
    g_.setZero();
    energy.add_gradient(x_, scale, g_);
    for (Index s = 0; s < surface_.sample_count; ++s) to.col(surface_.vertex[s]) += g_.col(s);
  };
  set_contacts(y);
  add(barrier_, barrier);
  if (has_friction_) add(friction_, friction);
}

const SymBlockMatrix* ReducedContact::hessian(double scale) {
  if (set_->stencils.empty() && friction_.empty()) return nullptr;
  std::swap(pairs_, pattern_pairs_);
  pairs_.clear();
  barrier_.collect_pairs(pairs_);
  if (has_friction_) friction_.collect_pairs(pairs_);
  // The pattern is kept while the pairs are those of the iteration before.
  if (H_.rows() > 0 && pairs_ == pattern_pairs_) {
    H_.set_zero();
  } else {
    H_.set_pattern(make_pattern(surface_.sample_count, pairs_));
  }
  g_.setZero();
  barrier_.add_derivatives(x_, factor_ * scale, Projection::psd, g_, H_);
  if (has_friction_) friction_.add_derivatives(x_, factor_ * scale, Projection::psd, g_, H_);
  for (const Index v : touched_) is_touched_[v] = 0;
  touched_.clear();
  const auto touch = [&](Index v) {
    if (is_touched_[v]) return;
    is_touched_[v] = 1;
    touched_.push_back(v);
  };
  const auto is_zero = [](const double* block) {
    return std::all_of(block, block + 9, [](double b) { return b == 0; });
  };
  const BlockPattern& pattern = H_.pattern();
  for (Index i = 0; i < pattern.rows; ++i)
    for (auto e = pattern.row_begin[i]; e < pattern.row_begin[i + 1]; ++e) {
      if (is_zero(H_.block(e))) continue;
      touch(i);
      touch(pattern.columns[e]);
    }
  return touched_.empty() ? nullptr : &H_;
}

void ReducedContact::took(const MatX& before, const MatX& after) {
  if (has_friction_) {
    kinematic_now_ = x_.rightCols(obstacle_vertices());
    place(before);
    motion_->way(before, after, d_);
    d_.rightCols(obstacle_vertices()) = kinematic_now_ - kinematic_start_;
    x_.rightCols(obstacle_vertices()) = kinematic_start_;
    friction_.took(x_, d_, 1);
    x_.rightCols(obstacle_vertices()) = kinematic_now_;
  }
  if (gone_ > 0) stay();
}

}  // namespace sinew

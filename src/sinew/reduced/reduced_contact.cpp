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

// What the contact model sees in place of the system: the samples of the surface, and the obstacles as they are. Of
// masses only sums over bodies count there.
System system_of_samples(const System& system, const CoarseSurface& surface) {
  System points;
  points.setup = system.setup;
  points.dynamic_count = surface.sample_count;
  points.bodies = system.bodies;
  points.collision = surface.mesh;
  points.contact_distance = system.contact_distance;
  points.contact_stiffness = system.contact_stiffness;
  points.diagonal = system.diagonal;
  std::vector<double> mass(system.bodies.size(), 0), samples = mass;
  for (Index v = 0; v < system.dynamic_count; ++v) mass[system.vertex_body[v]] += system.mass[v];
  for (Index s = 0; s < surface.sample_count; ++s) {
    points.vertex_body.push_back(system.vertex_body[surface.vertex[s]]);
    ++samples[points.vertex_body.back()];
  }
  for (const Index body : points.vertex_body) points.mass.push_back(mass[body] / samples[body]);
  points.rest.resize(3, static_cast<Index>(surface.vertex.size()));
  for (std::size_t v = 0; v < surface.vertex.size(); ++v)
    points.rest.col(static_cast<Index>(v)) = system.rest.col(surface.vertex[v]);
  return points;
}

}  // namespace

ReducedContact::ReducedContact(const System& system, CoarseSurface surface, std::unique_ptr<PointMotion> motion)
    : system_(system),
      surface_(std::move(surface)),
      motion_(std::move(motion)),
      points_(system_of_samples(system, surface_)),
      contact_(make_contact_model(points_)) {
  contact_->set_stiffness(points_.contact_stiffness);
  x_ = d_ = Points::Zero(3, points_.vertex_count());
  g_.setZero(3, surface_.sample_count);
  is_touched_.assign(surface_.sample_count, 0);
}

void ReducedContact::adapt(Change change) {
  if (change == Change::friction) points_.collision.friction = system_.collision.friction;
  if (change == Change::materials) {
    points_.contact_stiffness = system_.contact_stiffness;
    contact_->set_stiffness(points_.contact_stiffness);
  }
  contact_->adapt(change);
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
  contact_->find(x_, planes_);
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
  friction().clear();
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

// The step as the points have it: places of obstacles at both ends, contacts at its start, and friction lagged there.
void ReducedContact::begin_step(const SpaceStep& step, const MatX& start) {
  // Where obstacles are from the step before, or a check().
  if (planes_.size() != system_.planes.size() || start_time_ != step.start_time) check(start, step.start_time);
  start_time_ = step.time;
  place(start);
  context_.inertia = step.inertia;
  context_.step = step.step;
  context_.reference_step = step.reference_step;
  context_.scale = step.scale;
  context_.contact_factor = step.contact_factor;
  context_.time_end = step.time;
  context_.start = x_;
  context_.plane_start = planes_;
  place_obstacle_vertices(system_, step.time, obstacle_target_);
  planes_at(system_, step.time, context_.plane_end);
  // Friction's slip counts from where displacements are velocities times their time; of obstacles, those over the step.
  context_.own_slip_step = step.slip_step();
  const double left = step.slip_step() / step.step;
  Points& reference = context_.own_slip_reference;
  reference.resize(3, x_.cols());
  motion_->reference(step.slip_reference(), reference);
  reference.rightCols(obstacle_vertices()) = left * x_.rightCols(obstacle_vertices()) + (1 - left) * obstacle_target_;
  context_.plane_reference = planes_;
  for (std::size_t p = 0; p < planes_.size(); ++p)
    context_.plane_reference[p] = reference_plane(planes_[p], context_.plane_end[p], left);
  stay();
  contact_->begin_step(context_, points_.contact_stiffness);
  found_at_ = start;
}

double ReducedContact::friction_error(const MatX& y) {
  set_contacts(y);
  return contact_->friction_error(x_);
}

void ReducedContact::lag_friction(const MatX& y) {
  set_contacts(y);
  contact_->lag(x_);
}

// go() counts from here.
void ReducedContact::stay() {
  obstacle_start_ = x_.rightCols(obstacle_vertices());
  plane_start_ = planes_;
  gone_ = 0;
}

double ReducedContact::obstacles_left() {
  stay();
  double left = 0;
  if (obstacle_start_.cols() > 0)
    left = std::sqrt((obstacle_target_ - obstacle_start_).colwise().squaredNorm().maxCoeff());
  double of_planes = 0;
  for (std::size_t p = 0; p < planes_.size(); ++p)
    of_planes = std::max({of_planes, (context_.plane_end[p].point - planes_[p].point).norm(),
                          (context_.plane_end[p].normal - planes_[p].normal).norm() * system_.diagonal});
  if (of_planes == 0) planes_ = plane_start_ = context_.plane_end;
  return std::max(left, of_planes);
}

void ReducedContact::go(double part) {
  gone_ = part;
  found_at_.resize(0, 0);
  if (part == 1) {
    x_.rightCols(obstacle_vertices()) = obstacle_target_;
    planes_ = context_.plane_end;
    return;
  }
  x_.rightCols(obstacle_vertices()) = obstacle_start_ + part * (obstacle_target_ - obstacle_start_);
  for (std::size_t p = 0; p < planes_.size(); ++p)
    planes_[p] = interpolate(plane_start_[p], context_.plane_end[p], part);
}

double ReducedContact::max_step(const MatX& from, const MatX& to) {
  place(from);
  motion_->way(from, to, d_);
  if (gone_ == 0) {
    d_.rightCols(obstacle_vertices()).setZero();
    return contact_->max_step(x_, d_, planes_, planes_);
  }
  obstacle_now_ = x_.rightCols(obstacle_vertices());
  d_.rightCols(obstacle_vertices()) = obstacle_now_ - obstacle_start_;
  x_.rightCols(obstacle_vertices()) = obstacle_start_;
  const double part = contact_->max_step(x_, d_, plane_start_, planes_);
  x_.rightCols(obstacle_vertices()) = obstacle_now_;
  return part;
}

double ReducedContact::value(const MatX& y) {
  set_contacts(y);
  return context_.contact_factor * (normal().value(x_) + (contact_->has_friction() ? friction().value(x_) : 0.0));
}

SpaceContact ReducedContact::at(const MatX& y) {
  if (!placed_) stand(0);  // nothing has been checked or stepped: the start
  set_contacts(y);
  return {count(), contact_->min_distance(), normal().value(x_), contact_->has_friction() ? friction().value(x_) : 0,
          contact_->stiffness()};
}

// g += U^T grad(B + D): the chain rule over the samples.
void ReducedContact::add_gradient(const MatX& y, double scale, MatX& g) {
  set_contacts(y);
  g_.setZero();
  const double weight = context_.contact_factor * scale;
  normal().add_gradient(x_, weight, g_);
  if (contact_->has_friction()) friction().add_gradient(x_, weight, g_);
  motion_->add_gradient(y, g_, g);
}

// Forces on the samples, which are vertices of the full mesh.
void ReducedContact::add_full_gradient(const MatX& y, double scale, Points& barrier, Points& friction) {
  const auto add = [&](const auto& energy, Points& to) {
    g_.setZero();
    energy.add_gradient(x_, scale, g_);
    for (Index s = 0; s < surface_.sample_count; ++s) to.col(surface_.vertex[s]) += g_.col(s);
  };
  set_contacts(y);
  add(contact_->normal(), barrier);
  if (contact_->has_friction()) add(contact_->friction(), friction);
}

const SymBlockMatrix* ReducedContact::hessian(double scale) {
  if (!contact_->has_hessian()) return nullptr;
  std::swap(pairs_, pattern_pairs_);
  pairs_.clear();
  contact_->collect_pairs(pairs_);
  // The pattern is kept while the pairs are those of the iteration before.
  if (H_.rows() > 0 && pairs_ == pattern_pairs_) {
    H_.set_zero();
  } else {
    H_.set_pattern(make_pattern(surface_.sample_count, pairs_));
  }
  g_.setZero();
  const double weight = context_.contact_factor * scale;
  normal().add_derivatives(x_, weight, Projection::psd, g_, H_);
  if (contact_->has_friction()) friction().add_derivatives(x_, weight, Projection::psd, g_, H_);
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
  if (contact_->has_friction()) {
    obstacle_now_ = x_.rightCols(obstacle_vertices());
    place(before);
    motion_->way(before, after, d_);
    d_.rightCols(obstacle_vertices()) = obstacle_now_ - obstacle_start_;
    x_.rightCols(obstacle_vertices()) = obstacle_start_;
    contact_->took(x_, d_, 1);
    x_.rightCols(obstacle_vertices()) = obstacle_now_;
  }
  if (gone_ > 0) stay();
}

}  // namespace sinew

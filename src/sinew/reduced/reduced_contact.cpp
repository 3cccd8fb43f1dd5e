#include "sinew/reduced/reduced_contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/intersection.h"
#include "sinew/contact/kinematics.h"
#include "sinew/contact/layer_overlap.h"
#include "sinew/core/error.h"
#include "sinew/model/automatic_scales.h"

namespace sinew {
namespace {

// What the contact model sees in place of the system: the samples of the surfaces as vertices, and the obstacles as
// they are. The masses of a body are shared evenly by its samples; only their sums over bodies are used.
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

ReducedContact::ReducedContact(const System& system, CoarseSurface surface, std::unique_ptr<PointSet> samples)
    : system_(system),
      surface_(std::move(surface)),
      samples_(std::move(samples)),
      points_(system_of_samples(system, surface_)),
      contact_(make_contact_model(points_)) {
  contact_->set_stiffness(points_.contact_stiffness);
  x_ = d_ = Points::Zero(3, points_.vertex_count());
  g_.setZero(3, surface_.sample_count);
  is_touched_.assign(surface_.sample_count, 0);
}

// The samples' system has copies of what users may change while a simulation is live.
void ReducedContact::adapt(Change change) {
  if (change == Change::friction) points_.collision.friction = system_.collision.friction;
  if (change == Change::materials) {
    points_.contact_stiffness = system_.contact_stiffness;
    contact_->set_stiffness(points_.contact_stiffness);
  }
  contact_->adapt(change);
}

// x_s = sum_v w_v x_v(y) of each sample s, and the obstacles' vertices.
void ReducedContact::place(const MatX& y, const Eigen::Ref<const Points>& obstacles) {
  samples_->positions(y, x_);
  x_.rightCols(obstacle_vertices()) = obstacles;
}

void ReducedContact::find(const MatX& y, const Eigen::Ref<const Points>& obstacles,
                          const std::vector<PlaneState>& planes) {
  place(y, obstacles);
  contact_->find(x_, planes);
  found_at_ = y;
}

// Refuses a start at which the coarse surfaces intersect, although the fine ones may not.
void check_coarse_surface(const CoarseSurface& surface, const Points& x, const std::vector<PlaneState>& planes) {
  Points coarse(3, static_cast<Index>(surface.vertex.size()));
  for (std::size_t v = 0; v < surface.vertex.size(); ++v) coarse.col(v) = x.col(surface.vertex[v]);
  const char* remedy = "move the bodies apart, or raise contact.surface_samples";
  const CollisionMesh& mesh = surface.mesh;
  const std::vector<Intersection> pairs = find_intersections(mesh, coarse);
  if (!pairs.empty())
    fail_input(code::start_intersection,
               "the coarse contact surfaces, with {} samples, intersect: {} crosses {} at {} places; {}",
               surface.sample_count, mesh.owner_names[pairs[0].edge_owner], mesh.owner_names[pairs[0].triangle_owner],
               pairs.size(), remedy);
  const std::vector<BelowPlane> below = find_below_planes(mesh, coarse, planes);
  if (!below.empty())
    fail_input(code::start_intersection,
               "{} samples of the surfaces lie below the plane of {}, the first by {:.3g} m; {}", below.size(),
               mesh.owner_names[mesh.planes[below[0].plane].owner], 0 - below[0].height, remedy);
  const std::vector<LayerOverlap> layers = find_layer_overlaps(mesh, coarse, planes);
  if (!layers.empty())
    fail_input(code::start_intersection,
               "the coarse contact surfaces, with {} samples, of {} and {} are {:.3g} m apart, but with their "
               "contact.thickness they touch at {:.3g} m; {}",
               surface.sample_count, mesh.owner_names[layers[0].a],
               layers[0].a == layers[0].b ? "itself" : mesh.owner_names[layers[0].b], layers[0].distance,
               layers[0].offset, remedy);
}

// The coarse surfaces at a start, in numbers of the full mesh.
void ReducedContact::check(const MatX& y, const Eigen::Ref<const Points>& obstacles,
                           const std::vector<PlaneState>& planes) {
  place(y, obstacles);
  Points all = system_.rest;
  all.rightCols(obstacle_vertices()) = obstacles;
  for (Index s = 0; s < surface_.sample_count; ++s) all.col(surface_.vertex[s]) = x_.col(s);
  check_coarse_surface(surface_, all, planes);
}

// The step as the samples have it: contacts at its start, friction lagged there. Friction is measured from x^
// (theory, section 2), the places of the samples at the coordinates y^ of the integrator.
void ReducedContact::begin_step(const CoordinateStep& step, const MatX& start, const StepContext& context,
                                double stiffness) {
  place(start, context.start.rightCols(obstacle_vertices()));
  static_cast<StepScalars&>(context_) = step;
  context_.start = x_;
  context_.plane_start = context.plane_start;
  context_.plane_reference = context.plane_reference;
  context_.plane_end = context.plane_end;
  context_.own_slip_step = step.slip_step();
  Points& reference = context_.own_slip_reference;
  reference.resize(3, x_.cols());
  samples_->reference(step.slip_reference(), reference);
  reference.rightCols(obstacle_vertices()) = context.slip_reference().rightCols(obstacle_vertices());
  contact_->begin_step(context_, stiffness);
  found_at_ = start;
}

// Step filter on the straight ways of the samples, x_s(from) to x_s(to).
double ReducedContact::max_step(const MatX& from, const MatX& to, const Eigen::Ref<const Points>& obstacles,
                                const Eigen::Ref<const Points>& d_obstacles, const std::vector<PlaneState>& planes,
                                const std::vector<PlaneState>& planes_to) {
  // x_ is where the contacts were found; it comes back.
  std::swap(x_, kept_);
  x_.resize(3, kept_.cols());
  place(from, obstacles);
  samples_->displacement(from, to, d_);
  d_.rightCols(obstacle_vertices()) = d_obstacles;
  const double part = contact_->max_step(x_, d_, planes, planes_to);
  std::swap(x_, kept_);
  return part;
}

// D over the samples; `contact_factor` is what Newmark's kick of contact has beside a h^2 (theory, section 2).
double ReducedContact::friction_energy() const {
  return contact_->has_friction() ? context_.contact_factor * contact_->friction().value(x_) : 0.0;
}

// For the stop test: contacts that may lose half of their stiffness within the radius (theory, section 4, step 3).
bool ReducedContact::softens(double radius) const {
  const std::span<const double> mass(points_.mass.data(), context_.inertia ? points_.mass.size() : 0);
  return contact_->softens(x_, radius, mass, context_.contact_scale());
}

// G += sum_s (dx_s/dC)^T grad_s (B + D), the chain rule over the samples.
void ReducedContact::add_gradient(const MatX& y, MatX& G) {
  g_.setZero();
  const double weight = context_.contact_factor * context_.scale;
  contact_->normal().add_gradient(x_, weight, g_);
  if (contact_->has_friction()) contact_->friction().add_gradient(x_, weight, g_);
  samples_->add_gradient(y, g_, G);
}

// Forces on the samples, which are vertices of the full mesh. Arrays without columns for vertices that follow others
// get the forces that these pass on.
void ReducedContact::add_full_gradient(double scale, Points& barrier, Points& friction) {
  const auto add = [&](const auto& energy, Points& to) {
    g_.setZero();
    energy.add_gradient(x_, scale, g_);
    for (Index s = 0; s < surface_.sample_count; ++s) {
      const Index sample = surface_.vertex[s];
      if (sample < to.cols()) {
        to.col(sample) += g_.col(s);
      } else {
        for (const Embedding::Entry& entry : system_.embedding.row(sample))
          to.col(entry.vertex) += entry.weight * g_.col(s);
      }
    }
  };
  add(contact_->normal(), barrier);
  if (contact_->has_friction()) add(contact_->friction(), friction);
}

std::vector<ContactForce> ReducedContact::forces() const {
  std::vector<ContactForce> forces = contact_->forces(x_);
  for (ContactForce& force : forces)
    for (Index& v : force.v)
      if (v >= 0) v = surface_.vertex[v];
  return forces;
}

std::vector<ContactRow> ReducedContact::rows() const {
  std::vector<ContactRow> rows = contact_->rows(x_);
  for (ContactRow& row : rows)
    for (Index& v : row.v)
      if (v >= 0) v = surface_.vertex[v];
  return rows;
}

double ReducedContact::area(Index vertex) const {
  const auto samples = surface_.vertex.begin() + surface_.sample_count;
  const auto at = std::find(surface_.vertex.begin(), samples, vertex);
  if (at == samples) return 0;
  const auto sample = static_cast<Index>(at - surface_.vertex.begin());
  const auto place = std::ranges::lower_bound(surface_.mesh.vertices, sample);
  if (place == surface_.mesh.vertices.end() || *place != sample) return 0;
  return surface_.mesh.vertex_area[place - surface_.mesh.vertices.begin()];
}

// H += J^T (Hess B + Hess D) J over the samples, J = dx_s/dC:
//
// 1. The sparse Hessian by the samples' positions; its pattern is kept while the pairs stay.
// 2. Samples that some nonzero block touches.
// 3. J^T H J over these alone: m touched samples cost O(m r^2) flops.
void ReducedContact::add_hessian(Projection projection, CoordinateHessian& sum) {
  if (!contact_->has_hessian()) return;
  // Step 1.
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
  const double weight = context_.contact_factor * context_.scale;
  contact_->normal().add_derivatives(x_, weight, projection, g_, H_);
  if (contact_->has_friction()) contact_->friction().add_derivatives(x_, weight, projection, g_, H_);
  // Step 2.
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
  // Step 3.
  if (!touched_.empty()) samples_->add_hessian(H_, touched_, sum);
}

// The friction's primal-dual unknown w goes along with the step (theory, section 3, "Friction").
void ReducedContact::took(const MatX& from, const MatX& to, const Eigen::Ref<const Points>& obstacles,
                          const Eigen::Ref<const Points>& d_obstacles) {
  if (!contact_->has_friction()) return;
  std::swap(x_, kept_);
  x_.resize(3, kept_.cols());
  place(from, obstacles);
  samples_->displacement(from, to, d_);
  d_.rightCols(obstacle_vertices()) = d_obstacles;
  contact_->took(x_, d_, 1);
  std::swap(x_, kept_);
}

// Normal forces at the end of the direction, lambda+ = max(0, lambda + dlambda) (theory, section 3, "Following").
void ReducedContact::predict_forces(const MatX& to, const Eigen::Ref<const Points>& d_obstacles,
                                    const std::vector<PlaneState>& planes_end) {
  samples_->displacement(found_at_, to, d_);
  d_.rightCols(obstacle_vertices()) = d_obstacles;
  contact_->predict_forces(x_, d_, planes_end);
}

}  // namespace sinew

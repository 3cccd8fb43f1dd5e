#include "sinew/reduced/warped_loads.h"

#include "sinew/model/external_force.h"

namespace sinew {

WarpedLoads::WarpedLoads(const System& system, const std::vector<Substructure>& parts,
                         const FrameCoordinates& coordinates, const std::vector<MassCluster>& clusters)
    : system_(system), parts_(parts), frames_(coordinates) {
  std::vector<MaterialPoint> points;
  for (const MassCluster& cluster : clusters) {
    if (parts[cluster.part].floats) continue;
    if (const Skin* skin = system.skin_of(system.vertex_body[cluster.vertices.front().first]))
      skin_loads_.emplace_back(static_cast<Index>(points.size()), SkinLoad(*skin, system.rest, cluster.vertices));
    points.push_back(make_material_point(system, parts, cluster.part, cluster.vertices));
    load_.push_back(-1);
  }
  for (std::size_t l = 0; l < system.loads.size(); ++l) {
    if (!is_dead(system.loads[l].kind)) continue;
    const VecX area = vertex_areas(system, system.loads[l]);
    for (const MassCluster& cluster : clusters) {
      // A vertex that several substructures share gives each its part of the area, as of the mass.
      std::vector<std::pair<Index, double>> loaded;
      for (const auto& [vertex, mass] : cluster.vertices)
        if (area[vertex] != 0) loaded.emplace_back(vertex, area[vertex] * mass / system.mass[vertex]);
      if (loaded.empty()) continue;
      points.push_back(make_material_point(system, parts, cluster.part, loaded));
      load_.push_back(static_cast<Index>(l));
    }
  }
  const auto count = static_cast<Index>(points.size());
  force_.setZero(3, count);
  x_.setZero(3, count);
  points_.emplace(parts, coordinates, std::move(points));
}

// Force of each cluster: its mass times gravity, or its area times a traction.
void WarpedLoads::begin_step(const CoordinateStep& step, const MatX&) {
  scale_ = step.scale;
  const double time = step.time_end, ramp = step.load_factor;
  for (std::size_t s = 0; s < load_.size(); ++s) {
    const auto point = static_cast<Index>(s);
    force_.col(point) = load_[s] < 0 ? acceleration(system_, parts_[points_->part(point)].body(system_), time, ramp)
                                     : system_.loads[load_[s]].traction(time, ramp);
  }
  if (skin_loads_.empty()) return;
  // Differences over a step, which statics does not have: there bones stand still.
  const double h = step.inertia ? step.step : 1;
  for (const Skin& skin : system_.skins) {
    const auto now = skin.maps(time), before = step.inertia ? skin.maps(time - h) : now,
               after = step.inertia ? skin.maps(time + h) : now;
    for (const auto& [point, load] : skin_loads_)
      if (system_.vertex_body[parts_[points_->part(point)].vertices[0]] == skin.body())
        force_.col(point) = load.acceleration(before, now, after, h, ramp * system_.setup.gravity);
  }
}

// at_ and x_ are those of y.
void WarpedLoads::place(const MatX& y) const {
  frames_.place(y, at_);
  points_->positions(at_, x_);
}

// -sum_s f_s . x_s(y) at the warped places.
double WarpedLoads::value(const MatX& y) {
  place(y);
  return -scale_ * force_.cwiseProduct(x_).sum();
}

// -sum_s (dx_s/dC)^T f_s at the warped places: a load turns the body as its arm turns.
void WarpedLoads::add_gradient(const MatX& y, MatX& G) {
  frames_.place(y, at_);
  points_->settle(at_);
  for (Index s = 0; s < points_->count(); ++s) points_->add_gradient(s, -scale_ * force_.col(s), G);
}

// -g . sum m x of the clusters of substructures that are held.
double WarpedLoads::gravity(const MatX& y) const {
  place(y);
  Vec3 sum = Vec3::Zero();
  for (Index s = 0; s < points_->count(); ++s)
    if (load_[s] < 0) sum += x_.col(s);
  return -system_.setup.gravity.dot(sum);
}

}  // namespace sinew

#include "sinew/sound/modal_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/mesh/surface.h"
#include "sinew/modes/mode_cache.h"

namespace sinew {
namespace {

constexpr Index rigid_motions = 6;

// The modes of a body that are heard, by column.
std::vector<Index> heard_modes(const BodyModes& modes, const SystemBody& body, const SoundSettings& settings,
                               ModalBody& modal) {
  std::vector<Index> heard;
  Index elastic = 0;
  for (Index i = 0; i < modes.values.size(); ++i) {
    if (modes.values[i] <= 0) continue;  // a rigid motion
    if (++elastic > settings.modes) break;
    const double omega = std::sqrt(modes.values[i]), frequency = omega / (2 * std::numbers::pi);
    if (elastic == 1) modal.lowest = frequency;
    modal.highest = frequency;
    const bool damped = body.damping_mass > 0 || body.damping_stiffness > 0;
    const double damping =
        damped ? body.damping_mass + body.damping_stiffness * omega * omega : 2 * settings.damping_ratio * omega;
    if (frequency < lowest_heard || frequency > highest_heard || damping >= 2 * omega) continue;
    heard.push_back(i);
    modal.omega.push_back(omega);
    modal.damping.push_back(damping);
  }
  return heard;
}

// Vertices of the surface, and a third of the area vectors of the triangles around each. Triangles of which only some
// vertices move count too.
Points surface_of(const System& system, ModalBody& modal) {
  std::vector<Index> local(static_cast<std::size_t>(system.dynamic_count), -1);
  for (const Index v : modal.vertices) local[v] = 0;
  const Triangles& triangles = system.collision.triangles;
  std::vector<Eigen::Index> own;
  for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
    const auto corners = triangles.col(t);
    const auto moves = [&](Index v) { return v < system.dynamic_count && local[v] == 0; };
    if (std::any_of(corners.begin(), corners.end(), moves)) own.push_back(t);
  }
  for (const Index v : modal.vertices) local[v] = -1;
  Triangles surface(3, static_cast<Eigen::Index>(own.size()));
  for (std::size_t t = 0; t < own.size(); ++t) surface.col(static_cast<Eigen::Index>(t)) = triangles.col(own[t]);
  modal.surface = used_vertices(surface);
  for (std::size_t i = 0; i < modal.surface.size(); ++i) local[modal.surface[i]] = static_cast<Index>(i);
  Points areas = Points::Zero(3, static_cast<Eigen::Index>(modal.surface.size()));
  for (Eigen::Index t = 0; t < surface.cols(); ++t) {
    const Vec3 a = system.rest.col(surface(0, t)), b = system.rest.col(surface(1, t)),
               c = system.rest.col(surface(2, t));
    const Vec3 third = (b - a).cross(c - a) / 6;
    for (int k = 0; k < 3; ++k) areas.col(local[surface(k, t)]) += third;
  }
  return areas;
}

}  // namespace

BodyFrame ModalBody::frame(const System& system, const Points& x) const {
  BodyFrame frame = fit_frame(vertices, system.rest, x);
  frame.center += frame.rotation * center;
  return frame;
}

VecX ModalBody::modal_forces(const BodyFrame& frame, const Points& forces) const {
  VecX p = VecX::Zero(mode_count());
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const Vec3 f = forces.col(surface[i]);
    if ((f.array() == 0).all()) continue;
    p += modes.middleRows<3>(3 * static_cast<Eigen::Index>(i)).transpose() * (frame.rotation.transpose() * f);
  }
  return p;
}

std::vector<ModalBody> modal_bodies(const System& system, const std::vector<char>& fixed,
                                    const SoundSettings& settings) {
  std::vector<ModalBody> bodies;
  for (const BodyModes& modes : kept_linear_modes_by_body(system, fixed, settings.modes + rigid_motions)) {
    ModalBody modal;
    modal.vertices = modes.vertices;
    modal.body = system.vertex_body[modes.vertices.front()];
    double mass = 0;
    for (const Index v : modal.vertices) {
      mass += system.mass[v];
      modal.center += system.mass[v] * system.rest.col(v);
    }
    modal.center /= mass;

    const std::vector<Index> heard = heard_modes(modes, system.bodies[modal.body], settings, modal);
    const Points areas = surface_of(system, modal);
    const auto m = areas.cols();
    modal.places.resize(3, m);
    modal.modes.resize(3 * m, modal.mode_count());
    modal.flow.resize(m, modal.mode_count());
    for (Eigen::Index i = 0; i < m; ++i) {
      const Index v = modal.surface[static_cast<std::size_t>(i)];
      modal.places.col(i) = system.rest.col(v) - modal.center;
      const auto place = std::ranges::lower_bound(modal.vertices, v);
      const bool moves = place != modal.vertices.end() && *place == v;
      const auto row = place - modal.vertices.begin();
      for (Index k = 0; k < modal.mode_count(); ++k) {
        const Vec3 u = moves ? Vec3(modes.vectors.col(heard[k]).segment<3>(3 * row)) : Vec3(Vec3::Zero());
        modal.modes.col(k).segment<3>(3 * i) = u;
        modal.flow(i, k) = areas.col(i).dot(u);
      }
    }
    bodies.push_back(std::move(modal));
  }
  return bodies;
}

}  // namespace sinew

#include "sinew/sensors/contact_table.h"

#include <algorithm>
#include <utility>

#include <Eigen/Geometry>

#include "sinew/contact/friction.h"
#include "sinew/contact/kinematics.h"
#include "sinew/model/surface_samples.h"

namespace sinew {
namespace {

// With the tangent of planes_at().
PlaneState rest_plane(const System& system, Index plane) {
  const PlaneSetup& rest = system.planes[plane];
  return {rest.point, rest.normal, tangent_basis(rest.normal).col(0)};
}

// The plane of an owner, or -1.
Index plane_of_owner(const System& system, Index owner) {
  for (std::size_t k = 0; k < system.collision.planes.size(); ++k)
    if (system.collision.planes[k].owner == owner) return static_cast<Index>(k);
  return -1;
}

Points axis_points(const PlaneState& plane) {
  Points points(3, 3);
  points << plane.point, plane.point + plane.tangent, plane.point + plane.normal.cross(plane.tangent);
  return points;
}

// Reads the sides of contacts.
class SideReader {
 public:
  SideReader(const System& system, std::span<const PlaneState> planes)
      : system_(system), mesh_(system.collision), planes_(planes) {
    if (mesh_.has_samples()) samples_ = sample_weights(system.setup.contact.subdivision);
  }

  ContactSide first(const ContactRow& row) const { return side(row, 0, row.first, 1); }
  ContactSide second(const ContactRow& row) const {
    if (row.plane < 0) return side(row, row.first, 4, -1);
    ContactSide plane;
    plane.owner = mesh_.planes[row.plane].owner;
    plane.feature = ContactFeature::plane;
    plane.rest = row.point - plane_displacement(rest_plane(system_, row.plane), planes_[row.plane], row.point);
    return plane;
  }

 private:
  ContactSide side(const ContactRow& row, int begin, int end, double sign) const {
    ContactSide side;
    int count = 0;
    for (int k = begin; k < end && row.v[k] >= 0; ++k, ++count) {
      side.vertices[count] = user_number(row.v[k]);
      side.weights[count] = sign * row.c[k];
      side.rest += side.weights[count] * system_.rest.col(row.v[k]);
    }
    side.owner = mesh_.vertex_owner[row.v[begin]];
    side.feature = count == 1 ? ContactFeature::vertex : count == 2 ? ContactFeature::edge : ContactFeature::face;
    if (count == 1 && mesh_.is_sample(row.v[begin])) read_sample(row.v[begin] - mesh_.sample_begin, side);
    return side;
  }

  void read_sample(Index sample, ContactSide& side) const {
    side.feature = ContactFeature::sample;
    side.weights = samples_[sample % mesh_.samples_of_triangle];
    for (int k = 0; k < 3; ++k) side.vertices[k] = user_number(mesh_.sample_corners(k, sample));
  }

  Index user_number(Index v) const {
    const Index bodies = system_.body_vertex_count();
    return v < bodies ? system_.vertex_to_user[v] : system_.obstacle_vertex_to_own[v - bodies];
  }

  const System& system_;
  const CollisionMesh& mesh_;
  std::span<const PlaneState> planes_;
  std::vector<std::array<double, 3>> samples_;
};

}  // namespace

const char* name_of(ContactFeature feature) {
  switch (feature) {
    case ContactFeature::edge:
      return "edge";
    case ContactFeature::face:
      return "face";
    case ContactFeature::sample:
      return "sample";
    case ContactFeature::plane:
      return "plane";
    default:
      return "vertex";
  }
}

std::vector<TableContact> contact_table(const System& system, std::span<const PlaneState> planes,
                                        std::span<const ContactRow> rows) {
  const SideReader reader(system, planes);
  std::vector<TableContact> table;
  table.reserve(rows.size());
  for (const ContactRow& row : rows) {
    table.push_back({reader.first(row), reader.second(row), row.point, row.normal, row.friction, row.slip, row.gap,
                     row.normal_force, row.area, row.couple});
    TableContact& contact = table.back();
    if (contact.a.owner <= contact.b.owner) continue;
    std::swap(contact.a, contact.b);
    std::swap(contact.couple[0], contact.couple[1]);
    for (Vec3* vector : {&contact.normal, &contact.friction, &contact.slip}) *vector = -*vector;
  }
  return table;
}

Wrench wrench_on(std::span<const TableContact> contacts, Index on, Index by, const Vec3& about) {
  Wrench sum;
  const auto add = [&](const TableContact& contact, const Vec3& force, const Vec3& couple) {
    sum.force += force;
    sum.moment += (contact.point - about).cross(force) + couple;
  };
  for (const TableContact& contact : contacts) {
    const Vec3 force = contact.force_on_a();
    if (contact.a.owner == on && (by < 0 || contact.b.owner == by)) add(contact, force, contact.couple[0]);
    if (contact.b.owner == on && (by < 0 || contact.a.owner == by)) add(contact, -force, contact.couple[1]);
  }
  return sum;
}

OwnerPlaces obstacle_places(const System& system, double time) {
  OwnerPlaces places;
  place_obstacle_vertices(system, time, places.x);
  places.first = system.body_vertex_count();
  places.planes = planes_at(system, time);
  return places;
}

Vec3 center_of(const System& system, const OwnerPlaces& places, Index owner) {
  const CollisionMesh& mesh = system.collision;
  if (const Index plane = plane_of_owner(system, owner); plane >= 0) return places.planes[plane].point;
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  if (owner < static_cast<Index>(system.bodies.size())) {
    for (Index i = 0; i < system.dynamic_count; ++i) {
      if (system.vertex_body[i] != owner) continue;
      sum += system.mass[i] * places.x.col(i - places.first);
      weight += system.mass[i];
    }
  } else {
    for (Index v = system.body_vertex_count(); v < system.vertex_count(); ++v) {
      if (mesh.vertex_owner[v] != owner) continue;
      sum += places.x.col(v - places.first);
      ++weight;
    }
  }
  return sum / weight;
}

PlacedSurface placed_surface(const System& system, const OwnerPlaces& places, Index owner) {
  if (const Index plane = plane_of_owner(system, owner); plane >= 0)
    return {axis_points(rest_plane(system, plane)), axis_points(places.planes[plane])};
  std::vector<Index> vertices;
  for (const Index v : system.collision.vertices)
    if (system.collision.vertex_owner[v] == owner) vertices.push_back(v);
  PlacedSurface surface{Points(3, vertices.size()), Points(3, vertices.size())};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    surface.rest.col(static_cast<Index>(i)) = system.rest.col(vertices[i]);
    surface.now.col(static_cast<Index>(i)) = places.x.col(vertices[i] - places.first);
  }
  return surface;
}

std::vector<ObstacleForces> obstacle_forces(const System& system, std::span<const ContactForce> forces) {
  const CollisionMesh& mesh = system.collision;
  const auto bodies = static_cast<Index>(system.bodies.size());
  std::vector<ObstacleForces> result;
  const Index first = system.body_vertex_count();
  std::vector<Index> columns(system.setup.obstacles.size(), 1);
  for (Index v = first; v < system.vertex_count(); ++v) {
    Index& count = columns[mesh.vertex_owner[v] - bodies];
    count = std::max(count, system.obstacle_vertex_to_own[v - first] + 1);
  }
  for (const Index count : columns) {
    const Points zero = Points::Zero(3, count);
    result.push_back({bodies + static_cast<Index>(result.size()), zero, zero});
  }
  for (const ContactForce& contact : forces) {
    for (int a = 0; a < 4; ++a) {
      const Index v = contact.v[a];
      if (v < 0) continue;
      const bool on_plane = contact.plane >= 0;  // by the vertex, and opposite
      if (!on_plane && v < first) continue;
      ObstacleForces& to = result[(on_plane ? mesh.planes[contact.plane].owner : mesh.vertex_owner[v]) - bodies];
      const Index column = on_plane ? 0 : system.obstacle_vertex_to_own[v - first];
      (contact.friction ? to.friction : to.contact).col(column) += (on_plane ? -1 : 1) * contact.force[a];
    }
  }
  return result;
}

}  // namespace sinew

// Contacts by the numbers of bodies, obstacles and vertices that users know, and sums of their forces.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/model/state.h"
#include "sinew/model/system.h"
#include "sinew/potential/contact_force.h"
#include "sinew/potential/contact_row.h"

namespace sinew {

// Samples are points inside the triangles of convergent contact.
enum class ContactFeature { vertex, edge, face, sample, plane };
const char* name_of(ContactFeature feature);

struct ContactSide {
  Index owner = -1;  // as CollisionMesh::vertex_owner
  ContactFeature feature = ContactFeature::vertex;
  // The closest point is the weighted sum of these vertices. Vertices of bodies are numbered over all bodies, those of
  // an obstacle as in its mesh. -1: there are fewer, or the vertex is in no mesh of the user. A sample has the vertices
  // of its face.
  std::array<Index, 3> vertices{-1, -1, -1};
  std::array<double, 3> weights{0, 0, 0};
  Vec3 rest = Vec3::Zero();  // the closest point in the rest state [m]
};

// As ContactRow, but the first side has the smaller owner, so that obstacles are second.
struct TableContact {
  ContactSide a, b;
  Vec3 point, normal, friction, slip;
  double gap, normal_force, area;
  std::array<Vec3, 2> couple;

  Vec3 force_on_a() const { return normal_force * normal + friction; }
};

// planes: their present states.
std::vector<TableContact> contact_table(const System& system, std::span<const PlaneState> planes,
                                        std::span<const ContactRow> rows);

struct Wrench {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // [N], [N m]
};

// The contact forces on an owner by another, or by all if `by` is -1, with their moment about a point.
Wrench wrench_on(std::span<const TableContact> contacts, Index on, Index by, const Vec3& about);

// The present places of bodies or of obstacles.
struct OwnerPlaces {
  Points x;         // of all vertices of bodies, or of those of obstacles
  Index first = 0;  // the vertex of the first column
  std::vector<PlaneState> planes;
};
// Places of obstacles at a time, at no cost for the bodies.
OwnerPlaces obstacle_places(const System& system, double time);

// The centre of mass of a body, the mean of an obstacle's vertices, or the point of a plane.
Vec3 center_of(const System& system, const OwnerPlaces& places, Index owner);

// Points of an owner's surface at rest and at present [m]: its vertices, or three points of a plane.
struct PlacedSurface {
  Points rest, now;
};
PlacedSurface placed_surface(const System& system, const OwnerPlaces& places, Index owner);

// Forces on the vertices of an obstacle in the numbering of its mesh, up to the last one in a triangle, 3 x n [N]. A
// plane has one column, their sum.
struct ObstacleForces {
  Index owner = -1;
  Points contact, friction;
};
std::vector<ObstacleForces> obstacle_forces(const System& system, std::span<const ContactForce> forces);

}  // namespace sinew

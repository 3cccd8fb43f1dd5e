#include "sinew/model/naming.h"

#include <fmt/format.h>

namespace sinew {
namespace {

// A sample of convergent contact.
std::string sample_text(const System& system, Index vertex) {
  const auto corners = system.collision.sample_corners.col(vertex - system.collision.sample_begin);
  return "a point of " + primitive_text(system, std::span(corners.data(), 3));
}

}  // namespace

Index own_number(const System& system, Index vertex) {
  if (system.on_collision_surface(vertex)) {
    return system.collision_vertex_to_own[vertex - system.collision_surface_begin()];
  }
  if (vertex >= system.body_vertex_count()) return system.obstacle_vertex_to_own[vertex - system.body_vertex_count()];
  return system.vertex_to_user[vertex] - system.bodies[system.vertex_body[vertex]].user_begin;
}

std::string owner_text(const System& system, Index owner) {
  const bool body = owner < static_cast<Index>(system.bodies.size());
  return fmt::format("{} '{}'", body ? "body" : "obstacle", system.collision.owner_names[owner]);
}

std::string vertex_text(const System& system, Index vertex) {
  if (vertex < system.dynamic_count && system.vertex_to_user[vertex] < 0)
    return fmt::format("a control point of {}", owner_text(system, system.vertex_body[vertex]));
  if (system.collision.is_sample(vertex))
    return fmt::format("{} of {}", sample_text(system, vertex), owner_text(system, system.vertex_body[vertex]));
  if (system.on_collision_surface(vertex))
    return fmt::format("vertex {} of the collision surface of {}", own_number(system, vertex),
                       owner_text(system, system.vertex_body[vertex]));
  return fmt::format("vertex {} of {}", own_number(system, vertex),
                     owner_text(system, system.collision.vertex_owner[vertex]));
}

Index user_tet_of(const System& system, Index tet) {
  const SystemBody& body = system.bodies[system.tet_body[tet]];
  const int parts = body.quadratic_count > 0 ? parts_of_quadratic : 1;
  return (system.tet_to_user[tet] - body.tet_user_begin) / parts;
}

std::string tet_text(const System& system, Index tet) {
  const SystemBody& body = system.bodies[system.tet_body[tet]];
  if (system.tet_to_user[tet] < 0) return fmt::format("the control tet of affine body '{}'", body.name);
  return fmt::format("tet {} of body '{}'", user_tet_of(system, tet), body.name);
}

std::string primitive_text(const System& system, std::span<const Index> vertices) {
  if (system.collision.is_sample(vertices[0])) return sample_text(system, vertices[0]);
  const char* surface = system.on_collision_surface(vertices[0]) ? " of the collision surface" : "";
  if (vertices.size() == 1) return fmt::format("vertex {}{}", own_number(system, vertices[0]), surface);
  std::string text = vertices.size() == 2 ? "edge (" : "triangle (";
  for (std::size_t k = 0; k < vertices.size(); ++k)
    text += fmt::format("{}{}", k ? ", " : "", own_number(system, vertices[k]));
  return text + ")" + surface;
}

std::string place_text(const Vec3& position) {
  const Vec3 p = position.array() + 0.0;  // -0 becomes 0
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p.x(), p.y(), p.z());
}

}  // namespace sinew

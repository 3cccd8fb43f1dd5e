#include "sinew/io/picture_scene.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

Points chosen_columns(const Points& all, const std::vector<Index>& vertices) {
  return all(Eigen::all, vertices);
}

Vec3 up_of(const System& system) {
  const Vec3& gravity = system.setup.gravity;
  return gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(0, 1, 0);
}

// A unit vector in the plane, which moves with it where its motion tells how.
Vec3 tangent_of(const PlaneState& plane) {
  if (plane.tangent.norm() > 0) return plane.tangent;
  Eigen::Index axis = 0;
  plane.normal.cwiseAbs().minCoeff(&axis);
  return plane.normal.cross(Vec3::Unit(axis)).normalized();
}

// From 0 to 1. All values at the lower end where the range is empty.
VecX shares(const VecX& values, const PictureField& field) {
  const double width = field.high - field.low;
  return width > 0 ? VecX((values.array() - field.low) / width) : VecX(values.array() * 0);
}

}  // namespace

PictureScene::PictureScene(const System& system) {
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const SystemBody& body = system.bodies[b];
    Part part;
    part.id = static_cast<Index>(b);
    if (body.render) {
      part.render = body.render;
      part.first = body.user_begin;
      part.mesh = std::make_shared<const RenderMesh>(body.render->mesh.vertices, body.render->mesh.triangles);
      parts_.push_back(std::move(part));
    } else if (body.triangle_count > 0) {
      add(std::move(part), system.user_rest,
          system.user_triangles.middleCols(body.triangle_begin, body.triangle_count));
    } else {
      add(std::move(part), system.user_rest,
          boundary_triangles(system.user_tets.middleCols(body.tet_user_begin, body.tet_count)));
    }
  }
  std::map<Index, std::vector<Index>> corners;  // by owner of an obstacle
  for (const auto triangle : system.collision.triangles.colwise()) {
    if (triangle.minCoeff() < system.body_vertex_count()) continue;
    std::vector<Index>& list = corners[system.collision.vertex_owner[triangle[0]]];
    list.insert(list.end(), triangle.begin(), triangle.end());
  }
  for (const auto& [owner, list] : corners) {
    Part part;
    part.id = owner;
    part.body = false;
    add(std::move(part), system.rest, Eigen::Map<const Triangles>(list.data(), 3, static_cast<Index>(list.size() / 3)));
  }
}

void PictureScene::add(Part part, const Points& rest, Triangles triangles) {
  part.vertices = used_vertices(triangles);
  for (Index& v : triangles.reshaped())
    v = static_cast<Index>(std::ranges::lower_bound(part.vertices, v) - part.vertices.begin());
  part.mesh = std::make_shared<const RenderMesh>(chosen_columns(rest, part.vertices), triangles);
  parts_.push_back(std::move(part));
}

RenderScene PictureScene::at(const System& system, const Points& user, const State& state,
                             const PictureField* field) const {
  RenderScene scene;
  scene.up = up_of(system);
  for (const Part& part : parts_) {
    RenderObject object;
    object.mesh = part.mesh;
    object.id = part.id;
    object.main = part.body;
    object.color = part.body ? body_color(static_cast<std::size_t>(part.id)) : obstacle_color;
    object.positions = part.render ? part.render->positions(user, part.first)
                                   : chosen_columns(part.body ? user : state.x, part.vertices);
    if (field && part.body) {
      object.values = shares(
          part.render ? part.render->means(field->values, part.first) : VecX(field->values(part.vertices)), *field);
    }
    scene.objects.push_back(std::move(object));
  }
  for (std::size_t p = 0; p < state.planes.size(); ++p) {
    const PlaneState& plane = state.planes[p];
    scene.planes.push_back({plane.point, plane.normal, tangent_of(plane), system.collision.planes[p].owner});
  }
  return scene;
}

RenderScene PictureScene::at(Frame& frame, const PictureField* field) const {
  return at(frame.system(), frame.positions(), frame.state(), field);
}

Points PictureScene::framed(Frame& frame) const {
  const System& system = frame.system();
  const Points now = framed_points(at(frame)), rest = framed_points(at(system, system.user_rest, frame.state()));
  Points both(3, now.cols() + rest.cols());
  both << now, rest;
  return both;
}

}  // namespace sinew

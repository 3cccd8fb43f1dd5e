#include <array>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/numbering.h"
#include "sinew/model/surface_samples.h"

namespace sinew {
namespace {

// Bodies one after the other, each along its own Hilbert curve; unused nodes are left out.
void number_bodies(const Setup& setup, System& s, VertexMaps& maps) {
  Index triangles = 0, quadratic = 0;
  for (const BodySetup& body : setup.bodies) {
    const Index b = static_cast<Index>(s.bodies.size());
    SystemBody out;
    out.name = body.name;
    out.user_begin = s.user_vertex_count;
    const TetMesh& mesh = body.user_mesh();
    out.vertex_count = mesh.vertex_count();
    out.tet_user_begin = s.user_tet_count;
    out.tet_count = mesh.tet_count();
    out.quadratic_begin = quadratic;
    out.quadratic_count = static_cast<Index>(mesh.quadratic.cols());
    quadratic += out.quadratic_count;
    out.triangle_begin = triangles;
    out.triangle_count = static_cast<Index>(mesh.triangles.cols());
    out.affine_volume = body.volume;
    out.collision_surface = body.collision.has_value();
    out.render = body.render;
    out.heat = body.heat;
    out.swelling = body.swelling;
    out.damping_mass = body.damping_mass;
    out.damping_stiffness = body.damping_stiffness;
    out.acceleration = body.acceleration;
    out.acceleration_keys = body.acceleration_keys;
    out.has_skeleton = body.skeleton.has_value();
    std::vector<Index> map(body.mesh.vertex_count(), Index{-1});
    for (const Index v : hilbert_order(body.mesh.vertices, used_vertices(body.mesh))) {
      map[v] = s.dynamic_count++;
      s.vertex_to_user.push_back(body.follower ? -1 : s.user_vertex_count + v);
      s.vertex_body.push_back(b);
    }
    s.user_vertex_count += out.vertex_count;
    s.user_tet_count += out.tet_count;
    triangles += out.triangle_count;
    if (body.skeleton) {
      const Index first =
          s.dynamic_count - static_cast<Index>(std::ranges::count_if(map, [](Index v) { return v >= 0; }));
      std::vector<Index> vertices(static_cast<std::size_t>(s.dynamic_count - first));
      MatX weights(static_cast<Eigen::Index>(vertices.size()), body.skeleton->weights.cols());
      for (std::size_t v = 0; v < map.size(); ++v) {
        if (map[v] < 0) continue;
        vertices[static_cast<std::size_t>(map[v] - first)] = map[v];
        weights.row(map[v] - first) = body.skeleton->weights.row(static_cast<Eigen::Index>(v));
      }
      s.skins.emplace_back(b, body.skeleton->bones, std::move(vertices), weights);
    }
    maps.mesh.push_back(std::move(map));
    s.bodies.push_back(std::move(out));
  }
  s.user_triangles.resize(3, triangles);
}

Embedding::Row renumbered(Embedding::Row row, const std::vector<Index>& map) {
  for (Embedding::Entry& entry : row) entry.vertex = map[entry.vertex];
  return row;
}

// Appends to the rows those of collision surfaces.
void number_collision_surfaces(const Setup& setup, std::vector<Embedding::Row>& rows, System& s, VertexMaps& maps) {
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const BodySetup& body = setup.bodies[b];
    maps.collision.emplace_back();
    if (!body.collision) continue;
    std::vector<Index>& map = maps.collision.back();
    map.assign(body.collision_rows.size(), Index{-1});
    for (const Index v : hilbert_order(body.collision->vertices, used_vertices(body.collision->triangles))) {
      map[v] = s.dynamic_count + static_cast<Index>(rows.size());
      s.vertex_to_user.push_back(-1);
      s.collision_vertex_to_own.push_back(v);
      s.vertex_body.push_back(static_cast<Index>(b));
      rows.push_back(renumbered(body.collision_rows[v], maps.mesh[b]));
    }
  }
}

// Appends to the rows those of the sample points of convergent contact, triangle by triangle.
void number_samples(const Setup& setup, std::vector<Embedding::Row>& rows, System& s, const VertexMaps& maps) {
  if (!setup.contact.enabled || setup.contact.model != ContactKind::convergent) return;
  CollisionMesh& mesh = s.collision;
  mesh.sample_begin = s.dynamic_count + static_cast<Index>(rows.size());
  const auto all_weights = sample_weights(setup.contact.subdivision);
  mesh.samples_of_triangle = static_cast<int>(all_weights.size());
  std::vector<Index> corners;  // of each sample
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const BodySetup& body = setup.bodies[b];
    const std::vector<Index>& map = body.collision ? maps.collision[b] : maps.body[b];
    const Triangles triangles = body.collision                ? body.collision->triangles
                                : body.user_mesh().is_cloth() ? body.user_mesh().triangles
                                                              : boundary_triangles(body.user_mesh().tets);
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
      const std::array<Index, 3> corner{map[triangles(0, t)], map[triangles(1, t)], map[triangles(2, t)]};
      for (const std::array<double, 3>& weights : all_weights) {
        rows.push_back(follow(corner, weights, s.dynamic_count, rows));
        corners.insert(corners.end(), corner.begin(), corner.end());
        s.vertex_to_user.push_back(-1);
        s.vertex_body.push_back(static_cast<Index>(b));
      }
    }
  }
  mesh.sample_corners = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
}

// The vertices of users' meshes that follow other ones, behind those.
void number_followers(const Setup& setup, System& s, VertexMaps& maps) {
  std::vector<Embedding::Row> rows;
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const BodySetup& body = setup.bodies[b];
    if (!body.follower) {
      maps.body.push_back(maps.mesh[b]);
      continue;
    }
    std::vector<Index> map(body.follower->vertex_count(), Index{-1});
    for (const Index v : hilbert_order(body.follower->vertices, used_vertices(*body.follower))) {
      map[v] = s.dynamic_count + static_cast<Index>(rows.size());
      s.vertex_to_user.push_back(s.bodies[b].user_begin + v);
      s.vertex_body.push_back(static_cast<Index>(b));
      rows.push_back(renumbered(body.follower_rows[v], maps.mesh[b]));
    }
    maps.body.push_back(std::move(map));
  }
  number_collision_surfaces(setup, rows, s, maps);
  number_samples(setup, rows, s, maps);
  s.embedding = Embedding(s.dynamic_count, rows);
}

Index number_obstacles(const Setup& setup, Index next, VertexMaps& maps) {
  for (const ObstacleSetup& obstacle : setup.obstacles) {
    maps.obstacle.emplace_back();
    if (!obstacle.mesh) continue;
    maps.obstacle.back().assign(obstacle.mesh->vertices.cols(), Index{-1});
    for (const Index v : hilbert_order(obstacle.mesh->vertices, used_vertices(obstacle.mesh->triangles))) {
      maps.obstacle.back()[v] = next++;
    }
  }
  return next;
}

void place(const Points& positions, const std::vector<Index>& map, Points& rest) {
  for (std::size_t v = 0; v < map.size(); ++v) {
    if (map[v] >= 0) rest.col(map[v]) = positions.col(static_cast<Eigen::Index>(v));
  }
}

}  // namespace

VertexMaps number_vertices(const Setup& setup, System& s) {
  VertexMaps maps;
  number_bodies(setup, s, maps);
  number_followers(setup, s, maps);
  s.rest.resize(3, number_obstacles(setup, s.body_vertex_count(), maps));
  s.user_rest.resize(3, s.user_vertex_count);
  s.user_tets.resize(4, s.user_tet_count);
  s.user_quadratic_tets.resize(
      10, s.bodies.empty() ? 0 : s.bodies.back().quadratic_begin + s.bodies.back().quadratic_count);
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const TetMesh& mesh = setup.bodies[b].user_mesh();
    place(setup.bodies[b].mesh.vertices, maps.mesh[b], s.rest);
    s.user_rest.middleCols(s.bodies[b].user_begin, mesh.vertex_count()) = mesh.vertices;
    s.user_tets.middleCols(s.bodies[b].tet_user_begin, mesh.tet_count()) = mesh.tets.array() + s.bodies[b].user_begin;
    s.user_quadratic_tets.middleCols(s.bodies[b].quadratic_begin, s.bodies[b].quadratic_count) =
        mesh.quadratic.array() + s.bodies[b].user_begin;
    s.user_triangles.middleCols(s.bodies[b].triangle_begin, s.bodies[b].triangle_count) =
        mesh.triangles.array() + s.bodies[b].user_begin;
  }
  s.embedding.place(s.rest);
  s.obstacle_vertex_to_own.resize(s.obstacle_vertex_count());
  for (std::size_t o = 0; o < setup.obstacles.size(); ++o) {
    if (!setup.obstacles[o].mesh) continue;
    place(setup.obstacles[o].mesh->vertices, maps.obstacle[o], s.rest);
    for (std::size_t v = 0; v < maps.obstacle[o].size(); ++v) {
      const Index id = maps.obstacle[o][v];
      if (id >= 0) s.obstacle_vertex_to_own[id - s.body_vertex_count()] = static_cast<Index>(v);
    }
  }
  return maps;
}

}  // namespace sinew

// Collision meshes for tests and benchmarks: from triangle soups with owners, and a few shapes.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "sinew/model/collision_mesh.h"

namespace sinew::test {

struct ContactScene {
  CollisionMesh mesh;
  Points x;  // 3 x n [m]
};

// Bodies are added one after the other; obstacles (kinematic) last. finish() derives edges and areas.
class SceneBuilder {
 public:
  void add(const Points& points, const Triangles& triangles, bool kinematic = false) {
    const Index offset = static_cast<Index>(scene_.x.cols());
    Points x(3, offset + points.cols());
    x << scene_.x, points;
    scene_.x = x;
    Triangles all(3, scene_.mesh.triangles.cols() + triangles.cols());
    all << scene_.mesh.triangles, (triangles.array() + offset).matrix();
    scene_.mesh.triangles = all;
    for (Index i = 0; i < points.cols(); ++i) {
      scene_.mesh.vertices.push_back(offset + i);
      scene_.mesh.vertex_owner.push_back(scene_.mesh.owner_count);
      scene_.mesh.vertex_material.push_back(0);
    }
    if (!kinematic) scene_.mesh.dynamic_count = static_cast<Index>(x.cols());
    scene_.mesh.owner_names.push_back("body " + std::to_string(scene_.mesh.owner_count++));
  }

  ContactScene finish(bool self_contact = true) {
    CollisionMesh& mesh = scene_.mesh;
    std::map<std::pair<Index, Index>, double> edges;
    mesh.vertex_area.assign(mesh.vertices.size(), 0);
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      const Vec3 a = scene_.x.col(mesh.triangles(0, t)), b = scene_.x.col(mesh.triangles(1, t)),
                 c = scene_.x.col(mesh.triangles(2, t));
      const Vec3 u = b - a, v = c - a;
      const double third =
          Vec3(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]).norm() / 6;
      for (int k = 0; k < 3; ++k) {
        const Index i = mesh.triangles(k, t), j = mesh.triangles((k + 1) % 3, t);
        mesh.vertex_area[i] += third;
        edges[{std::max(i, j), std::min(i, j)}] += third;  // by larger id first
      }
    }
    mesh.edges.resize(2, static_cast<Index>(edges.size()));
    Index e = 0;
    for (const auto& [ends, area] : edges) {
      mesh.edges.col(e++) << ends.second, ends.first;
      mesh.edge_area.push_back(area);
      mesh.edge_rest_length2.push_back((scene_.x.col(ends.first) - scene_.x.col(ends.second)).squaredNorm());
    }
    mesh.may_touch.assign(static_cast<std::size_t>(mesh.owner_count) * mesh.owner_count, 1);
    if (!self_contact)
      for (Index o = 0; o < mesh.owner_count; ++o)
        mesh.may_touch[static_cast<std::size_t>(o) * (mesh.owner_count + 1)] = 0;
    mesh.material_count = 1;
    mesh.friction = {0};
    return std::move(scene_);
  }

 private:
  ContactScene scene_{{}, Points(3, 0)};
};

// cells x cells squares of two triangles over [0, size]^2 at height z(u, v), u, v in [0, size].
template <class F>
std::pair<Points, Triangles> height_field(Index cells, double size, F&& z) {
  Points x(3, (cells + 1) * (cells + 1));
  for (Index i = 0; i <= cells; ++i)
    for (Index j = 0; j <= cells; ++j) {
      const double u = size * i / cells, v = size * j / cells;
      x.col(i * (cells + 1) + j) << u, v, z(u, v);
    }
  Triangles t(3, 2 * cells * cells);
  for (Index i = 0; i < cells; ++i)
    for (Index j = 0; j < cells; ++j) {
      const Index a = i * (cells + 1) + j, b = a + cells + 1;
      t.col(2 * (i * cells + j)) << a, b, b + 1;
      t.col(2 * (i * cells + j) + 1) << a, b + 1, a + 1;
    }
  return {x, t};
}

// A sphere of 8 * 4^levels triangles from an octahedron.
inline std::pair<Points, Triangles> octasphere(int levels, double radius, const Vec3& center) {
  std::vector<Vec3> points{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<Index, 3>> faces{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<Index, Index>, Index> middles;
    const auto middle = [&](Index a, Index b) {
      const auto [at, added] = middles.try_emplace(std::minmax(a, b), static_cast<Index>(points.size()));
      if (added) points.push_back((points[a] + points[b]).normalized());
      return at->second;
    };
    std::vector<std::array<Index, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = finer;
  }
  Points x(3, points.size());
  for (std::size_t i = 0; i < points.size(); ++i) x.col(i) = center + radius * points[i];
  Triangles t(3, faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) t.col(i) << faces[i][0], faces[i][1], faces[i][2];
  return {x, t};
}

}  // namespace sinew::test

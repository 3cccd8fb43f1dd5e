#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Geometry>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/sort_unique.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/automatic_scales.h"
#include "sinew/model/body_edges.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/surface_samples.h"

namespace sinew {
namespace {

// Looks names up in a list, with an index that is made once.
class NameTable {
 public:
  explicit NameTable(const std::vector<std::string>& names) {
    for (const std::string& name : names) add(name);
  }
  Index add(const std::string& name) {
    const auto [entry, added] = ids_.emplace(name, static_cast<Index>(ids_.size()));
    return entry->second;
  }
  Index find(const std::string& name) const {
    const auto entry = ids_.find(name);
    return entry == ids_.end() ? -1 : entry->second;
  }
  Index size() const { return static_cast<Index>(ids_.size()); }
  std::vector<std::string> names() const {
    std::vector<std::string> all(ids_.size());
    for (const auto& [name, id] : ids_) all[static_cast<std::size_t>(id)] = name;
    return all;
  }

 private:
  std::map<std::string, Index> ids_;
};

class CollisionBuilder {
 public:
  CollisionBuilder(const Setup& setup, const VertexMaps& maps, System& system)
      : setup_(setup), maps_(maps), s_(system), c_(system.collision), materials_(system.material_names) {}

  void build() {
    c_.dynamic_count = s_.body_vertex_count();
    for (const BodySetup& body : setup_.bodies) c_.owner_names.push_back(body.name);
    for (const ObstacleSetup& obstacle : setup_.obstacles) c_.owner_names.push_back(obstacle.name);
    c_.owner_count = static_cast<Index>(c_.owner_names.size());
    c_.vertex_owner.resize(s_.vertex_count());
    c_.vertex_material.resize(s_.vertex_count());
    std::copy(s_.vertex_body.begin(), s_.vertex_body.end(), c_.vertex_owner.begin());
    body_surfaces();
    obstacle_surfaces();
    c_.edges = unique_edges(c_.triangles);
    c_.vertices = used_vertices(c_.triangles);
    for (Index s = 0; s < c_.sample_corners.cols(); ++s) c_.vertices.push_back(c_.sample_begin + s);
    std::ranges::sort(c_.vertices);
    measure();
    if (c_.has_samples()) measure_samples(s_.rest, c_);
    permissions();
    offsets();
    interferences();
    glue();
    friction();
  }

 private:
  // The boundary of all bodies of tets at once, as they share no vertex; then cloth, whose triangles are its surface:
  // distances know no sides.
  void body_surfaces() {
    const std::vector<TetFace> faces = sorted_faces(s_.tets);
    std::vector<TetFace> boundary;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const bool shared = (i > 0 && faces[i].same_vertices(faces[i - 1])) ||
                          (i + 1 < faces.size() && faces[i].same_vertices(faces[i + 1]));
      const Index tet = faces[i].tet();
      if (!shared && s_.tet_to_user[tet] >= 0 && !s_.bodies[s_.tet_body[tet]].collision_surface)
        boundary.push_back(faces[i]);
    }
    const Triangles followers = follower_triangles();
    const Triangles cloth = cloth_triangles(), embedded = embedded_triangles();
    const Eigen::Index closed = static_cast<Eigen::Index>(boundary.size());
    body_triangles_ = closed + followers.cols() + cloth.cols() + embedded.cols();
    c_.triangles.resize(3, body_triangles_ + obstacle_triangles());
    for (std::size_t f = 0; f < boundary.size(); ++f) {
      const auto& corners = tet_faces[boundary[f].local()];
      for (int k = 0; k < 3; ++k)
        c_.triangles(k, static_cast<Eigen::Index>(f)) = s_.tets(corners[k], boundary[f].tet());
    }
    c_.triangles.middleCols(closed, followers.cols()) = followers;
    c_.triangles.middleCols(closed + followers.cols(), cloth.cols()) = cloth;
    c_.triangles.middleCols(body_triangles_ - embedded.cols(), embedded.cols()) = embedded;
    choose_materials(boundary);
    choose_follower_materials();
    choose_embedded_materials();
  }

  // Of bodies without a collision surface of their own.
  Triangles cloth_triangles() const {
    Triangles kept = s_.triangles;
    Eigen::Index count = 0;
    for (const SystemBody& body : s_.bodies) {
      if (body.collision_surface) continue;
      kept.middleCols(count, body.triangle_count) = s_.triangles.middleCols(body.triangle_begin, body.triangle_count);
      count += body.triangle_count;
    }
    return kept.leftCols(count);
  }

  // Collision surfaces of their own.
  Triangles embedded_triangles() const {
    std::vector<Index> corners;
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b)
      if (const auto& surface = setup_.bodies[b].collision)
        for (const Index v : surface->triangles.reshaped()) corners.push_back(maps_.collision[b][v]);
    return Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
  }

  // The material of what a vertex follows most; of an affine body its first. That of a sample is its first corner's.
  void choose_embedded_materials() {
    for (Index v = s_.dynamic_count; v < s_.body_vertex_count(); ++v) {
      if (!s_.on_collision_surface(v)) continue;
      const auto row = s_.embedding.row(v);
      const Index most = std::ranges::max_element(row, {}, &Embedding::Entry::weight)->vertex;
      c_.vertex_material[v] = c_.vertex_material[most];
    }
    for (Index s = 0; s < c_.sample_corners.cols(); ++s)
      c_.vertex_material[c_.sample_begin + s] = c_.vertex_material[c_.sample_corners(0, s)];
  }

  // The boundaries of volume meshes that follow other ones; surfaces that do are among the triangles of cloth.
  Triangles follower_triangles() const {
    std::vector<Index> corners;
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      const BodySetup& body = setup_.bodies[b];
      if (!body.follower || body.follower->is_cloth() || body.collision) continue;
      const Triangles boundary = boundary_triangles(body.follower->tets);
      for (const Index v : boundary.reshaped()) corners.push_back(maps_.body[b][v]);
    }
    return Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
  }

  // Of several materials around a vertex the first.
  void choose_follower_materials() {
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      const BodySetup& body = setup_.bodies[b];
      if (!body.follower || body.follower->is_cloth() || body.collision) continue;
      for (auto a = body.follower_materials.rbegin(); a != body.follower_materials.rend(); ++a) {
        const Index material = materials_.add(a->name);
        const auto choose = [&](Index t) {
          for (const Index v : body.follower->tets.col(t)) c_.vertex_material[maps_.body[b][v]] = material;
        };
        if (a->tets.empty())
          for (Index t = 0; t < body.follower->tet_count(); ++t) choose(t);
        for (const Index t : a->tets) choose(t);
      }
    }
  }

  Eigen::Index obstacle_triangles() const {
    Eigen::Index count = 0;
    for (const ObstacleSetup& obstacle : setup_.obstacles) count += obstacle.mesh ? obstacle.mesh->triangles.cols() : 0;
    return count;
  }

  // A surface vertex takes the material that has most of the area around it; of equals, and inside, the first.
  void choose_materials(const std::vector<TetFace>& boundary) {
    std::vector<Index>& chosen = c_.vertex_material;
    std::fill(chosen.begin(), chosen.end(), static_cast<Index>(s_.material_names.size()));
    for (Index t = 0; t < s_.tet_count(); ++t) {
      for (int k = 0; k < 4; ++k) chosen[s_.tets(k, t)] = std::min(chosen[s_.tets(k, t)], s_.tet_material[t]);
    }
    for (Index f = 0; f < s_.triangle_count(); ++f) {
      for (int k = 0; k < 3; ++k)
        chosen[s_.triangles(k, f)] = std::min(chosen[s_.triangles(k, f)], s_.triangle_material[f]);
    }
    if (s_.material_names.size() < 2) return;
    std::map<std::pair<Index, Index>, double> area;  // by vertex and material
    for (std::size_t f = 0; f < boundary.size(); ++f) {
      const auto column = static_cast<Eigen::Index>(f);
      for (int k = 0; k < 3; ++k) {
        area[{c_.triangles(k, column), s_.tet_material[boundary[f].tet()]}] +=
            triangle_area(s_.rest, c_.triangles, column);
      }
    }
    for (Index f = 0; f < s_.triangle_count(); ++f) {
      const double own = triangle_area(s_.rest, s_.triangles, f);
      for (int k = 0; k < 3; ++k) area[{s_.triangles(k, f), s_.triangle_material[f]}] += own;
    }
    Index vertex = -1;
    double most = 0;
    for (const auto& [key, value] : area) {
      if (key.first == vertex && value <= most) continue;
      vertex = key.first;
      most = value;
      chosen[vertex] = key.second;
    }
  }

  // Obstacles follow the bodies as owners; without a material they are their own.
  void obstacle_surfaces() {
    Eigen::Index next = body_triangles_;
    for (std::size_t o = 0; o < setup_.obstacles.size(); ++o) {
      const ObstacleSetup& obstacle = setup_.obstacles[o];
      const Index owner = static_cast<Index>(setup_.bodies.size() + o);
      const Index material = materials_.add(obstacle.material.empty() ? obstacle.name : obstacle.material);
      if (obstacle.plane) {
        c_.planes.push_back({owner, material});
        continue;
      }
      for (const Index vertex : maps_.obstacle[o]) {
        if (vertex < 0) continue;
        c_.vertex_owner[vertex] = owner;
        c_.vertex_material[vertex] = material;
      }
      const Triangles& own = obstacle.mesh->triangles;
      for (Eigen::Index f = 0; f < own.cols(); ++f, ++next) {
        for (int k = 0; k < 3; ++k) c_.triangles(k, next) = maps_.obstacle[o][own(k, f)];
        if (!(triangle_area(s_.rest, c_.triangles, next) > 0)) {
          fail_input(code::mesh_flat,
                     "obstacle '{}': triangle {} (vertices {} {} {}) has zero area; remove it or export the mesh again",
                     obstacle.name, f, own(0, f), own(1, f), own(2, f));
        }
      }
    }
  }

  // Edges are sorted by their ends.
  Eigen::Index edge_slot(Index a, Index b) const {
    const std::pair<Index, Index> key(std::min(a, b), std::max(a, b));
    Eigen::Index low = first_edge_[key.first], high = first_edge_[key.first + 1];
    while (high - low > 1) {
      const Eigen::Index middle = (low + high) / 2;
      (c_.edges(1, middle) <= key.second ? low : high) = middle;
    }
    return low;
  }

  // By triangle: whether it lies in a plane of symmetry, where the other half of the body goes on.
  std::vector<char> cut_by_symmetry() const {
    std::vector<char> cut(static_cast<std::size_t>(c_.triangles.cols()), 0);
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b)
      for (const FixSetup& fix : setup_.bodies[b].fixes) {
        if (!fix.symmetry) continue;
        std::vector<char> on_plane(static_cast<std::size_t>(s_.vertex_count()), 0);
        for (const Index v : fix.vertices)
          if (maps_.body[b][v] >= 0) on_plane[maps_.body[b][v]] = 1;
        for (Eigen::Index f = 0; f < c_.triangles.cols(); ++f) {
          const auto t = c_.triangles.col(f);
          if (on_plane[t[0]] && on_plane[t[1]] && on_plane[t[2]]) cut[f] = 1;
        }
      }
    return cut;
  }

  // Areas are those of the surface. Triangles in planes of symmetry are not of it; they count only inside the plane, so
  // that what crosses it still meets something.
  void measure() {
    std::vector<Index> slot(s_.vertex_count(), -1);
    for (std::size_t i = 0; i < c_.vertices.size(); ++i) slot[c_.vertices[i]] = static_cast<Index>(i);
    first_edge_.assign(s_.vertex_count() + 1, 0);
    for (Eigen::Index e = 0; e < c_.edges.cols(); ++e) ++first_edge_[c_.edges(0, e) + 1];
    for (std::size_t v = 1; v < first_edge_.size(); ++v) first_edge_[v] += first_edge_[v - 1];
    c_.vertex_area.assign(c_.vertices.size(), 0.0);
    c_.edge_area.assign(static_cast<std::size_t>(c_.edges.cols()), 0.0);
    std::vector<double> cut_vertex = c_.vertex_area, cut_edge = c_.edge_area;
    const std::vector<char> cut = cut_by_symmetry();
    for (Eigen::Index f = 0; f < c_.triangles.cols(); ++f) {
      const double third = triangle_area(s_.rest, c_.triangles, f) / 3;
      for (int k = 0; k < 3; ++k) {
        const Index a = c_.triangles(k, f), b = c_.triangles((k + 1) % 3, f);
        (cut[f] ? cut_vertex : c_.vertex_area)[slot[a]] += third;
        (cut[f] ? cut_edge : c_.edge_area)[edge_slot(a, b)] += third;
      }
    }
    for (std::size_t i = 0; i < cut_vertex.size(); ++i)
      if (c_.vertex_area[i] == 0) c_.vertex_area[i] = cut_vertex[i];
    for (std::size_t e = 0; e < cut_edge.size(); ++e)
      if (c_.edge_area[e] == 0) c_.edge_area[e] = cut_edge[e];
    c_.edge_rest_length2.resize(static_cast<std::size_t>(c_.edges.cols()));
    for (Eigen::Index e = 0; e < c_.edges.cols(); ++e) {
      c_.edge_rest_length2[e] = (s_.rest.col(c_.edges(1, e)) - s_.rest.col(c_.edges(0, e))).squaredNorm();
    }
  }

  void permissions() {
    const Index owners = c_.owner_count, bodies = static_cast<Index>(setup_.bodies.size());
    c_.may_touch.assign(static_cast<std::size_t>(owners) * owners, 0);
    const auto set = [&](Index a, Index b, char value) {
      c_.may_touch[static_cast<std::size_t>(a) * owners + b] = value;
      c_.may_touch[static_cast<std::size_t>(b) * owners + a] = value;
    };
    if (setup_.contact.enabled) {
      for (Index a = 0; a < bodies; ++a) {
        for (Index b = a; b < owners; ++b) set(a, b, a != b || (setup_.contact.self && !setup_.bodies[a].affine));
      }
    }
    for (const auto& [a, b] : setup_.contact.ignore) {
      for (const Index i : owners_named(a)) {
        for (const Index j : owners_named(b)) set(i, j, 0);
      }
    }
  }

  // Distance of the contact surface from the mesh: the whole thickness on a body, an obstacle or a plane, half of it on
  // each side of a sheet, whose mesh is its mid-surface. Sheets are cloth, and surfaces that are open.
  void offsets() {
    std::vector<double> offset(static_cast<std::size_t>(c_.owner_count), 0);
    bool any = false;
    for (const auto& [name, thickness] : setup_.contact.thickness) {
      for (const Index owner : owners_named(name, "contact.thickness")) {
        offset[owner] = is_sheet(owner) ? thickness / 2 : thickness;
        any |= thickness > 0;
      }
    }
    if (any) c_.owner_offset = std::move(offset);
  }

  bool is_sheet(Index owner) const {
    const auto bodies = static_cast<Index>(setup_.bodies.size());
    if (owner < bodies && s_.bodies[owner].triangle_count > 0 && !s_.bodies[owner].collision_surface) return true;
    std::map<std::pair<Index, Index>, int> triangles;  // by edge
    for (const auto& t : c_.triangles.colwise()) {
      if (c_.vertex_owner[t[0]] != owner) continue;
      for (int k = 0; k < 3; ++k) ++triangles[std::minmax(t[k], t[(k + 1) % 3])];
    }
    return std::ranges::any_of(triangles, [](const auto& edge) { return edge.second < 2; });
  }

  void glue() {
    if (s_.ties.empty()) return;
    std::vector<std::pair<Index, Index>> sides;  // vertex and side
    for (std::size_t t = 0; t < s_.ties.size(); ++t) {
      const auto side = static_cast<Index>(2 * t);
      for (const Index v : s_.ties[t].vertices) sides.emplace_back(v, side);
      for (const Index v : s_.ties[t].opposite) sides.emplace_back(v, side + 1);
    }
    std::ranges::sort(sides);
    const auto of_vertices = sides;
    for (Index s = 0; s < c_.sample_corners.cols(); ++s) {  // a sample is on the sides of its corners
      for (const Index corner : c_.sample_corners.col(s)) {
        auto side = std::ranges::lower_bound(of_vertices, std::pair{corner, Index{0}});
        for (; side != of_vertices.end() && side->first == corner; ++side)
          sides.emplace_back(c_.sample_begin + s, side->second);
      }
    }
    sort_unique(sides);
    c_.glue_begin.assign(static_cast<std::size_t>(s_.vertex_count()) + 1, 0);
    for (const auto& [vertex, side] : sides) {
      ++c_.glue_begin[vertex + 1];
      c_.glue.push_back(side);
    }
    for (Index v = 0; v < s_.vertex_count(); ++v) c_.glue_begin[v + 1] += c_.glue_begin[v];
  }

  void interferences() {
    for (const InterferenceSetup& pair : setup_.contact.interferences)
      for (const Index a : owners_named(pair.a, "contact.interference"))
        for (const Index b : owners_named(pair.b, "contact.interference")) {
          if (a == b || !c_.owners_may_touch(a, b))
            fail_input(code::interference,
                       "contact.interference: \"{}\" and \"{}\" do not touch in this scene; name two that do", pair.a,
                       pair.b);
          for (const Index owner : {a, b})
            if (!c_.owner_offset.empty() && c_.owner_offset[owner] > 0)
              fail_input(code::interference,
                         "contact.interference: \"{}\" has a contact.thickness, with which a pair cannot overlap at "
                         "the start; leave out one of both",
                         c_.owner_names[owner]);
          const auto same = [&](const Interference& other) {
            return other.owners == std::array{a, b} || other.owners == std::array{b, a};
          };
          if (std::ranges::any_of(s_.interferences, same))
            fail_input(code::interference, "contact.interference: names \"{}\" and \"{}\" twice; name them once",
                       pair.a, pair.b);
          if (pair.over > setup_.time.steps)
            fail_input(
                code::interference,
                "contact.interference: \"{}\" and \"{}\" are pressed apart over {} steps, but the run has {}; take "
                "more steps (time.steps), or a smaller over",
                pair.a, pair.b, pair.over, setup_.time.steps);
          s_.interferences.push_back({{a, b}, pair.over});
        }
  }

  std::vector<Index> owners_named(const std::string& name, const char* key = "contact.ignore") const {
    std::vector<Index> ids;
    for (std::size_t i = 0; i < c_.owner_names.size(); ++i) {
      if (c_.owner_names[i] == name) ids.push_back(static_cast<Index>(i));
    }
    if (ids.empty())
      fail_input(code::scene_name, "{}: \"{}\" is neither a body nor an obstacle of the scene", key, name);
    return ids;
  }

  void friction() {
    const auto n = static_cast<std::size_t>(materials_.size());
    c_.material_count = materials_.size();
    s_.friction_names = materials_.names();
    c_.friction.assign(n * n, setup_.contact.friction);
    c_.own_friction.assign(n * n, 0);
    for (const FrictionPair& pair : setup_.contact.pairs) {
      const auto a = static_cast<std::size_t>(friction_row(pair.a)), b = static_cast<std::size_t>(friction_row(pair.b));
      c_.friction[a * n + b] = c_.friction[b * n + a] = pair.coefficient;
      c_.own_friction[a * n + b] = c_.own_friction[b * n + a] = 1;
    }
  }

  Index friction_row(const std::string& name) const {
    const Index row = materials_.find(name);
    if (row < 0)
      fail_input(code::scene_name, "contact.friction.pairs: \"{}\" is neither a material nor an obstacle of the scene",
                 name);
    return row;
  }

  const Setup& setup_;
  const VertexMaps& maps_;
  System& s_;
  CollisionMesh& c_;
  NameTable materials_;
  Eigen::Index body_triangles_ = 0;
  std::vector<Eigen::Index> first_edge_;  // by vertex: the first edge whose smaller end it is
};

struct BodyScale {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  double volume = 0;     // [m^3]
  double stiffness = 0;  // integral of Young's modulus [J]
};

std::vector<BodyScale> body_scales(const System& s) {
  std::vector<BodyScale> scales(s.bodies.size());
  for (Index i = 0; i < s.body_vertex_count(); ++i) {
    BodyScale& scale = scales[s.vertex_body[i]];
    if (s.vertex_to_user[i] < 0) continue;
    scale.low = scale.low.cwiseMin(s.rest.col(i));
    scale.high = scale.high.cwiseMax(s.rest.col(i));
  }
  for (const ElasticGroup& group : s.groups) {
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      BodyScale& scale = scales[s.tet_body[t]];
      const double volume = tet_volume(s.rest, s.tets, t);
      scale.volume += volume;
      scale.stiffness += volume * group.model->equivalent_young(element_parameters(group, t - group.tet_begin).kernel);
    }
  }
  for (std::size_t b = 0; b < scales.size(); ++b)
    if (s.bodies[b].affine_volume > 0) scales[b].volume = s.bodies[b].affine_volume;
  // Every edge of an element holds its whole volume, or E times that: k l^2 = E sum_e V_e.
  for (const EdgeSpring& spring : s.edge_springs) {
    if (spring.bending) continue;
    BodyScale& scale = scales[s.vertex_body[spring.a]];
    const double edges = s.bodies[s.vertex_body[spring.a]].triangle_count > 0 ? 3 : 6;
    scale.volume += spring.section * spring.length * spring.length / edges;
    scale.stiffness += spring.stiffness * spring.length * spring.length / edges;
  }
  return scales;
}

// 1e-3 of the smallest body's diagonal, unless surface edges are so short that neighbours would touch at rest, or it is
// more than a hundredth of an interference: bodies press each other as if each were thicker by half the gap between
// them.
double automatic_distance(const System& s, const std::vector<BodyScale>& scales, double interference) {
  constexpr double interference_share = 0.01, least_share = 1e-4;  // of the interference; of the value without
  double distance = std::numeric_limits<double>::infinity();
  for (const BodyScale& scale : scales) distance = std::min(distance, 1e-3 * (scale.high - scale.low).norm());
  double shortest2 = std::numeric_limits<double>::infinity();
  for (Eigen::Index e = 0; e < s.collision.edges.cols(); ++e) {
    if (!s.collision.kinematic(s.collision.edges(0, e)))
      shortest2 = std::min(shortest2, s.collision.edge_rest_length2[e]);
  }
  distance = std::min(distance, std::sqrt(shortest2) / 4);
  if (interference <= 0) return distance;
  return std::min(distance, std::max(interference_share * interference, least_share * distance));
}

// Faces of one body that are closer than the distance at rest push each other apart.
void warn_of_long_distance(const System& s) {
  const double edge = mean_body_edge(s.collision);
  if (s.contact_distance > edge) {
    log::warning(
        "contact.distance is {:.3g} m, more than the mean surface edge of {:.3g} m, so neighbouring faces push each "
        "other apart at rest; use a smaller distance, \"auto\", or self: false",
        s.contact_distance, edge);
  }
}

// Penalties push vertices out of closed surfaces; a cloth has none.
void warn_of_unseen_cloth(const System& s, ContactKind model) {
  if (model != ContactKind::penalty) return;
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    if (s.bodies[b].triangle_count == 0) continue;
    bool touches = false;
    for (std::size_t other = 0; other < s.bodies.size(); ++other)
      touches |= other != b && s.collision.owners_may_touch(static_cast<Index>(b), static_cast<Index>(other));
    if (touches)
      log::warning(
          "contact.model \"penalty\" does not see cloth '{}': vertices of other bodies and cloths pass through it; use "
          "\"barrier\", or list the pairs in contact.ignore",
          s.bodies[b].name);
  }
}

}  // namespace

void build_collision(const Setup& setup, const VertexMaps& maps, System& system) {
  CollisionBuilder(setup, maps, system).build();
}

void build_contact_scales(const Setup& setup, System& s) {
  const std::vector<BodyScale> scales = body_scales(s);
  Vec3 low = scales[0].low, high = scales[0].high;
  for (const BodyScale& scale : scales) {
    low = low.cwiseMin(scale.low);
    high = high.cwiseMax(scale.high);
  }
  s.diagonal = (high - low).norm();
  s.contact_distance =
      setup.contact.distance > 0 ? setup.contact.distance : automatic_distance(s, scales, setup.contact.interference);
  if (setup.contact.enabled && setup.contact.self) warn_of_long_distance(s);
  if (setup.contact.enabled) warn_of_unseen_cloth(s, setup.contact.model);
  s.automatic_stiffness = !setup.contact.stiffness.has_value();
  s.adaptive_stiffness = s.automatic_stiffness && setup.contact.model != ContactKind::penalty;
  if (!s.automatic_stiffness) s.contact_stiffness = *setup.contact.stiffness;
}

void find_contact_stiffness(System& s) {
  const std::vector<BodyScale> scales = body_scales(s);
  double softest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < scales.size(); ++b) {
    s.bodies[b].stiffness = scales[b].stiffness;
    softest = std::min(softest, scales[b].stiffness / scales[b].volume);
  }
  if (!s.automatic_stiffness) return;
  const bool barrier = s.setup.contact.model != ContactKind::penalty;
  s.contact_stiffness = stiffness_by_inertia(s, barrier ? 0.1 * softest : softest);
}

}  // namespace sinew

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include <Eigen/Geometry>

#include "sinew/core/error.h"
#include "sinew/mesh/quadratic_face.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/gas_faces.h"

namespace sinew {
namespace {

bool same_keys(const Keyframes& a, const Keyframes& b) {
  return a.times == b.times && a.values == b.values;
}

bool same_motion(const Motion& a, const Motion& b) {
  if (a.translation.has_value() != b.translation.has_value() || a.rotation.has_value() != b.rotation.has_value() ||
      a.scaling.has_value() != b.scaling.has_value()) {
    return false;
  }
  if (a.translation && !same_keys(*a.translation, *b.translation)) return false;
  if (a.rotation && (a.rotation->axis != b.rotation->axis || a.rotation->center != b.rotation->center ||
                     !same_keys(a.rotation->degrees, b.rotation->degrees))) {
    return false;
  }
  return !a.scaling || (a.scaling->center == b.scaling->center && same_keys(a.scaling->factors, b.scaling->factors));
}

// Whether two motions give every vertex the same coordinate along an axis at all times.
bool same_along(const Motion& a, const Motion& b, int axis) {
  if (same_motion(a, b)) return true;
  if (a.rotation || b.rotation || a.scaling || b.scaling) return false;
  const auto still = [axis](const Motion& m) {
    return !m.translation || (m.translation->values.row(axis).array() == 0).all();
  };
  if (still(a) || still(b)) return still(a) && still(b);
  return a.translation->times == b.translation->times &&
         a.translation->values.row(axis) == b.translation->values.row(axis);
}

// The selected faces with those of ten-node tets first whose four parts are all selected: `count` of them.
Triangles with_quadratic_faces_first(const TetMesh& mesh, const Triangles& faces, Index& count) {
  count = 0;
  if (mesh.quadratic.cols() == 0) return faces;
  std::map<std::array<Index, 3>, Index> place;
  const auto key = [](Index a, Index b, Index c) {
    std::array<Index, 3> corners{a, b, c};
    std::ranges::sort(corners);
    return corners;
  };
  for (Index f = 0; f < faces.cols(); ++f) place[key(faces(0, f), faces(1, f), faces(2, f))] = f;
  // Nodes of the faces, outward: corners, then the nodes between them.
  constexpr int sides[4][6] = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}};
  std::vector<char> taken(faces.cols(), 0);
  std::vector<Index> list;
  for (const auto& tet : mesh.quadratic.colwise()) {
    for (const auto& side : sides) {
      const auto node = [&](int part, int k) { return tet[side[quadratic_face_parts[part][k]]]; };
      std::array<Index, parts_of_quadratic_face> found{};
      bool all = true;
      for (int p = 0; p < parts_of_quadratic_face && all; ++p) {
        const auto at = place.find(key(node(p, 0), node(p, 1), node(p, 2)));
        all = at != place.end() && !taken[at->second];
        if (all) found[p] = at->second;
      }
      if (!all) continue;
      ++count;
      for (int p = 0; p < parts_of_quadratic_face; ++p) {
        taken[found[p]] = 1;
        for (int k = 0; k < 3; ++k) list.push_back(node(p, k));
      }
    }
  }
  for (Index f = 0; f < faces.cols(); ++f)
    if (!taken[f])
      for (int k = 0; k < 3; ++k) list.push_back(faces(k, f));
  return Eigen::Map<const Triangles>(list.data(), 3, static_cast<Eigen::Index>(list.size() / 3));
}

class ConstraintBuilder {
 public:
  ConstraintBuilder(const Setup& setup, const VertexMaps& maps, System& system)
      : setup_(setup), maps_(maps), s_(system) {}

  void build() {
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      add_fixes(b);
      for (const LoadSetup& load : setup_.bodies[b].loads) s_.bodies[b].load_names.push_back(load.name);
      for (const SpringSetup& spring : setup_.bodies[b].springs) s_.bodies[b].spring_names.push_back(spring.name);
      for (std::size_t i = 0; i < setup_.bodies[b].loads.size(); ++i) add_load(b, i);
      for (std::size_t i = 0; i < setup_.bodies[b].springs.size(); ++i) add_spring(b, i);
    }
    for (std::size_t o = 0; o < setup_.obstacles.size(); ++o) add_obstacle(o);
  }

 private:
  Index add_motion(const Motion& motion) {
    s_.motions.push_back(motion);
    return static_cast<Index>(s_.motions.size()) - 1;
  }

  // Which fix prescribes each coordinate of each vertex of the body. Of two that want the same the later release
  // counts.
  void add_fixes(std::size_t b) {
    const BodySetup& body = setup_.bodies[b];
    if (body.fixes.empty()) return;
    std::vector<std::array<Index, 3>> owner(body.mesh.vertex_count(), {-1, -1, -1});
    for (std::size_t f = 0; f < body.fixes.size(); ++f) {
      for (const Index v : body.fixes[f].vertices) {
        for (int k = 0; k < 3; ++k) {
          if (body.fixes[f].axes[k]) claim(body, owner[v][k], static_cast<Index>(f), v, k);
        }
      }
    }
    std::vector<Index> motions;
    for (const FixSetup& fix : body.fixes) {
      motions.push_back(add_motion(fix.motion));
      s_.bodies[b].fixes.push_back({fix.name, motions.back(), fix.vertices, fix.until, fix.symmetry});
    }
    add_prescribed(b, owner, motions);
  }

  static std::string label(const BodySetup& body, Index f) {
    return body.fixes[f].symmetry ? "its symmetry plane" : fmt::format("fix[{}]", f);
  }

  static void claim(const BodySetup& body, Index& owner, Index f, Index v, int axis) {
    if (owner < 0 || owner == f) {
      owner = f;
      return;
    }
    const FixSetup &old = body.fixes[owner], &fix = body.fixes[f];
    if (!same_along(old.motion, fix.motion, axis)) {
      const auto x = body.mesh.vertices.col(v);
      fail_input(code::fix_conflict,
                 "body '{}': {} and {} move vertex {} at ({:.6g}, {:.6g}, {:.6g}) differently along {}; "
                 "separate their selections, or prescribe different axes",
                 body.name, label(body, owner), label(body, f), v, x[0], x[1], x[2], "xyz"[axis]);
    }
    if (fix.until > old.until) owner = f;
  }

  // In the order of the simulation's numbering; the axes that one fix prescribes are one entry.
  void add_prescribed(std::size_t b, const std::vector<std::array<Index, 3>>& owner,
                      const std::vector<Index>& motions) {
    const BodySetup& body = setup_.bodies[b];
    const std::size_t first = s_.prescribed.size();
    std::vector<std::unordered_map<Index, Index>> places(body.fixes.size());  // by fix and vertex
    for (std::size_t f = 0; f < places.size(); ++f)
      for (std::size_t i = 0; i < body.fixes[f].vertices.size(); ++i)
        places[f].emplace(body.fixes[f].vertices[i], static_cast<Index>(i));
    for (std::size_t v = 0; v < owner.size(); ++v) {
      const Index vertex = maps_.mesh[b][v];
      if (vertex < 0) continue;
      for (int k = 0; k < 3; ++k) {
        const Index f = owner[v][k];
        const bool listed = f < 0 || std::find(owner[v].begin(), owner[v].begin() + k, f) != owner[v].begin() + k;
        if (listed) continue;
        const std::array<bool, 3> axes = {owner[v][0] == f, owner[v][1] == f, owner[v][2] == f};
        s_.prescribed.push_back(
            {vertex, axes, motions[f], body.fixes[f].until, false, f, places[f][static_cast<Index>(v)]});
      }
    }
    std::stable_sort(s_.prescribed.begin() + static_cast<std::ptrdiff_t>(first), s_.prescribed.end(),
                     [](const PrescribedVertex& a, const PrescribedVertex& c) { return a.vertex < c.vertex; });
  }

  void add_load(std::size_t b, std::size_t i) {
    const LoadSetup& load = setup_.bodies[b].loads[i];
    FaceLoad out;
    out.body = static_cast<Index>(b);
    out.entry = static_cast<Index>(i);
    out.kind = load.kind;
    const bool is_gas = load.kind == LoadKind::gas;
    const BodySetup& body = setup_.bodies[b];
    const Triangles selected = is_gas                        ? gas_faces(body, i)
                               : load.kind == LoadKind::wind ? windward_faces(body, i)
                                                             : load.faces;
    const Triangles faces = with_quadratic_faces_first(body.mesh, selected, out.quadratic_faces);
    out.faces.resize(3, faces.cols());
    out.corner_area.resize(3, faces.cols());
    for (Eigen::Index f = 0; f < faces.cols(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const Index vertex = maps_.body[b][faces(k, f)];
        if (vertex < 0) {
          fail_input(code::load,
                     "body '{}': loads[{}] has a face at vertex {}, which no tet uses; select faces of the boundary",
                     setup_.bodies[b].name, i, faces(k, f));
        }
        out.faces(k, f) = vertex;
      }
      const Vec3 a = s_.rest.col(out.faces(0, f)), e1 = s_.rest.col(out.faces(1, f)) - a,
                 e2 = s_.rest.col(out.faces(2, f)) - a;
      const double area = e1.cross(e2).norm() / 2;
      out.corner_area.col(f).setConstant(area / 3);
      if (f >= parts_of_quadratic_face * out.quadratic_faces) out.total_area += area;
    }
    share_quadratic_faces(out);
    out.vector = load.vector;
    out.follows = load.follows;
    out.point = load.point;
    out.pressure = load.pressure;
    out.gas = load.gas;
    out.wind = load.wind;
    out.from_outside = !setup_.bodies[b].user_mesh().is_cloth();
    if (is_gas) out.gas_side = signed_volume(out.faces, s_.rest) > 0 ? 1 : -1;
    out.factor = load.factor;
    out.vector_keys = load.vector_keys;
    s_.loads.push_back(std::move(out));
  }

  // Of a uniform traction the nodes of a face of second order take the integrals of their shape functions: those on
  // edges a third each where it is plane, and the corners nothing.
  void share_quadratic_faces(FaceLoad& load) const {
    for (Index q = 0; q < load.quadratic_faces; ++q) {
      const std::array<Index, 6> nodes = quadratic_face_nodes(load.faces, q);
      FaceNodes x;
      for (int a = 0; a < 6; ++a) x[a] = s_.rest.col(nodes[a]);
      const std::array<double, 6> area = node_areas(x);
      auto shares = load.corner_area.middleCols(parts_of_quadratic_face * q, parts_of_quadratic_face);
      shares.setZero();
      for (int k = 0; k < 3; ++k) {
        shares(k, k) = area[k];
        shares(k, 3) = area[3 + k];
      }
      for (const double own : area) load.total_area += own;
    }
  }

  void add_spring(std::size_t b, std::size_t i) {
    const SpringSetup& spring = setup_.bodies[b].springs[i];
    const std::string& name = setup_.bodies[b].name;
    Spring out;
    out.body = static_cast<Index>(b);
    out.entry = static_cast<Index>(i);
    if (spring.point) {
      out.point = *spring.point;
      if (!spring.motion.empty()) out.motion = add_motion(spring.motion);
    } else if (spring.ends.empty()) {
      for (const Index other : spring.other_vertices) {
        const Index vertex = maps_.body[spring.other_body][other];
        if (vertex >= 0) out.others.push_back(vertex);
      }
      if (out.others.empty())
        fail_input(code::spring, "body '{}': springs[{}]: the vertices in \"to\" belong to no tet; select others", name,
                   i);
    }
    out.stiffness = spring.stiffness;
    out.length = spring.length_keys.empty() ? spring.length : spring.length_keys.at(0)[0];
    out.length_keys = spring.length_keys;
    out.until = spring.until;
    for (std::size_t k = 0; k < spring.vertices.size(); ++k) {
      const Index v = spring.vertices[k];
      out.vertex = maps_.body[b][v];
      if (out.vertex < 0) continue;
      if (!spring.ends.empty()) {
        const SpringEnd& end = spring.ends[k];
        out.others.clear();
        for (const Index other : end.vertices) out.others.push_back(maps_.body[end.body][other]);
        out.weights = end.weights;
      }
      if (std::find(out.others.begin(), out.others.end(), out.vertex) != out.others.end()) {
        fail_input(code::spring,
                   "body '{}': springs[{}]: vertex {} is at both ends of a spring; select different vertices", name, i,
                   v);
      }
      s_.springs.push_back(out);
    }
  }

  void add_obstacle(std::size_t o) {
    const ObstacleSetup& obstacle = setup_.obstacles[o];
    const Index motion = add_motion(obstacle.motion);
    s_.obstacle_motion.push_back(motion);
    s_.obstacle_size.push_back(obstacle.mesh ? static_cast<Index>(obstacle.mesh->vertices.cols()) : 0);
    if (obstacle.plane) {
      s_.planes.push_back(*obstacle.plane);
      s_.plane_motion.push_back(motion);
      return;
    }
    const auto& map = maps_.obstacle[o];
    const auto used = std::count_if(map.begin(), map.end(), [](Index v) { return v >= 0; });
    s_.obstacle_vertex_motion.insert(s_.obstacle_vertex_motion.end(), static_cast<std::size_t>(used), motion);
  }

  const Setup& setup_;
  const VertexMaps& maps_;
  System& s_;
};

}  // namespace

void build_constraints(const Setup& setup, const VertexMaps& maps, System& system) {
  ConstraintBuilder(setup, maps, system).build();
}

}  // namespace sinew

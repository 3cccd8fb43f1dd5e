#include <algorithm>
#include <array>
#include <numeric>

#include <Eigen/Geometry>

#include "sinew/core/error.h"
#include "sinew/model/build_parts.h"

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

class ConstraintBuilder {
 public:
  ConstraintBuilder(const Setup& setup, const VertexMaps& maps, System& system)
      : setup_(setup), maps_(maps), s_(system) {}

  void build() {
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      add_fixes(b);
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
    for (const FixSetup& fix : body.fixes) motions.push_back(add_motion(fix.motion));
    add_prescribed(b, owner, motions);
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
                 "body '{}': fix[{}] and fix[{}] move vertex {} at ({:.6g}, {:.6g}, {:.6g}) differently along {}; "
                 "separate their selections, or prescribe different axes",
                 body.name, owner, f, v, x[0], x[1], x[2], "xyz"[axis]);
    }
    if (fix.until > old.until) owner = f;
  }

  // In the order of the simulation's numbering; the axes that one fix prescribes are one entry.
  void add_prescribed(std::size_t b, const std::vector<std::array<Index, 3>>& owner,
                      const std::vector<Index>& motions) {
    const BodySetup& body = setup_.bodies[b];
    const std::size_t first = s_.prescribed.size();
    for (std::size_t v = 0; v < owner.size(); ++v) {
      const Index vertex = maps_.mesh[b][v];
      if (vertex < 0) continue;
      for (int k = 0; k < 3; ++k) {
        const Index f = owner[v][k];
        const bool listed = f < 0 || std::find(owner[v].begin(), owner[v].begin() + k, f) != owner[v].begin() + k;
        if (listed) continue;
        const std::array<bool, 3> axes = {owner[v][0] == f, owner[v][1] == f, owner[v][2] == f};
        s_.prescribed.push_back({vertex, axes, motions[f], body.fixes[f].until});
      }
    }
    std::stable_sort(s_.prescribed.begin() + static_cast<std::ptrdiff_t>(first), s_.prescribed.end(),
                     [](const PrescribedVertex& a, const PrescribedVertex& c) { return a.vertex < c.vertex; });
  }

  void add_load(std::size_t b, std::size_t i) {
    const LoadSetup& load = setup_.bodies[b].loads[i];
    FaceLoad out;
    out.kind = load.kind;
    out.faces.resize(3, load.faces.cols());
    for (Eigen::Index f = 0; f < load.faces.cols(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const Index vertex = maps_.body[b][load.faces(k, f)];
        if (vertex < 0) {
          fail_input(code::load,
                     "body '{}': loads[{}] has a face at vertex {}, which no tet uses; select faces of the boundary",
                     setup_.bodies[b].name, i, load.faces(k, f));
        }
        out.faces(k, f) = vertex;
      }
      const Vec3 a = s_.rest.col(out.faces(0, f)), e1 = s_.rest.col(out.faces(1, f)) - a,
                 e2 = s_.rest.col(out.faces(2, f)) - a;
      out.face_area.push_back(e1.cross(e2).norm() / 2);
    }
    out.total_area = std::accumulate(out.face_area.begin(), out.face_area.end(), 0.0);
    out.vector = load.vector;
    out.pressure = load.pressure;
    out.factor = load.factor;
    out.vector_keys = load.vector_keys;
    s_.loads.push_back(std::move(out));
  }

  void add_spring(std::size_t b, std::size_t i) {
    const SpringSetup& spring = setup_.bodies[b].springs[i];
    const std::string& name = setup_.bodies[b].name;
    Spring out;
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
    out.length = spring.length;
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
    const Index motion = obstacle.motion.empty() ? -1 : add_motion(obstacle.motion);
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

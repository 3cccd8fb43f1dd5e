// Meshes that can run, but not well.

#include <algorithm>
#include <numbers>
#include <numeric>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include "sinew/contact/surface_distance.h"
#include "sinew/lint/check_parts.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"
#include "sinew/model/naming.h"

namespace sinew {
namespace {

constexpr std::size_t listed_problems = 5;   // lines of text
constexpr std::size_t most_problems = 1000;  // in JSON
constexpr double thin_dihedral = 1;          // [degrees]

// Of a tet, or of a triangle of cloth.
Vec3 middle_of(const TetMesh& mesh, Index t) {
  if (mesh.is_cloth()) {
    const auto f = mesh.triangles.col(t);
    return (mesh.vertices.col(f[0]) + mesh.vertices.col(f[1]) + mesh.vertices.col(f[2])) / 3;
  }
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += mesh.vertices.col(mesh.tets(k, t));
  return sum / 4;
}

struct Sliver {
  Index tet;
  double quality, smallest_angle, largest_angle;  // [1], [degrees]
};

std::vector<Sliver> find_slivers(const TetMesh& mesh) {
  std::vector<Sliver> slivers;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const auto angles = tet_dihedral_angles(mesh.vertices, mesh.tets, t);
    const double degrees = 180 / std::numbers::pi;
    const Sliver s{t, tet_quality(mesh.vertices, mesh.tets, t), degrees * angles.minCoeff(),
                   degrees * angles.maxCoeff()};
    if (s.quality < nearly_flat_quality || s.smallest_angle < thin_dihedral) slivers.push_back(s);
  }
  std::sort(slivers.begin(), slivers.end(), [](const Sliver& a, const Sliver& b) { return a.quality < b.quality; });
  return slivers;
}

// Ten-node tets by their corners: not their parts, some of which are flatter.
void check_slivers(const BodySetup& own, Findings& findings) {
  BodySetup body;
  body.name = own.name;
  body.mesh.vertices = own.mesh.vertices;
  body.mesh.tets = own.mesh.quadratic.cols() > 0 ? Tets(own.mesh.quadratic.topRows(4)) : own.mesh.tets;
  const std::vector<Sliver> slivers = find_slivers(body.mesh);
  if (slivers.empty()) return;
  Finding finding;
  finding.kind = "sliver";
  finding.severity = slivers[0].quality < nearly_flat_quality ? Severity::warning : Severity::remark;
  finding.owners = {body.name};
  finding.value = slivers[0].quality;
  finding.position = middle_of(body.mesh, slivers[0].tet);
  finding.message = fmt::format("body '{}' has {} nearly flat tets of {}, the worst of quality {:.2g} (1 is regular)",
                                body.name, slivers.size(), body.mesh.tet_count(), slivers[0].quality);
  finding.remedy = "they slow or stop the solver: mesh the body again";
  for (std::size_t i = 0; i < std::min(most_problems, slivers.size()); ++i) {
    const Sliver& s = slivers[i];
    const auto tet = body.mesh.tets.col(s.tet);
    finding.primitives.push_back({{"tet", s.tet},
                                  {"vertices", {tet[0], tet[1], tet[2], tet[3]}},
                                  {"quality", s.quality},
                                  {"smallest_angle", s.smallest_angle}});
    if (i < listed_problems) {
      finding.details.push_back(
          fmt::format("tet {} (vertices {} {} {} {}) at {}: quality {:.2g}, dihedral angles {:.2g} to {:.4g} degrees",
                      s.tet, tet[0], tet[1], tet[2], tet[3], place_text(middle_of(body.mesh, s.tet)), s.quality,
                      s.smallest_angle, s.largest_angle));
    }
  }
  findings.add(std::move(finding));
}

// Tets joined by shared faces.
Index face_components(const Tets& tets) {
  const Tets neighbours = tet_neighbours(tets);
  std::vector<char> seen(tets.cols(), 0);
  std::vector<Index> open;
  Index count = 0;
  for (Index seed = 0; seed < tets.cols(); ++seed) {
    if (seen[seed]) continue;
    ++count;
    seen[seed] = 1;
    open.assign(1, seed);
    while (!open.empty()) {
      const Index t = open.back();
      open.pop_back();
      for (int k = 0; k < 4; ++k) {
        const Index other = neighbours(k, t);
        if (other < 0 || seen[other]) continue;
        seen[other] = 1;
        open.push_back(other);
      }
    }
  }
  return count;
}

Components pieces_of(const TetMesh& mesh) {
  return mesh.is_cloth() ? connected_components(mesh.triangles) : connected_components(mesh.tets);
}

void check_pieces(const BodySetup& body, Findings& findings) {
  const Components pieces = pieces_of(body.mesh);
  const char* element = body.mesh.is_cloth() ? "triangle" : "tet";
  if (pieces.count > 1) {
    std::vector<Index> sizes(pieces.count, 0), first(pieces.count, -1);
    for (Index t = 0; t < body.mesh.element_count(); ++t) {
      if (sizes[pieces.labels[t]]++ == 0) first[pieces.labels[t]] = t;
    }
    Finding finding;
    finding.kind = "unconnected";
    finding.severity = Severity::remark;
    finding.owners = {body.name};
    finding.value = pieces.count;
    finding.message =
        fmt::format("body '{}' consists of {} separate pieces", body.name, static_cast<int>(pieces.count));
    finding.remedy = "if it should be one body, mesh it as one, or merge double vertices";
    for (Index p = 0; p < std::min<Index>(pieces.count, most_problems); ++p) {
      finding.primitives.push_back({{std::string(element) + "s", sizes[p]}, {element, first[p]}});
      if (p < static_cast<Index>(listed_problems)) {
        finding.details.push_back(fmt::format("{} {}s, the first is {} {} at {}", sizes[p], element, element, first[p],
                                              place_text(middle_of(body.mesh, first[p]))));
      }
    }
    findings.add(std::move(finding));
  }
  const Index parts = face_components(body.mesh.tets);
  if (parts > pieces.count) {
    findings.add(
        {"hinge",
         Severity::warning,
         fmt::format("body '{}' has parts that only edges or vertices join, {} parts in all", body.name, parts),
         "they turn there without resistance: mesh the body again",
         {body.name},
         static_cast<double>(parts)});
  }
}

void check_unused(const BodySetup& body, Findings& findings) {
  const auto used = static_cast<Index>(used_vertices(body.mesh).size());
  const Index unused = body.mesh.vertex_count() - used;
  if (unused == 0) return;
  findings.add({"unused vertices",
                Severity::remark,
                fmt::format("{} of {} vertices of body '{}' are in no {} and stay at rest", unused,
                            body.mesh.vertex_count(), body.name, body.mesh.is_cloth() ? "triangle" : "tet"),
                "export the mesh without them if they are not wanted",
                {body.name},
                static_cast<double>(unused)});
}

void check_regions(const BodySetup& body, Findings& findings) {
  for (const ElementGroup& group : body.mesh.groups) {
    if (group.dim != 3 || !group.tets.empty()) continue;
    const std::string name = group.name.empty() ? std::to_string(group.id) : group.name;
    findings.add({"empty region",
                  Severity::remark,
                  fmt::format("region \"{}\" of the mesh of body '{}' has no tets", name, body.name),
                  "check the physical volumes of the mesh",
                  {body.name}});
  }
}

// ---- bodies inside bodies

using Box = Eigen::AlignedBox3d;

bool in_tet(const Vec3& p, const TetMesh& mesh, Index t) {
  const Vec3 origin = mesh.vertices.col(mesh.tets(0, t));
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = mesh.vertices.col(mesh.tets(k + 1, t)) - origin;
  const Vec3 b = edges.inverse() * (p - origin);
  return b.minCoeff() >= 0 && b.sum() <= 1;
}

// Slow: the box of the mesh comes first.
bool inside(const Vec3& p, const TetMesh& mesh) {
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    if (in_tet(p, mesh, t)) return true;
  }
  return false;
}

// A body's mesh where the state has it, in the numbering of its file.
TetMesh mesh_of(const System& system, const Points& user_x, std::size_t b) {
  const SystemBody& body = system.bodies[b];
  TetMesh mesh;
  mesh.vertices = user_x.middleCols(body.user_begin, body.vertex_count);
  mesh.tets = system.user_tets.middleCols(body.tet_user_begin, body.tet_count).array() - body.user_begin;
  mesh.triangles = system.user_triangles.middleCols(body.triangle_begin, body.triangle_count).array() - body.user_begin;
  return mesh;
}

// A vertex of each connected piece, of the first few.
std::vector<Index> piece_vertices(const TetMesh& mesh) {
  constexpr std::size_t most = 16;
  const Components pieces = pieces_of(mesh);
  std::vector<Index> vertices;
  for (Index t = 0; t < mesh.element_count() && vertices.size() < most; ++t) {
    if (pieces.labels[t] == static_cast<Index>(vertices.size()))
      vertices.push_back(mesh.is_cloth() ? mesh.triangles(0, t) : mesh.tets(0, t));
  }
  return vertices;
}

// Bodies wholly inside closed obstacles, and the other way round; those whose surfaces cross are told of before.
void check_obstacle_nesting(const System& system, const State& state, const Points& user_x, Findings& findings) {
  const CollisionMesh& mesh = system.collision;
  const auto bodies = static_cast<Index>(system.bodies.size());
  if (mesh.owner_count == bodies) return;
  SurfaceDistance surfaces(mesh);
  surfaces.update(state.x);
  for (Index obstacle = bodies; obstacle < mesh.owner_count; ++obstacle) {
    if (!surfaces.has_triangles(obstacle)) continue;
    const auto first = std::ranges::find_if(mesh.vertices, [&](Index v) { return mesh.vertex_owner[v] == obstacle; });
    double volume = 0;  // six times; negative where the obstacle's faces look inwards
    for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
      const auto corners = mesh.triangles.col(f);
      if (mesh.vertex_owner[corners[0]] == obstacle)
        volume += state.x.col(corners[0]).dot(state.x.col(corners[1]).cross(state.x.col(corners[2])));
    }
    for (Index b = 0; b < bodies; ++b) {
      const std::string &name = system.bodies[b].name, &other = mesh.owner_names[obstacle];
      if (!mesh.owners_may_touch(b, obstacle) || findings.has("intersection", {name, other})) continue;
      const TetMesh own = mesh_of(system, user_x, b);
      Finding finding;
      finding.kind = "overlap";
      finding.owners = {name, other};
      if (surfaces.closed(obstacle)) {
        const std::vector<Index> vertices = piece_vertices(own);
        const auto inside_obstacle = [&](Index v) {
          const Vec3 p = own.vertices.col(v);
          if (surfaces.box_distance(obstacle, p) > 0) return false;
          const double distance =
              surfaces.nearest(obstacle, state.x, p, std::numeric_limits<double>::infinity()).distance;
          return volume < 0 ? distance > 0 : distance < 0;
        };
        const auto found = std::ranges::find_if(vertices, inside_obstacle);
        if (found != vertices.end()) {
          finding.severity = volume < 0 ? Severity::remark : Severity::warning;
          finding.position = own.vertices.col(*found);
          finding.message = fmt::format(
              "body '{}' lies inside the closed obstacle '{}': vertex {} at {} is within its surface, which keeps the "
              "body inside like a hollow box",
              name, other, *found, place_text(*finding.position));
          finding.remedy = "if the obstacle is solid, move the body out of it";
          finding.primitives.push_back({{"vertex", *found}});
          findings.add(std::move(finding));
          continue;
        }
      }
      if (own.is_cloth() || first == mesh.vertices.end()) continue;
      const Vec3 p = state.x.col(*first);
      const Vec3 low = own.vertices.rowwise().minCoeff(), high = own.vertices.rowwise().maxCoeff();
      if (!Box(low, high).contains(p) || !inside(p, own)) continue;
      finding.position = p;
      finding.message = fmt::format("obstacle '{}' lies in body '{}': its {} at {} is inside the tets", other, name,
                                    primitive_text(system, {&*first, 1}), place_text(p));
      finding.remedy = "contact does not separate them: move one, or cut the space out of the body's mesh";
      findings.add(std::move(finding));
    }
  }
}

}  // namespace

void check_meshes(const Setup& setup, Findings& findings) {
  for (const BodySetup& body : setup.bodies) {
    check_slivers(body, findings);
    check_pieces(body, findings);
    check_unused(body, findings);
    check_regions(body, findings);
  }
}

void check_nesting(const System& system, const State& state, Findings& findings) {
  const Points user_x = system.to_user(state.x, &system.user_rest);
  const std::size_t count = system.bodies.size();
  std::vector<Box> boxes;
  for (const SystemBody& body : system.bodies) {
    const auto x = user_x.middleCols(body.user_begin, body.vertex_count);
    boxes.emplace_back(x.rowwise().minCoeff(), x.rowwise().maxCoeff());
  }
  for (std::size_t inner = 0; inner < count; ++inner) {
    const TetMesh mesh = mesh_of(system, user_x, inner);
    const std::string& name = system.bodies[inner].name;
    const std::vector<Index> vertices = piece_vertices(mesh);
    for (std::size_t outer = 0; outer < count; ++outer) {
      const std::string& other = system.bodies[outer].name;
      const bool may_touch = system.collision.owners_may_touch(static_cast<Index>(inner), static_cast<Index>(outer));
      if (inner == outer || !may_touch || findings.has("intersection", {name, other})) continue;
      const auto in_box = [&](Index v) { return boxes[outer].contains(Vec3(mesh.vertices.col(v))); };
      if (std::none_of(vertices.begin(), vertices.end(), in_box)) continue;
      const TetMesh around = mesh_of(system, user_x, outer);
      const auto found = std::find_if(vertices.begin(), vertices.end(),
                                      [&](Index v) { return in_box(v) && inside(mesh.vertices.col(v), around); });
      if (found == vertices.end()) continue;
      Finding finding;
      finding.kind = "overlap";
      finding.owners = {name, other};
      finding.position = mesh.vertices.col(*found);
      finding.message = fmt::format("body '{}' lies in body '{}': vertex {} at {} is inside its tets", name, other,
                                    *found, place_text(*finding.position));
      finding.remedy = "contact does not separate them: move one, or join their meshes";
      finding.primitives.push_back({{"vertex", *found}});
      findings.add(std::move(finding));
    }
  }
  check_obstacle_nesting(system, state, user_x, findings);
}

}  // namespace sinew

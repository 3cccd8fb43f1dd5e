#include "sinew/mesh/validate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr std::size_t listed = 5;
constexpr const char* numbering = "(Ids count from 0 in the order of the file.)";

std::string point_text(const Points& vertices, Index v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", vertices(0, v), vertices(1, v), vertices(2, v));
}

std::string and_more(std::size_t count) {
  return count > listed ? fmt::format(" and {} more", count - listed) : "";
}

// "tet 3 (vertices 0 1 2 4, at (x, y, z)), tet 7 (...), ..."; the position is left out where it would be out of range.
template <class Elements>
std::string element_list(const char* kind, const std::vector<Index>& ids, const Elements& elements,
                         const Points& vertices) {
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, ids.size()); ++i) {
    const auto corners = elements.col(ids[i]);
    text += fmt::format("{}{} {} (vertices", i ? ", " : "", kind, ids[i]);
    for (const Index v : corners) text += fmt::format(" {}", v);
    const Index v = corners[0];
    if (v >= 0 && v < vertices.cols()) text += ", at " + point_text(vertices, v);
    text += ")";
  }
  text += and_more(ids.size());
  return text;
}

std::string vertex_list(const std::vector<Index>& ids, const Points* vertices) {
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, ids.size()); ++i) {
    text += fmt::format("{}{}", i ? ", " : "", ids[i]);
    if (vertices) text += " at " + point_text(*vertices, ids[i]);
  }
  text += and_more(ids.size());
  return text;
}

template <class Predicate>
std::vector<Index> ids_where(Eigen::Index count, Predicate&& predicate) {
  std::vector<Index> ids;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (predicate(i)) ids.push_back(static_cast<Index>(i));
  }
  return ids;
}

template <class Elements>
void check_range(const char* kind, const Elements& elements, const Points& vertices, const std::string& source) {
  const auto bad = ids_where(elements.cols(), [&](Eigen::Index e) {
    return elements.col(e).minCoeff() < 0 || elements.col(e).maxCoeff() >= vertices.cols();
  });
  if (bad.empty()) return;
  fail_input(code::mesh_index, "{}: {} of {} {}s name vertices outside 0 to {}: {}. Export the mesh again. {}", source,
             bad.size(), elements.cols(), kind, vertices.cols() - 1, element_list(kind, bad, elements, vertices),
             numbering);
}

template <class Column>
bool has_repeated_vertex(const Column& corners) {
  for (int i = 0; i < corners.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (corners[i] == corners[j]) return true;
    }
  }
  return false;
}

void check_repeated(const TetMesh& mesh, const std::string& source) {
  const auto bad = ids_where(mesh.tets.cols(), [&](Eigen::Index t) { return has_repeated_vertex(mesh.tets.col(t)); });
  if (bad.empty()) return;
  fail_input(code::mesh_topology, "{}: {} of {} tets have a vertex twice: {}. Remove them or mesh the body again. {}",
             source, bad.size(), mesh.tets.cols(), element_list("tet", bad, mesh.tets, mesh.vertices), numbering);
}

// Duplicates share a face and the vertex opposite to it.
void check_duplicates(const TetMesh& mesh, const std::vector<TetFace>& faces, const std::string& source) {
  std::vector<Index> bad;
  std::vector<std::pair<Index, Index>> opposite;  // (vertex, tet) over the tets of one face
  for (std::size_t i = 0, end; i < faces.size(); i = end) {
    opposite.clear();
    for (end = i; end < faces.size() && faces[end].same_vertices(faces[i]); ++end) {
      opposite.emplace_back(mesh.tets(faces[end].local(), faces[end].tet()), faces[end].tet());
    }
    std::sort(opposite.begin(), opposite.end());
    for (std::size_t k = 1; k < opposite.size(); ++k) {
      if (opposite[k].first == opposite[k - 1].first) bad.push_back(opposite[k].second);
    }
  }
  if (bad.empty()) return;
  sort_unique(bad);
  fail_input(code::mesh_topology, "{}: {} of {} tets are duplicates of earlier ones: {}. Remove them. {}", source,
             bad.size(), mesh.tets.cols(), element_list("tet", bad, mesh.tets, mesh.vertices), numbering);
}

// Six times the signed volume, or exactly 0 where rounding hides its sign. The computed determinant of the rows e1, e2,
// e3 has an error below (7 + 56 u) u times the permanent of their absolute values (Shewchuk 1997, orient3d), which is
// at most 3 sqrt(3) |e1| |e2| |e3|: together under 5e-15 |e1| |e2| |e3|. Twice that decides; it scales with the mesh.
double resolved_determinant(const Points& x, const Tets& tets, Eigen::Index t) {
  const Vec3 e1 = x.col(tets(1, t)) - x.col(tets(0, t));
  const Vec3 e2 = x.col(tets(2, t)) - x.col(tets(0, t));
  const Vec3 e3 = x.col(tets(3, t)) - x.col(tets(0, t));
  const double determinant = e1.dot(e2.cross(e3));
  const double bound = 1e-14 * e1.norm() * e2.norm() * e3.norm();
  return std::abs(determinant) > bound ? determinant : 0;
}

// The sign of each tet's volume; throws for those without one.
std::vector<signed char> volume_signs(const TetMesh& mesh, const std::string& source) {
  std::vector<signed char> signs(mesh.tets.cols());
  std::vector<Index> flat;
  for (Eigen::Index t = 0; t < mesh.tets.cols(); ++t) {
    const double determinant = resolved_determinant(mesh.vertices, mesh.tets, t);
    signs[t] = determinant > 0 ? 1 : -1;
    if (determinant == 0) flat.push_back(static_cast<Index>(t));
  }
  if (flat.empty()) return signs;
  fail_input(code::mesh_flat, "{}: {} of {} tets have zero volume: {}. Remove them or mesh the body again. {}", source,
             flat.size(), mesh.tets.cols(), element_list("tet", flat, mesh.tets, mesh.vertices), numbering);
}

void check_manifold(const std::vector<TetFace>& faces, const Points& vertices, const std::string& source) {
  std::vector<std::size_t> bad;
  for (std::size_t i = 2; i < faces.size(); ++i) {
    if (!faces[i].same_vertices(faces[i - 2])) continue;
    if (bad.empty() || !faces[bad.back()].same_vertices(faces[i])) bad.push_back(i);
  }
  if (bad.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, bad.size()); ++i) {
    const TetFace& face = faces[bad[i]];
    text +=
        fmt::format("{}face {} {} {} at {} (tets", i ? ", " : "", face.a, face.b, face.c, point_text(vertices, face.a));
    for (std::size_t k = bad[i] - 2; k < faces.size() && faces[k].same_vertices(face); ++k)
      text += fmt::format(" {}", faces[k].tet());
    text += ")";
  }
  fail_input(code::mesh_topology,
             "{}: {} faces are shared by more than two tets: {}{}. The tets overlap; mesh the body again. {}", source,
             bad.size(), text, bad.size() > listed ? ", ..." : "", numbering);
}

// Face neighbours and how they are wound. Two different tets share at most one face: duplicates are refused before.
struct FaceGraph {
  Tets neighbours;
  const Tets& tets;

  // +1 when both tets are wound alike (each sees the face from its own side), -1 when one must be flipped.
  int winding(Index t, int local, Index other) const {
    int other_local = 0;
    while (neighbours(other_local, other) != t) ++other_local;
    return -face_parity(tets, t, local) * face_parity(tets, other, other_local);
  }
};

[[noreturn]] void fail_folded(const TetMesh& mesh, std::vector<Index> folded, const std::string& source) {
  sort_unique(folded);
  fail_input(code::mesh_folded,
             "{}: {} of {} tets are folded: they overlap the neighbour across a shared face: {}. Mesh the body again "
             "or untangle the mesh. {}",
             source, folded.size(), mesh.tets.cols(), element_list("tet", folded, mesh.tets, mesh.vertices), numbering);
}

// Winds each face-connected component alike, then every volume must have the same sign; a component of negative volumes
// is re-wound, tets of the rarer sign are folded.
class Orientation {
 public:
  Orientation(const TetMesh& mesh, const std::vector<TetFace>& faces, const std::vector<signed char>& signs)
      : signs_(signs), graph_{tet_neighbours(mesh.tets, faces), mesh.tets}, flips_(signs.size(), 0) {
    for (Index seed = 0; seed < mesh.tet_count(); ++seed) {
      if (flips_[seed] == 0) visit(seed);
    }
  }
  const std::vector<Index>& folded() const { return folded_; }

 private:
  void visit(Index seed) {
    std::vector<Index> component = {seed};
    flips_[seed] = 1;
    Index positive = 0;
    bool orientable = true;
    for (std::size_t i = 0; i < component.size(); ++i) {
      const Index t = component[i];
      positive += signs_[t] * flips_[t] > 0;
      for (int local = 0; local < 4; ++local) {
        const Index other = graph_.neighbours(local, t);
        if (other < 0) continue;
        const auto flip = static_cast<signed char>(flips_[t] * graph_.winding(t, local, other));
        if (flips_[other] == 0) {
          flips_[other] = flip;
          component.push_back(other);
        } else if (flips_[other] != flip) {
          orientable = false;
          folded_.push_back(other);
        }
      }
    }
    if (!orientable) return;
    const int rare = 2 * positive >= static_cast<Index>(component.size()) ? -1 : 1;
    for (const Index t : component) {
      if (signs_[t] * flips_[t] == rare) folded_.push_back(t);
    }
  }

  const std::vector<signed char>& signs_;
  FaceGraph graph_;
  std::vector<signed char> flips_;  // +-1: winding relative to the component's first tet; 0: not seen
  std::vector<Index> folded_;
};

void orient(TetMesh& mesh, const std::vector<TetFace>& faces, const std::vector<signed char>& signs,
            const std::string& source) {
  const Orientation orientation(mesh, faces, signs);
  if (!orientation.folded().empty()) fail_folded(mesh, orientation.folded(), source);
  Index rewound = 0;
  for (Eigen::Index t = 0; t < mesh.tets.cols(); ++t) {
    if (signs[t] > 0) continue;
    std::swap(mesh.tets(2, t), mesh.tets(3, t));
    ++rewound;
  }
  if (rewound == 0) return;
  log::warning("{}: {} of {} tets had negative volume; their vertices were reordered", source, rewound,
               mesh.tets.cols());
}

void warn_flat(const TetMesh& mesh, const std::string& source) {
  const auto flat = ids_where(
      mesh.tets.cols(), [&](Eigen::Index t) { return tet_quality(mesh.vertices, mesh.tets, t) < nearly_flat_quality; });
  if (flat.empty()) return;
  log::warning("{}: {} of {} tets are nearly flat (quality below {}) and slow the solver: {}. {}", source, flat.size(),
               mesh.tets.cols(), nearly_flat_quality, element_list("tet", flat, mesh.tets, mesh.vertices), numbering);
}

template <class Elements>
void warn_unused(const char* kind, const Elements& elements, const Points& vertices, const std::string& source) {
  std::vector<char> used(vertices.cols(), 0);
  for (Eigen::Index i = 0; i < elements.size(); ++i) used[elements.data()[i]] = 1;
  const auto unused = ids_where(vertices.cols(), [&](Eigen::Index v) { return !used[v]; });
  if (unused.empty()) return;
  log::warning("{}: {} of {} vertices are in no {} and stay at rest: vertex {}. {}", source, unused.size(),
               vertices.cols(), kind, vertex_list(unused, nullptr), numbering);
}

}  // namespace

void require_finite(const Points& vertices, const std::string& source) {
  const auto bad = ids_where(vertices.cols(), [&](Eigen::Index v) { return !vertices.col(v).allFinite(); });
  if (bad.empty()) return;
  fail_input(code::mesh_finite,
             "{}: {} of {} vertices have coordinates that are not finite: vertex {}. Export the mesh again. {}", source,
             bad.size(), vertices.cols(), vertex_list(bad, &vertices), numbering);
}

void validate(TetMesh& mesh, const std::string& source) {
  if (mesh.tets.cols() == 0) fail_input(code::mesh_empty, "{}: found no tets, expected a volume mesh", source);
  require_finite(mesh.vertices, source);
  check_range("tet", mesh.tets, mesh.vertices, source);
  check_repeated(mesh, source);
  const std::vector<TetFace> faces = sorted_faces(mesh.tets);
  check_duplicates(mesh, faces, source);
  const std::vector<signed char> signs = volume_signs(mesh, source);
  check_manifold(faces, mesh.vertices, source);
  orient(mesh, faces, signs, source);
  warn_flat(mesh, source);
  warn_unused("tet", mesh.tets, mesh.vertices, source);
}

void validate(TriMesh& mesh, const std::string& source) {
  if (mesh.triangles.cols() == 0) fail_input(code::mesh_empty, "{}: found no triangles, expected a surface", source);
  require_finite(mesh.vertices, source);
  check_range("triangle", mesh.triangles, mesh.vertices, source);

  Eigen::Index kept = 0;
  const Eigen::Index all = mesh.triangles.cols();
  for (Eigen::Index f = 0; f < all; ++f) {
    if (has_repeated_vertex(mesh.triangles.col(f))) continue;
    mesh.triangles.col(kept++) = mesh.triangles.col(f).eval();
  }
  mesh.triangles.conservativeResize(3, kept);
  if (kept < all) log::warning("{}: {} of {} triangles have a vertex twice and were removed", source, all - kept, all);
  if (kept == 0)
    fail_input(code::mesh_index, "{}: all {} triangles have a vertex twice, expected a surface", source, all);

  const auto flat = ids_where(kept, [&](Eigen::Index f) {
    const Vec3 a = mesh.vertices.col(mesh.triangles(0, f));
    const Vec3 e1 = mesh.vertices.col(mesh.triangles(1, f)) - a, e2 = mesh.vertices.col(mesh.triangles(2, f)) - a;
    return !(e1.cross(e2).norm() > 1e-15 * e1.norm() * e2.norm());  // the cross product's rounding error
  });
  if (!flat.empty()) {
    fail_input(code::mesh_flat,
               "{}: {} of {} triangles have zero area: {}. Remove them or export the surface again. {}", source,
               flat.size(), kept, element_list("triangle", flat, mesh.triangles, mesh.vertices), numbering);
  }
  warn_unused("triangle", mesh.triangles, mesh.vertices, source);
}

}  // namespace sinew

#include "surface_complex.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>

#include "feature_lines.h"
#include "surface_checks.h"
#include "surface_edges.h"
#include "surface_join.h"
#include "winding_number.h"

#include "sinew/core/error.h"
#include "sinew/core/log.h"

namespace sinew::mesher {
namespace {

// A closed part of a surface.
struct Shell {
  std::size_t surface = 0;
  std::vector<Index> triangles;
  Eigen::AlignedBox3d box;
  double volume = 0;    // signed [m^3]
  int parent = -1;      // the smallest shell of the same surface around it
  bool cavity = false;  // else the outside of a solid
  int solid = -1;       // whose boundary it is part of
  std::unique_ptr<WindingNumber> winding;

  bool contains(const Vec3& p) const { return box.contains(p) && std::abs((*winding)(p)) > 0.5; }
};

// The points within an outer shell and outside of its cavities.
struct Body {
  int label = 0;
  double volume = 0;  // within the outer shell [m^3]
};

struct Shells {
  std::vector<Shell> all;
  std::vector<Body> solids;
  std::vector<std::vector<int>> shell_of;  // by surface and triangle
};

void flip(Shell& shell, TriMesh& mesh) {
  for (const Index f : shell.triangles) std::swap(mesh.triangles(1, f), mesh.triangles(2, f));
  shell.volume = -shell.volume;
}

std::vector<Shell> shells_of(const InputSurface& surface, std::size_t number) {
  const TriMesh& mesh = surface.mesh;
  std::vector<Shell> shells;
  for (std::vector<Index>& part : triangles_of(edge_parts(SurfaceEdges(mesh.triangles), mesh.triangles.cols()))) {
    Shell& shell = shells.emplace_back();
    shell.surface = number;
    shell.triangles = std::move(part);
    Triangles own(3, static_cast<Eigen::Index>(shell.triangles.size()));
    for (std::size_t i = 0; i < shell.triangles.size(); ++i) {
      own.col(static_cast<Eigen::Index>(i)) = mesh.triangles.col(shell.triangles[i]);
      for (int k = 0; k < 3; ++k) shell.box.extend(mesh.vertices.col(mesh.triangles(k, shell.triangles[i])));
    }
    shell.volume = enclosed_volume(mesh.vertices, mesh.triangles, shell.triangles, shell.box.center());
    shell.winding = std::make_unique<WindingNumber>(mesh.vertices, own);
  }
  return shells;
}

void find_parents(std::vector<Shell>& shells, const TriMesh& mesh) {
  for (Shell& shell : shells) {
    const Vec3 p = mesh.vertices.col(mesh.triangles(0, shell.triangles[0]));
    for (std::size_t other = 0; other < shells.size(); ++other) {
      const Shell& around = shells[other];
      if (&around == &shell || std::abs(around.volume) <= std::abs(shell.volume) || !around.contains(p)) continue;
      if (shell.parent < 0 || std::abs(around.volume) < std::abs(shells[static_cast<std::size_t>(shell.parent)].volume))
        shell.parent = static_cast<int>(other);
    }
  }
}

// Solids are outside in; a surface that faces inwards as a whole is turned.
void orient_shells(std::vector<Shell>& shells, InputSurface& surface) {
  double total = 0;
  for (const Shell& shell : shells) total += shell.volume;
  Index turned = 0;
  if (total < 0) {
    for (Shell& shell : shells) flip(shell, surface.mesh);
    ++turned;
  }
  std::vector<std::size_t> outside_in(shells.size());
  std::iota(outside_in.begin(), outside_in.end(), std::size_t{0});
  std::stable_sort(outside_in.begin(), outside_in.end(), [&](std::size_t s, std::size_t t) {
    return std::abs(shells[s].volume) > std::abs(shells[t].volume);
  });
  for (const std::size_t s : outside_in) {
    Shell& shell = shells[s];
    const bool in_solid = shell.parent >= 0 && !shells[static_cast<std::size_t>(shell.parent)].cavity;
    shell.cavity = in_solid && shell.volume < 0;
    if (!shell.cavity && shell.volume < 0) {
      flip(shell, surface.mesh);
      ++turned;
    }
  }
  if (turned > 0) log::warning("{}: the surface faced inwards and was turned", surface.path);
}

// Each outer shell is a solid of the surface's region, or of a region of its own when it lies within another solid.
void make_solids(std::vector<Shell>& shells, const std::string& name, std::vector<Body>& solids,
                 std::vector<std::string>& regions) {
  regions.push_back(name);
  const int label = static_cast<int>(regions.size());
  int nested = 1;
  for (Shell& shell : shells) {
    if (shell.cavity) continue;
    const bool within = shell.parent >= 0 && !shells[static_cast<std::size_t>(shell.parent)].cavity;
    if (within) regions.push_back(name + "_" + std::to_string(++nested));
    shell.solid = static_cast<int>(solids.size());
    solids.push_back({within ? static_cast<int>(regions.size()) : label, shell.volume});
  }
  for (Shell& shell : shells) {
    if (shell.cavity) shell.solid = shells[static_cast<std::size_t>(shell.parent)].solid;
  }
}

// What lies beside a patch of joined triangles that have the same owners: solids by shells on both sides.
class Labels {
 public:
  Labels(const Shells& shells, const JoinedSurfaces& joined) : shells_(shells), joined_(joined) {}

  // In front of triangle f and behind it. Shells that do not own f have it on one side: the same for the whole patch.
  std::array<int, 2> sides(Index f, const Vec3& p) const {
    std::array<std::vector<int>, 2> within;  // how many times within each solid
    within.fill(std::vector<int>(shells_.solids.size(), 0));
    std::vector<char> owner(shells_.all.size(), 0);
    for (const Owner& o : joined_.owners[static_cast<std::size_t>(f)]) {
      const int s = shells_.shell_of[o.surface][static_cast<std::size_t>(o.triangle)];
      const Shell& shell = shells_.all[static_cast<std::size_t>(s)];
      owner[static_cast<std::size_t>(s)] = 1;
      const std::size_t front = o.reversed ? 1 : 0;
      const auto solid = static_cast<std::size_t>(shell.solid);
      if (shell.cavity) {
        --within[front][solid];
      } else {
        ++within[1 - front][solid];
      }
    }
    for (std::size_t s = 0; s < shells_.all.size(); ++s) {
      const Shell& shell = shells_.all[s];
      if (owner[s] || !shell.contains(p)) continue;
      for (auto& side : within) side[static_cast<std::size_t>(shell.solid)] += shell.cavity ? -1 : 1;
    }
    return {label(within[0]), label(within[1])};
  }

 private:
  // Of the smallest solid there; of equal ones the last.
  int label(const std::vector<int>& within) const {
    int best = -1;
    for (std::size_t s = 0; s < within.size(); ++s) {
      if (within[s] < 1) continue;
      if (best < 0 || shells_.solids[s].volume <= shells_.solids[static_cast<std::size_t>(best)].volume)
        best = static_cast<int>(s);
    }
    return best < 0 ? 0 : shells_.solids[static_cast<std::size_t>(best)].label;
  }

  const Shells& shells_;
  const JoinedSurfaces& joined_;
};

bool same_owners(const std::vector<Owner>& a, const std::vector<Owner>& b, const Shells& shells) {
  const auto shell = [&](const Owner& o) { return shells.shell_of[o.surface][static_cast<std::size_t>(o.triangle)]; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Owner& o, const Owner& p) { return shell(o) == shell(p); });
}

// The labels of all triangles: found once for each patch of joined triangles with the same owners.
std::vector<std::array<int, 2>> label_sides(const JoinedSurfaces& joined, const Shells& shells) {
  const Eigen::Index count = joined.triangles.cols();
  const SurfaceEdges edges(joined.triangles);
  std::vector<Index> patch(static_cast<std::size_t>(count));
  std::iota(patch.begin(), patch.end(), 0);
  const auto root = [&](Index f) {
    while (patch[static_cast<std::size_t>(f)] != f)
      f = patch[static_cast<std::size_t>(f)] = patch[static_cast<std::size_t>(patch[static_cast<std::size_t>(f)])];
    return f;
  };
  for (const SurfaceEdges::Edge& edge : edges.edges()) {
    if (edge.count != 2) continue;
    const Index f = edges.uses(edge)[0].triangle, g = edges.uses(edge)[1].triangle;
    if (!same_owners(joined.owners[static_cast<std::size_t>(f)], joined.owners[static_cast<std::size_t>(g)], shells))
      continue;
    const Index r = root(f), s = root(g);
    patch[static_cast<std::size_t>(std::max(r, s))] = std::min(r, s);
  }
  std::vector<Index> largest(static_cast<std::size_t>(count), -1);  // triangle of a patch, by its root
  std::vector<double> area(static_cast<std::size_t>(count), -1);
  for (Index f = 0; f < count; ++f) {
    const auto r = static_cast<std::size_t>(root(f));
    const double own = triangle_normal(joined.vertices, joined.triangles, f).norm();
    if (own <= area[r]) continue;
    area[r] = own;
    largest[r] = f;
  }
  const Labels labels(shells, joined);
  std::vector<std::array<int, 2>> sides(static_cast<std::size_t>(count));
  std::vector<char> known(static_cast<std::size_t>(count), 0);
  std::vector<std::array<int, 2>> of_patch(static_cast<std::size_t>(count));
  // The owners of a patch face the same way all over it, the joined triangles perhaps not.
  const auto reversed = [&](Index f) { return joined.owners[static_cast<std::size_t>(f)].front().reversed; };
  for (Index f = 0; f < count; ++f) {
    const auto r = static_cast<std::size_t>(root(f));
    const Index g = largest[r];
    if (!known[r]) {
      const Vec3 centre = (joined.vertices.col(joined.triangles(0, g)) + joined.vertices.col(joined.triangles(1, g)) +
                           joined.vertices.col(joined.triangles(2, g))) /
                          3;
      of_patch[r] = labels.sides(g, centre);
      known[r] = 1;
    }
    sides[static_cast<std::size_t>(f)] = of_patch[r];
    if (reversed(f) != reversed(g))
      std::swap(sides[static_cast<std::size_t>(f)][0], sides[static_cast<std::size_t>(f)][1]);
  }
  return sides;
}

void check_regions(const SurfaceComplex& complex) {
  std::vector<char> seen(complex.regions.size() + 1, 0);
  for (const auto& sides : complex.sides) {
    for (const int label : sides) seen[static_cast<std::size_t>(label)] = 1;
  }
  for (std::size_t r = 1; r < seen.size(); ++r) {
    if (!seen[r]) {
      fail_input(code::surface_empty, "other surfaces cover or replace all of '{}'; give each surface once",
                 complex.regions[r - 1]);
    }
  }
}

}  // namespace

SurfaceComplex make_complex(const std::vector<InputSurface>& given, const ComplexOptions& options) {
  std::vector<InputSurface> surfaces = given;
  SurfaceComplex complex;
  Shells shells;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    std::vector<Shell> own = shells_of(surfaces[s], s);
    find_parents(own, surfaces[s].mesh);
    orient_shells(own, surfaces[s]);
    make_solids(own, surfaces[s].name, shells.solids, complex.regions);
    std::vector<int>& shell_of = shells.shell_of.emplace_back(surfaces[s].mesh.triangles.cols());
    for (Shell& shell : own) {
      for (const Index f : shell.triangles) shell_of[static_cast<std::size_t>(f)] = static_cast<int>(shells.all.size());
      shells.all.push_back(std::move(shell));
    }
  }
  const JoinedSurfaces joined = join(surfaces);
  const std::vector<std::array<int, 2>> sides = label_sides(joined, shells);
  complex.vertices = joined.vertices;
  complex.triangles.resize(3, joined.triangles.cols());
  Eigen::Index kept = 0;
  for (Eigen::Index f = 0; f < joined.triangles.cols(); ++f) {
    const auto& side = sides[static_cast<std::size_t>(f)];
    if (side[0] == side[1]) continue;
    complex.triangles.col(kept++) = joined.triangles.col(f);
    complex.sides.push_back(side);
  }
  complex.triangles.conservativeResize(3, kept);
  check_regions(complex);
  complex.features = feature_lines(complex.vertices, complex.triangles, complex.sides, options.feature_angle,
                                   options.shortest_feature);
  return complex;
}

}  // namespace sinew::mesher

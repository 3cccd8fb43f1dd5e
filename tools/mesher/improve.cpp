#include "improve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numbers>
#include <set>

#include <Eigen/Geometry>

#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

using Tet = std::array<Index, 4>;

constexpr int rounds = 12, sweeps = 3;
constexpr std::size_t longest_ring = 9;  // tets around an edge that is removed
constexpr double surface_turn = 0.85;    // cosine of the angle by which a flip may turn a surface
constexpr double short_edge = 0.4;       // of a tet's longest: one that may be collapsed
constexpr double flat = -std::numeric_limits<double>::infinity();

// The smallest sine of the six dihedral angles, negative for an inverted tet: 6 V l / (2 A 2 A') at each edge.
double least_sine(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ab = b - a, ac = c - a, ad = d - a, bc = c - b, bd = d - b, cd = d - c;
  const Vec3 nd = ab.cross(ac), nb = ac.cross(ad), nc = ad.cross(ab), na = bd.cross(bc);
  const double volume = ab.dot(nb);
  const double la = na.squaredNorm(), lb = nb.squaredNorm(), lc = nc.squaredNorm(), ld = nd.squaredNorm();
  double least = std::numeric_limits<double>::infinity();
  const auto edge = [&](const Vec3& e, double f, double g) { least = std::min(least, e.squaredNorm() / (f * g)); };
  edge(ab, lc, ld), edge(ac, lb, ld), edge(ad, lb, lc), edge(bc, la, ld), edge(bd, la, lc), edge(cd, la, lb);
  return std::isfinite(least) ? volume * std::sqrt(least) : flat;
}

// The tets of one region around an edge (a, b): (a, b, ring[i], ring[i + 1]), and (.., ring.back(), ring[0]) if closed.
struct Fan {
  Index region = 0;
  bool closed = false;
  std::vector<Index> ring, tets;
};

class Improver {
 public:
  Improver(TetMesh& mesh, const ImproveOptions& options) : mesh_(mesh), options_(options) {
    goal_ = std::sin(options.min_dihedral * std::numbers::pi / 180);
    for (Index v = 0; v < mesh.vertex_count(); ++v) x_.push_back(mesh.vertices.col(v));
    star_.resize(x_.size());
    changed_.resize(x_.size());
    for (Index t = 0; t < mesh.tet_count(); ++t) {
      add({mesh.tets(0, t), mesh.tets(1, t), mesh.tets(2, t), mesh.tets(3, t)},
          mesh.regions[static_cast<std::size_t>(t)]);
    }
    for (const auto& [a, b] : options.sharp) sharp_.insert(std::minmax(a, b));
    find_surfaces();
  }

  void run() {
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::pair<double, Index>> bad;
      for (Index t = 0; t < count(); ++t) {
        if (alive(t) && quality_[at(t)] < goal_) bad.emplace_back(quality_[at(t)], t);
      }
      std::sort(bad.begin(), bad.end());
      bool changed = false;
      for (const auto& [q, t] : bad) {
        if (!alive(t) || quality_[at(t)] >= goal_ || tried_in_vain(t)) continue;
        ++now_;
        const bool mended = mend(t);
        changed |= mended;
        if (!mended) tried_[at(t)] = now_;
      }
      if (!changed) break;
    }
  }

  // Moves each vertex of a surface along its normal by the mean gap between the surface and the triangles around it, so
  // that they keep the volume.
  void balance() {
    for (int sweep = 0; options_.project && sweep < sweeps; ++sweep) {
      const std::vector<Vec3> shift = surface_shifts();
      for (Index v = 0; v < static_cast<Index>(x_.size()); ++v) {
        if (!slides(v) || star_[at(v)].empty()) continue;
        const double bound = std::min(goal_, worst(star_[at(v)]));
        for (const double part : {1.0, 0.5, 0.25}) {
          const Vec3 p = x(v) + part * shift[at(v)];
          if (star_worst(v, p, 0.9999 * bound) == flat) continue;
          place(v, p);
          break;
        }
      }
    }
  }

  void write_back() {
    std::vector<Index> id(x_.size(), -1);
    Index vertices = 0, tets = 0;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (star_[v].empty()) continue;
      id[v] = vertices;
      mesh_.vertices.col(vertices++) = x_[v];
    }
    mesh_.regions.clear();
    mesh_.tets.resize(4, count());
    for (Index t = 0; t < count(); ++t) {
      if (!alive(t)) continue;
      for (int k = 0; k < 4; ++k) mesh_.tets(k, tets) = id[at(tet_[at(t)][at(k)])];
      mesh_.regions.push_back(region_[at(t)]);
      ++tets;
    }
    mesh_.vertices.conservativeResize(3, vertices);
    mesh_.tets.conservativeResize(4, tets);
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index count() const { return static_cast<Index>(tet_.size()); }
  bool alive(Index t) const { return tet_[at(t)][0] >= 0; }
  const Vec3& x(Index v) const { return x_[at(v)]; }
  double quality(const Tet& t) const { return least_sine(x(t[0]), x(t[1]), x(t[2]), x(t[3])); }
  double quality(Index a, Index b, Index c, Index d) const { return least_sine(x(a), x(b), x(c), x(d)); }

  // Whether nothing has changed at the corners of t since it could not be mended.
  bool tried_in_vain(Index t) const {
    if (tried_[at(t)] == 0) return false;
    return std::all_of(tet_[at(t)].begin(), tet_[at(t)].end(),
                       [&](Index v) { return changed_[at(v)] < tried_[at(t)]; });
  }

  void place(Index v, const Vec3& p) {
    x_[at(v)] = p;
    for (const Index t : star_[at(v)]) {
      quality_[at(t)] = quality(tet_[at(t)]);
      for (const Index w : tet_[at(t)]) changed_[at(w)] = now_;
    }
  }

  Index add(const Tet& t, Index region) {
    const Index id = count();
    tried_.push_back(0);
    tet_.push_back(t);
    region_.push_back(region);
    quality_.push_back(quality(t));
    for (const Index v : t) {
      star_[at(v)].push_back(id);
      changed_[at(v)] = now_;
    }
    return id;
  }

  void remove(Index t) {
    for (const Index v : tet_[at(t)]) {
      auto& star = star_[at(v)];
      star.erase(std::find(star.begin(), star.end(), t));
      changed_[at(v)] = now_;
    }
    tet_[at(t)][0] = -1;
  }

  bool has(Index t, Index v) const {
    const Tet& tet = tet_[at(t)];
    return tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v;
  }

  // The tet on the other side of a face, or -1.
  Index across(Index t, Index p, Index q, Index r) const {
    for (const Index u : star_[at(p)]) {
      if (u != t && has(u, q) && has(u, r)) return u;
    }
    return -1;
  }

  // The labels on both sides of each vertex: one for a vertex inside, two where it may slide, more where it stays.
  void find_surfaces() {
    labels_.resize(x_.size());
    const auto note = [&](Index v, Index label) {
      auto& labels = labels_[at(v)];
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    };
    for (Index t = 0; t < count(); ++t) {
      for (const Index v : tet_[at(t)]) note(v, region_[at(t)]);
    }
    const Triangles boundary = boundary_triangles(mesh_.tets);
    for (Eigen::Index f = 0; f < boundary.cols(); ++f) {
      for (int k = 0; k < 3; ++k) note(boundary(k, f), 0);
    }
    for (auto& labels : labels_) std::sort(labels.begin(), labels.end());
  }

  bool mend(Index t) { return flip(t) || move_corners(t); }

  // --- flips

  struct Flip {
    double gain = 0;
    std::vector<Index> old;
    std::vector<std::pair<Tet, Index>> fresh;  // tet, region
    Index gone = -1, into = -1;                // of a collapse
    std::vector<Index> lines = {};             // whose sharp edges to `gone` become edges to `into`
  };

  bool flip(Index t) {
    const Tet tet = tet_[at(t)];
    Flip best;
    for (const auto& [i, j] : tet_edges) try_edge(tet[at(i)], tet[at(j)], best);
    for (const auto& face : tet_faces) try_face(t, tet[at(face[0])], tet[at(face[1])], tet[at(face[2])], best);
    const double longest = longest_edge(tet);
    for (const auto& [i, j] : tet_edges) {
      const Index a = tet[at(i)], b = tet[at(j)];
      if ((x(a) - x(b)).norm() > short_edge * longest) continue;
      try_collapse(a, b, best);
      try_collapse(b, a, best);
    }
    if (best.old.empty()) return false;
    if (!best.lines.empty()) sharp_.erase(std::minmax(best.gone, best.into));
    for (const Index v : best.lines) {
      sharp_.erase(std::minmax(best.gone, v));
      sharp_.insert(std::minmax(best.into, v));
    }
    for (const Index u : best.old) remove(u);
    for (const auto& [fresh, region] : best.fresh) add(fresh, region);
    return true;
  }

  double worst(const std::vector<Index>& tets) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Index t : tets) least = std::min(least, quality_[at(t)]);
    return least;
  }

  static void offer(double before, double after, std::vector<Index> old, std::vector<std::pair<Tet, Index>> fresh,
                    Flip& best) {
    const double gain = std::min(after, 1.0) - before;
    if (after <= 0 || after < before * 1.02 + 1e-6 || gain <= best.gain) return;
    best = {gain, std::move(old), std::move(fresh)};
  }

  // The face between two tets gives way to an edge between their apexes.
  void try_face(Index t, Index p, Index q, Index r, Flip& best) {
    const Index u = across(t, p, q, r);
    if (u < 0 || region_[at(u)] != region_[at(t)]) return;
    const auto apex = [&](Index tet) {
      for (const Index v : tet_[at(tet)]) {
        if (v != p && v != q && v != r) return v;
      }
      return Index(-1);
    };
    const Index s = apex(t), w = apex(u);
    const double before = std::min(quality_[at(t)], quality_[at(u)]);
    double after = quality(s, w, p, q);
    if (after > before) after = std::min(after, quality(s, w, q, r));
    if (after > before) after = std::min(after, quality(s, w, r, p));
    const Index region = region_[at(t)];
    offer(before, after, {t, u}, {{{s, w, p, q}, region}, {{s, w, q, r}, region}, {{s, w, r, p}, region}}, best);
  }

  // The tets around an edge in runs of one region, counter-clockwise seen from b. Empty where they do not form one ring
  // or one open fan.
  std::vector<Fan> fans_around(Index a, Index b) const {
    struct Step {
      Index from, to, tet;
    };
    std::vector<Step> steps;
    for (const Index t : star_[at(a)]) {
      if (!has(t, b)) continue;
      const auto [p, q] = opposite_edge(tet_[at(t)], a, b);
      steps.push_back({p, q, t});
      if (steps.size() > 2 * longest_ring) return {};
    }
    const auto entering = [&](Index v) {
      return std::find_if(steps.begin(), steps.end(), [v](const Step& s) { return s.to == v; });
    };
    const auto leaving = [&](Index v) {
      return std::find_if(steps.begin(), steps.end(), [v](const Step& s) { return s.from == v; });
    };
    // Start at the surface, or where the region changes, or anywhere.
    auto start = steps.begin();
    for (auto s = steps.begin(); s != steps.end(); ++s) {
      const auto before = entering(s->from);
      if (before == steps.end() || region_[at(before->tet)] != region_[at(s->tet)]) {
        start = s;
        if (before == steps.end()) break;
      }
    }
    std::vector<Fan> fans;
    std::size_t seen = 0;
    const Index origin = start->from;
    for (auto s = start; s != steps.end(); s = leaving(s->to)) {
      const Index region = region_[at(s->tet)];
      if (fans.empty() || fans.back().region != region) fans.push_back({region, false, {s->from}, {}});
      fans.back().tets.push_back(s->tet);
      ++seen;
      if (s->to == origin) {
        if (fans.size() == 1) {
          fans.back().closed = true;
        } else {
          fans.back().ring.push_back(s->to);
        }
        break;
      }
      fans.back().ring.push_back(s->to);
    }
    if (seen != steps.size()) return {};
    return fans;
  }

  // The other two vertices of a tet with the edge (a, b), such that (a, b, p, q) is positive.
  static std::pair<Index, Index> opposite_edge(const Tet& tet, Index a, Index b) {
    for (const auto& [i, j, k, l] : {std::array{0, 1, 2, 3}, std::array{0, 2, 3, 1}, std::array{0, 3, 1, 2},
                                     std::array{1, 2, 0, 3}, std::array{1, 3, 2, 0}, std::array{2, 3, 0, 1}}) {
      if (tet[at(i)] == a && tet[at(j)] == b) return {tet[at(k)], tet[at(l)]};
      if (tet[at(i)] == b && tet[at(j)] == a) return {tet[at(l)], tet[at(k)]};
    }
    return {-1, -1};
  }

  bool inside(Index a, Index b) const {
    const std::vector<Fan> fans = fans_around(a, b);
    return fans.size() == 1 && fans.front().closed;
  }

  // The edge gives way to triangles between the vertices around it. An edge of a surface gives way to the other
  // diagonal of its two triangles where the surface is flat.
  void try_edge(Index a, Index b, Flip& best) {
    const std::vector<Fan> fans = fans_around(a, b);
    if (fans.empty() || fans.size() > 2) return;
    const bool surface = !fans.front().closed;
    if (fans.size() == 2 && fans[0].ring.front() != fans[1].ring.back()) return;  // a junction
    if (surface && !may_flip_surface(a, b, fans)) return;
    double before = std::numeric_limits<double>::infinity(), after = before;
    std::vector<Index> old;
    std::vector<std::pair<Tet, Index>> fresh;
    for (const Fan& fan : fans) {
      if (fan.ring.size() > longest_ring) return;
      before = std::min(before, worst(fan.tets));
      old.insert(old.end(), fan.tets.begin(), fan.tets.end());
    }
    for (const Fan& fan : fans) {
      after = std::min(after, fill(a, b, fan, before, fresh));
      if (after <= before) return;
    }
    offer(before, after, std::move(old), std::move(fresh), best);
  }

  bool may_flip_surface(Index a, Index b, const std::vector<Fan>& fans) const {
    if (sharp_.contains(std::minmax(a, b))) return false;
    const Index p = fans.front().ring.front(), q = fans.front().ring.back();
    for (const Fan& fan : fans) {
      if (fan.tets.size() == 1 && !inside(p, q)) return false;  // its tet goes, the edge becomes one of the surface
    }
    const bool all_wide = std::all_of(fans.begin(), fans.end(), [](const Fan& fan) { return fan.tets.size() > 1; });
    if (all_wide && joined(p, q)) return false;
    const Vec3 &xa = x(a), &xb = x(b), &xp = x(p), &xq = x(q);
    const Vec3 old[2] = {(xb - xa).cross(xp - xa), (xq - xa).cross(xb - xa)};
    const Vec3 fresh[2] = {(xq - xa).cross(xp - xa), (xq - xp).cross(xb - xp)};
    for (const Vec3& n : old) {
      for (const Vec3& m : fresh) {
        if (!(n.dot(m) > surface_turn * n.norm() * m.norm())) return false;
      }
    }
    const Vec3 across = (xb - xa).cross(xq - xp);
    return std::abs(across.dot(xp - xa)) <= options_.deviation * across.norm();
  }

  bool joined(Index p, Index q) const {
    return std::any_of(star_[at(p)].begin(), star_[at(p)].end(), [&](Index t) { return has(t, q); });
  }

  // The best triangulation of the polygon of a fan's ring, by dynamic programming over its diagonals; adds its tets and
  // returns their worst.
  double fill(Index a, Index b, const Fan& fan, double bound, std::vector<std::pair<Tet, Index>>& fresh) const {
    const auto& ring = fan.ring;
    const std::size_t n = ring.size();
    double best[longest_ring][longest_ring];
    std::size_t choice[longest_ring][longest_ring];
    for (std::size_t i = 0; i + 1 < n; ++i) best[i][i + 1] = std::numeric_limits<double>::infinity();
    for (std::size_t span = 2; span < n; ++span) {
      for (std::size_t i = 0; i + span < n; ++i) {
        const std::size_t j = i + span;
        best[i][j] = flat;
        choice[i][j] = i + 1;
        for (std::size_t k = i + 1; k < j; ++k) {
          double q = std::min(best[i][k], best[k][j]);
          if (q <= std::max(bound, best[i][j])) continue;
          q = std::min(q, quality(a, ring[i], ring[k], ring[j]));
          if (q <= std::max(bound, best[i][j])) continue;
          q = std::min(q, quality(ring[i], ring[k], ring[j], b));
          if (q <= best[i][j]) continue;
          best[i][j] = q;
          choice[i][j] = k;
        }
      }
    }
    if (best[0][n - 1] <= bound) return flat;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, n - 1}};
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      if (j - i < 2) continue;
      const std::size_t k = choice[i][j];
      fresh.push_back({{a, ring[i], ring[k], ring[j]}, fan.region});
      fresh.push_back({{ring[i], ring[k], ring[j], b}, fan.region});
      open.emplace_back(i, k);
      open.emplace_back(k, j);
    }
    return best[0][n - 1];
  }

  // --- collapses

  double longest_edge(const Tet& tet) const {
    double longest = 0;
    for (const auto& [i, j] : tet_edges) longest = std::max(longest, (x(tet[at(i)]) - x(tet[at(j)])).norm());
    return longest;
  }

  std::vector<Index> neighbours(Index v) const {
    std::vector<Index> found;
    for (const Index t : star_[at(v)]) found.insert(found.end(), tet_[at(t)].begin(), tet_[at(t)].end());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    found.erase(std::find(found.begin(), found.end(), v));
    return found;
  }

  // Whether the face (p, q, r) of t lies between two labels.
  bool on_surface(Index t, Index p, Index q, Index r) const {
    const Index u = across(t, p, q, r);
    return u < 0 || region_[at(u)] != region_[at(t)];
  }

  // Of the surfaces' triangles at v: their other two vertices, counter-clockwise seen from outside tet t.
  struct SurfaceCorner {
    Index p, q;
  };
  std::vector<SurfaceCorner> surface_corners(Index v) const {
    std::vector<SurfaceCorner> corners;
    for (const Index t : star_[at(v)]) {
      const Tet& tet = tet_[at(t)];
      for (std::size_t k = 0; k < 4; ++k) {
        if (tet[k] == v) continue;
        const auto& face = tet_faces[k];
        Tet f = {tet[at(face[0])], tet[at(face[1])], tet[at(face[2])], 0};
        if (!on_surface(t, f[0], f[1], f[2])) continue;
        while (f[0] != v) std::rotate(f.begin(), f.begin() + 1, f.begin() + 3);
        corners.push_back({f[1], f[2]});
      }
    }
    return corners;
  }

  // Whether the mesh and its surfaces keep their topology when a and b become one (Dey et al. 1999): what both are
  // joined with must be around the edge between them; for surfaces the same with their own edges.
  bool may_join(Index a, Index b, const std::vector<SurfaceCorner>& at_a) const {
    std::vector<Index> around;
    for (const Index t : star_[at(a)]) {
      if (!has(t, b)) continue;
      for (const Index v : tet_[at(t)]) {
        if (v != a && v != b) around.push_back(v);
      }
    }
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    const std::vector<Index> of_a = neighbours(a), of_b = neighbours(b);
    std::vector<Index> common;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
    if (common != around) return false;
    for (const Index t : star_[at(a)]) {  // a face (v, w) opposite to both without a tet between
      if (has(t, b)) continue;
      const Tet& tet = tet_[at(t)];
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
          const Index v = tet[i], w = tet[j];
          if (v == a || w == a || !face_of(b, v, w)) continue;
          const bool between = std::any_of(star_[at(a)].begin(), star_[at(a)].end(),
                                           [&](Index u) { return has(u, b) && has(u, v) && has(u, w); });
          if (!between) return false;
        }
      }
    }
    if (at_a.empty()) return true;
    const std::vector<SurfaceCorner> at_b = surface_corners(b);
    const auto ring = [](const std::vector<SurfaceCorner>& corners) {
      std::vector<Index> found;
      for (const auto& [p, q] : corners) found.push_back(p), found.push_back(q);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      return found;
    };
    const std::vector<Index> ring_a = ring(at_a), ring_b = ring(at_b);
    if (!std::binary_search(ring_a.begin(), ring_a.end(), b)) return false;  // both on surfaces, the edge is not
    std::vector<Index> shared, beside;
    std::set_intersection(ring_a.begin(), ring_a.end(), ring_b.begin(), ring_b.end(), std::back_inserter(shared));
    for (const auto& [p, q] : at_a) {
      if (p == b) beside.push_back(q);
      if (q == b) beside.push_back(p);
    }
    std::sort(beside.begin(), beside.end());
    beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
    return shared == beside;
  }

  bool face_of(Index b, Index v, Index w) const {
    return std::any_of(star_[at(b)].begin(), star_[at(b)].end(), [&](Index t) { return has(t, v) && has(t, w); });
  }

  // Vertex a goes into b, at the place of b. One inside may go anywhere; one of a surface along that surface where it
  // is flat; one of a sharp line along the line where it is straight; a corner where that is hardly a move.
  void try_collapse(Index a, Index b, Flip& best) const {
    const auto &of_a = labels_[at(a)], &of_b = labels_[at(b)];
    if (!std::includes(of_b.begin(), of_b.end(), of_a.begin(), of_a.end())) return;
    std::vector<Index> lines;
    if (fixed(a)) {
      for (const Index v : neighbours(a)) {
        if (v != b && sharp_.contains(std::minmax(a, v))) lines.push_back(v);
      }
      const Vec3 to = x(a) - x(b);
      double off = 2 * to.norm();  // a corner, the end of a line, or another line
      if (lines.size() == 1 && sharp_.contains(std::minmax(a, b))) {
        const Vec3 along = (x(lines[0]) - x(b)).normalized();
        if (to.dot(along) >= 0) off = (to - to.dot(along) * along).norm();
      }
      if (off > options_.deviation) return;
    }
    double before = std::numeric_limits<double>::infinity(), after = before;
    std::vector<std::pair<Tet, Index>> fresh;
    for (const Index t : star_[at(a)]) before = std::min(before, quality_[at(t)]);
    for (const Index t : star_[at(a)]) {
      if (has(t, b)) continue;
      Tet moved = tet_[at(t)];
      std::replace(moved.begin(), moved.end(), a, b);
      after = std::min(after, quality(moved));
      if (after <= before) return;
      fresh.emplace_back(moved, region_[at(t)]);
    }
    const std::vector<SurfaceCorner> corners = of_a.size() > 1 ? surface_corners(a) : std::vector<SurfaceCorner>();
    for (const auto& [p, q] : corners) {
      if (p == b || q == b) continue;
      const Vec3 old = (x(p) - x(a)).cross(x(q) - x(a)), turned = (x(p) - x(b)).cross(x(q) - x(b));
      if (!(old.dot(turned) > surface_turn * old.norm() * turned.norm())) return;
      if (std::abs(turned.dot(x(a) - x(b))) > options_.deviation * turned.norm()) return;
    }
    if (fresh.empty() || !may_join(a, b, corners)) return;
    const double gain = best.gain;
    offer(before, after, star_[at(a)], std::move(fresh), best);
    if (best.gain > gain) best.gone = a, best.into = b, best.lines = std::move(lines);
  }

  // --- moves

  bool move_corners(Index t) {
    bool changed = false;
    const Tet tet = tet_[at(t)];
    for (const Index v : tet) {
      if (quality_[at(t)] >= goal_) break;
      changed |= move(v);
    }
    return changed;
  }

  // The worst of the star with v at p, or flat as soon as it is seen to be below the bound.
  double star_worst(Index v, const Vec3& p, double bound) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Index t : star_[at(v)]) {
      const Tet& tet = tet_[at(t)];
      const Vec3* corner[4];
      for (std::size_t k = 0; k < 4; ++k) corner[k] = tet[k] == v ? &p : &x(tet[k]);
      least = std::min(least, least_sine(*corner[0], *corner[1], *corner[2], *corner[3]));
      if (least <= bound) return flat;
    }
    return least;
  }

  // The unit normal of the surface at v, from label `inner` to the other one, over the triangles there.
  Vec3 surface_normal(Index v, Index inner) const {
    Vec3 sum = Vec3::Zero();
    for (const Index t : star_[at(v)]) {
      if (region_[at(t)] != inner) continue;
      const Tet& tet = tet_[at(t)];
      for (std::size_t k = 0; k < 4; ++k) {
        if (tet[k] == v) continue;
        const auto& face = tet_faces[k];
        const Index p = tet[at(face[0])], q = tet[at(face[1])], r = tet[at(face[2])];
        const Index u = across(t, p, q, r);
        if (u < 0 || region_[at(u)] != inner) sum += (x(q) - x(p)).cross(x(r) - x(p));
      }
    }
    return sum.normalized();
  }

  // How far the surface is from p along n, 0 where it is not found.
  double gap(const Vec3& p, const Vec3& n, Index inner, Index outer) const {
    Vec3 onto = p;
    return options_.project(onto, n, inner, outer, 1.5 * options_.deviation) ? n.dot(onto - p) : 0;
  }

  // The triangles of surfaces: f(p, q, r, inner, outer), outwards.
  template <class F>
  void for_surface_triangles(const F& f) const {
    for (Index t = 0; t < count(); ++t) {
      if (!alive(t)) continue;
      for (const auto& face : tet_faces) {
        const Index p = tet_[at(t)][at(face[0])], q = tet_[at(t)][at(face[1])], r = tet_[at(t)][at(face[2])];
        if (labels_[at(p)].size() < 2 || labels_[at(q)].size() < 2 || labels_[at(r)].size() < 2) continue;
        const Index u = across(t, p, q, r), other = u < 0 ? 0 : region_[at(u)];
        if (other < region_[at(t)]) f(p, q, r, region_[at(t)], other);
      }
    }
  }

  // The mean gap of a triangle is that of its middle to 3/4 and of each corner to 1/12, exact for a quadratic surface.
  std::vector<Vec3> surface_shifts() const {
    std::vector<Vec3> normal(x_.size(), Vec3::Zero());
    for_surface_triangles([&](Index p, Index q, Index r, Index, Index) {
      for (const Index v : {p, q, r}) normal[at(v)] += (x(q) - x(p)).cross(x(r) - x(p));
    });
    std::vector<double> corner(x_.size()), sum(x_.size()), area(x_.size());
    for (Index v = 0; v < static_cast<Index>(x_.size()); ++v) {
      normal[at(v)].normalize();
      if (slides(v)) corner[at(v)] = gap(x(v), normal[at(v)], labels_[at(v)].back(), labels_[at(v)].front());
    }
    for_surface_triangles([&](Index p, Index q, Index r, Index inner, Index outer) {
      const Vec3 across = (x(q) - x(p)).cross(x(r) - x(p));
      const double weight = across.norm(), middle = gap((x(p) + x(q) + x(r)) / 3, across / weight, inner, outer);
      const double mean = 0.75 * middle + (corner[at(p)] + corner[at(q)] + corner[at(r)]) / 12;
      for (const Index v : {p, q, r}) sum[at(v)] += weight * mean, area[at(v)] += weight;
    });
    std::vector<Vec3> shift(x_.size(), Vec3::Zero());
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (area[v] > 0) shift[v] = sum[v] / area[v] * normal[v];
    }
    return shift;
  }

  bool fixed(Index v) const { return labels_[at(v)].size() > 2 || (!options_.fixed.empty() && options_.fixed[at(v)]); }
  bool slides(Index v) const { return labels_[at(v)].size() == 2 && !fixed(v); }

  bool move(Index v) {
    const auto& labels = labels_[at(v)];
    if (fixed(v)) return false;
    const bool sliding = slides(v);
    if (sliding && !options_.project) return false;
    const Index inner = labels.back(), outer = labels.front();
    Vec3 n = Vec3::Zero();
    if (sliding) {
      n = surface_normal(v, inner);
      if (!(n.squaredNorm() > 0.5)) return false;
    }
    double length = 0;
    for (const Index t : star_[at(v)]) {
      for (const Index w : tet_[at(t)]) length += (x(w) - x(v)).norm() / 3;
    }
    length /= static_cast<double>(star_[at(v)].size());
    // First the worst tets, which refuse most places.
    auto& star = star_[at(v)];
    std::stable_sort(star.begin(), star.end(), [&](Index a, Index b) { return quality_[at(a)] < quality_[at(b)]; });
    const double before = quality_[at(star.front())];
    double best = before;
    Vec3 found = x(v);
    const Vec3 u = n.unitOrthogonal(), w = n.cross(u);
    for (double step = 0.3 * length; step > 0.01 * length; step *= 0.5) {
      for (bool better = true; better && best < goal_;) {
        better = false;
        const Vec3 base = found;
        for (int d = 0; d < (sliding ? 8 : 14); ++d) {
          Vec3 p = base + step * (sliding ? Vec3(turn[d][0] * u + turn[d][1] * w) : direction[d]);
          if (sliding && star_worst(v, p, best - 0.05) == flat) continue;
          if (sliding && !options_.project(p, n, inner, outer, 0.5 * step + options_.deviation)) continue;
          const double q = star_worst(v, p, best);
          if (q > best) best = q, found = p, better = true;
        }
      }
    }
    if (best < before * 1.02 + 1e-6) return false;
    place(v, found);
    return true;
  }

  static constexpr double diagonal = std::numbers::sqrt2 / 2, cubic = std::numbers::inv_sqrt3;
  static constexpr double turn[8][2] = {{1, 0},  {diagonal, diagonal},   {0, 1},  {-diagonal, diagonal},
                                        {-1, 0}, {-diagonal, -diagonal}, {0, -1}, {diagonal, -diagonal}};
  static inline const Vec3 direction[14] = {{1, 0, 0},
                                            {-1, 0, 0},
                                            {0, 1, 0},
                                            {0, -1, 0},
                                            {0, 0, 1},
                                            {0, 0, -1},
                                            {cubic, cubic, cubic},
                                            {-cubic, -cubic, -cubic},
                                            {-cubic, cubic, cubic},
                                            {cubic, -cubic, -cubic},
                                            {cubic, -cubic, cubic},
                                            {-cubic, cubic, -cubic},
                                            {cubic, cubic, -cubic},
                                            {-cubic, -cubic, cubic}};

  TetMesh& mesh_;
  const ImproveOptions& options_;
  double goal_ = 0;
  std::vector<Vec3> x_;
  std::vector<Tet> tet_;  // of removed tets the first id is -1
  std::vector<Index> region_;
  std::vector<double> quality_;
  std::vector<std::vector<Index>> star_;    // tets of each vertex
  std::vector<std::vector<Index>> labels_;  // of each vertex, ascending
  std::set<std::pair<Index, Index>> sharp_;
  std::uint64_t now_ = 1;               // counts attempts
  std::vector<std::uint64_t> tried_;    // of each tet: its last attempt in vain
  std::vector<std::uint64_t> changed_;  // of each vertex: the last attempt that changed its star
};

}  // namespace

void improve(TetMesh& mesh, const ImproveOptions& options) {
  Improver improver(mesh, options);
  improver.run();
  improver.balance();
  improver.run();
  improver.write_back();
}

}  // namespace sinew::mesher

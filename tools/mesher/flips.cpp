#include "flips.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

constexpr std::size_t longest_ring = 9;  // tets around an edge that is removed

// The tets of one region around an edge (a, b): (a, b, ring[i], ring[i + 1]), and (.., ring.back(), ring[0]) if closed.
struct Fan {
  Index region = 0;
  bool closed = false;
  std::vector<Index> ring, tets;
};

// The other two vertices of a tet with the edge (a, b), such that (a, b, p, q) is positive.
std::pair<Index, Index> opposite_edge(const Tet& tet, Index a, Index b) {
  for (const auto& [i, j, k, l] :
       {std::array<std::size_t, 4>{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}}) {
    if (tet[i] == a && tet[j] == b) return {tet[k], tet[l]};
    if (tet[i] == b && tet[j] == a) return {tet[l], tet[k]};
  }
  return {-1, -1};
}

// The tets around an edge in runs of one region, counter-clockwise seen from b. Empty where they do not form one ring
// or one open fan.
std::vector<Fan> fans_around(const Stars& stars, Index a, Index b) {
  struct Step {
    Index from, to, tet;
  };
  std::vector<Step> steps;
  for (const Index t : stars.star(a)) {
    if (!stars.has(t, b)) continue;
    const auto [p, q] = opposite_edge(stars.tet(t), a, b);
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
    if (before == steps.end() || stars.region(before->tet) != stars.region(s->tet)) {
      start = s;
      if (before == steps.end()) break;
    }
  }
  std::vector<Fan> fans;
  std::size_t seen = 0;
  const Index origin = start->from;
  for (auto s = start; s != steps.end(); s = leaving(s->to)) {
    const Index region = stars.region(s->tet);
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

bool inside(const Stars& stars, Index a, Index b) {
  const std::vector<Fan> fans = fans_around(stars, a, b);
  return fans.size() == 1 && fans.front().closed;
}

bool may_flip_surface(const Stars& stars, Index a, Index b, const std::vector<Fan>& fans, double deviation) {
  if (stars.sharp(a, b)) return false;
  const Index p = fans.front().ring.front(), q = fans.front().ring.back();
  for (const Fan& fan : fans) {
    if (fan.tets.size() == 1 && !inside(stars, p, q))
      return false;  // its tet goes, the edge becomes one of the surface
  }
  const bool all_wide = std::all_of(fans.begin(), fans.end(), [](const Fan& fan) { return fan.tets.size() > 1; });
  if (all_wide && stars.joined(p, q)) return false;
  const Vec3 &xa = stars.x(a), &xb = stars.x(b), &xp = stars.x(p), &xq = stars.x(q);
  const Vec3 old[2] = {(xb - xa).cross(xp - xa), (xq - xa).cross(xb - xa)};
  const Vec3 fresh[2] = {(xq - xa).cross(xp - xa), (xq - xp).cross(xb - xp)};
  for (const Vec3& n : old) {
    for (const Vec3& m : fresh) {
      if (!(n.dot(m) > surface_turn * n.norm() * m.norm())) return false;
    }
  }
  const Vec3 across = (xb - xa).cross(xq - xp);
  return std::abs(across.dot(xp - xa)) <= deviation * across.norm();
}

// The best triangulation of the polygon of a fan's ring, by dynamic programming over its diagonals; adds its tets and
// returns their worst.
double fill(const Stars& stars, Index a, Index b, const Fan& fan, double bound,
            std::vector<std::pair<Tet, Index>>& fresh) {
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
        q = std::min(q, stars.quality(a, ring[i], ring[k], ring[j]));
        if (q <= std::max(bound, best[i][j])) continue;
        q = std::min(q, stars.quality(ring[i], ring[k], ring[j], b));
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

// The edge gives way to triangles between the vertices around it. An edge of a surface gives way to the other
// diagonal of its two triangles where the surface is flat.
void try_edge(const Stars& stars, Index a, Index b, double deviation, Change& best) {
  const std::vector<Fan> fans = fans_around(stars, a, b);
  if (fans.empty() || fans.size() > 2) return;
  const bool surface = !fans.front().closed;
  if (fans.size() == 2 && fans[0].ring.front() != fans[1].ring.back()) return;  // a junction
  if (surface && !may_flip_surface(stars, a, b, fans, deviation)) return;
  double before = std::numeric_limits<double>::infinity(), after = before;
  std::vector<Index> old;
  std::vector<std::pair<Tet, Index>> fresh;
  for (const Fan& fan : fans) {
    if (fan.ring.size() > longest_ring) return;
    before = std::min(before, stars.worst(fan.tets));
    old.insert(old.end(), fan.tets.begin(), fan.tets.end());
  }
  for (const Fan& fan : fans) {
    after = std::min(after, fill(stars, a, b, fan, before, fresh));
    if (after <= before) return;
  }
  offer(before, after, std::move(old), std::move(fresh), best);
}

// The face between two tets gives way to an edge between their apexes.
void try_face(const Stars& stars, Index t, Index p, Index q, Index r, Change& best) {
  const Index u = stars.across(t, p, q, r);
  if (u < 0 || stars.region(u) != stars.region(t)) return;
  const auto apex = [&](Index tet) {
    for (const Index v : stars.tet(tet)) {
      if (v != p && v != q && v != r) return v;
    }
    return Index(-1);
  };
  const Index s = apex(t), w = apex(u);
  const double before = std::min(stars.quality(t), stars.quality(u));
  double after = stars.quality(s, w, p, q);
  if (after > before) after = std::min(after, stars.quality(s, w, q, r));
  if (after > before) after = std::min(after, stars.quality(s, w, r, p));
  const Index region = stars.region(t);
  offer(before, after, {t, u}, {{{s, w, p, q}, region}, {{s, w, q, r}, region}, {{s, w, r, p}, region}}, best);
}

}  // namespace

void offer_flips(const Stars& stars, Index t, double deviation, Change& best) {
  const Tet& tet = stars.tet(t);
  for (const auto& [i, j] : tet_edges) try_edge(stars, tet[at(i)], tet[at(j)], deviation, best);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto [p, q, r] = stars.face(t, k);
    try_face(stars, t, p, q, r, best);
  }
}

}  // namespace sinew::mesher

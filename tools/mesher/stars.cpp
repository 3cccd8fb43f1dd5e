#include "stars.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "sinew/core/sort_unique.h"

namespace sinew::mesher {

// 6 V l / (2 A 2 A') at each edge, of length l between faces of areas A and A'.
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

void offer(double before, double after, std::vector<Index> old, std::vector<std::pair<Tet, Index>> fresh,
           Change& best) {
  const double gain = std::min(after, 1.0) - before;
  if (after <= 0 || after < before * 1.02 + 1e-6 || gain <= best.gain) return;
  best = {gain, std::move(old), std::move(fresh)};
}

Stars::Stars(const TetMesh& mesh, std::vector<bool> fixed, const std::vector<std::array<Index, 2>>& sharp)
    : fixed_(std::move(fixed)) {
  for (Index v = 0; v < mesh.vertex_count(); ++v) x_.push_back(mesh.vertices.col(v));
  star_.resize(x_.size());
  changed_.resize(x_.size());
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    add({mesh.tets(0, t), mesh.tets(1, t), mesh.tets(2, t), mesh.tets(3, t)}, mesh.regions[at(t)]);
  }
  for (const auto& [a, b] : sharp) sharp_.insert(std::minmax(a, b));
  find_labels(mesh.tets);
}

void Stars::find_labels(const Tets& tets) {
  labels_.resize(x_.size());
  const auto note = [&](Index v, Index label) {
    auto& labels = labels_[at(v)];
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  };
  for (Index t = 0; t < tet_count(); ++t) {
    for (const Index v : tet_[at(t)]) note(v, region_[at(t)]);
  }
  const Triangles boundary = boundary_triangles(tets);
  for (Eigen::Index f = 0; f < boundary.cols(); ++f) {
    for (int k = 0; k < 3; ++k) note(boundary(k, f), 0);
  }
  for (auto& labels : labels_) std::sort(labels.begin(), labels.end());
}

void Stars::write_to(TetMesh& mesh) const {
  std::vector<Index> id(x_.size(), -1);
  Index vertices = 0, tets = 0;
  mesh.vertices.resize(3, vertex_count());
  for (std::size_t v = 0; v < x_.size(); ++v) {
    if (star_[v].empty()) continue;
    id[v] = vertices;
    mesh.vertices.col(vertices++) = x_[v];
  }
  mesh.regions.clear();
  mesh.tets.resize(4, tet_count());
  for (Index t = 0; t < tet_count(); ++t) {
    if (!alive(t)) continue;
    for (int k = 0; k < 4; ++k) mesh.tets(k, tets) = id[at(tet_[at(t)][at(k)])];
    mesh.regions.push_back(region_[at(t)]);
    ++tets;
  }
  mesh.vertices.conservativeResize(3, vertices);
  mesh.tets.conservativeResize(4, tets);
}

bool Stars::joined(Index p, Index q) const {
  return std::any_of(star_[at(p)].begin(), star_[at(p)].end(), [&](Index t) { return has(t, q); });
}

std::vector<Index> Stars::neighbours(Index v) const {
  std::vector<Index> found;
  for (const Index t : star_[at(v)]) found.insert(found.end(), tet_[at(t)].begin(), tet_[at(t)].end());
  sort_unique(found);
  found.erase(std::find(found.begin(), found.end(), v));
  return found;
}

double Stars::worst(const std::vector<Index>& tets) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Index t : tets) least = std::min(least, quality_[at(t)]);
  return least;
}

double Stars::star_worst(Index v, const Vec3& p, double bound) const {
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

void Stars::apply(const Change& change) {
  if (!change.lines.empty()) sharp_.erase(std::minmax(change.gone, change.into));
  for (const Index v : change.lines) {
    sharp_.erase(std::minmax(change.gone, v));
    sharp_.insert(std::minmax(change.into, v));
  }
  for (const Index t : change.old) remove(t);
  for (const auto& [tet, region] : change.fresh) add(tet, region);
}

void Stars::add(const Tet& t, Index region) {
  const Index id = tet_count();
  tried_.push_back(0);
  tet_.push_back(t);
  region_.push_back(region);
  quality_.push_back(quality(t));
  for (const Index v : t) {
    star_[at(v)].push_back(id);
    changed_[at(v)] = now_;
  }
}

void Stars::remove(Index t) {
  for (const Index v : tet_[at(t)]) {
    auto& star = star_[at(v)];
    star.erase(std::find(star.begin(), star.end(), t));
    changed_[at(v)] = now_;
  }
  tet_[at(t)][0] = -1;
}

void Stars::place(Index v, const Vec3& p) {
  x_[at(v)] = p;
  for (const Index t : star_[at(v)]) {
    quality_[at(t)] = quality(tet_[at(t)]);
    for (const Index w : tet_[at(t)]) changed_[at(w)] = now_;
  }
}

void Stars::sort_star(Index v) {
  auto& star = star_[at(v)];
  std::stable_sort(star.begin(), star.end(), [&](Index a, Index b) { return quality_[at(a)] < quality_[at(b)]; });
}

bool Stars::tried_in_vain(Index t) const {
  if (tried_[at(t)] == 0) return false;
  return std::all_of(tet_[at(t)].begin(), tet_[at(t)].end(), [&](Index v) { return changed_[at(v)] < tried_[at(t)]; });
}

}  // namespace sinew::mesher

// Tets with the star of each vertex: what flips, collapses and moves look at and change. Ids of tets and vertices stay;
// removed tets leave gaps until the mesh is written back.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "sinew/mesh/surface.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

inline std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

using Tet = std::array<Index, 4>;

inline constexpr double flat = -std::numeric_limits<double>::infinity();
inline constexpr double surface_turn = 0.85;  // cosine of the angle by which a change may turn a surface

// The smallest sine of the six dihedral angles, negative for an inverted tet, `flat` where none of the faces
// has an area.
double least_sine(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Tets that would give way to others in the same place.
struct Change {
  double gain = 0;  // of the worst quality
  std::vector<Index> old;
  std::vector<std::pair<Tet, Index>> fresh;  // tet, region
  Index gone = -1, into = -1;                // of a collapse
  std::vector<Index> lines = {};             // whose sharp edges to `gone` become edges to `into`
};

// Takes a change for the best one when it gains more; one that leaves an inverted tet or hardly gains is none.
void offer(double before, double after, std::vector<Index> old, std::vector<std::pair<Tet, Index>> fresh, Change& best);

class Stars {
 public:
  // Regions count from 1. `fixed` (may be empty) are vertices that stay, `sharp` edges that stay.
  Stars(const TetMesh& mesh, std::vector<bool> fixed, const std::vector<std::array<Index, 2>>& sharp);

  // Replaces the tets, regions and vertices; vertices without tets go.
  void write_to(TetMesh& mesh) const;

  Index tet_count() const { return static_cast<Index>(tet_.size()); }  // removed ones too
  Index vertex_count() const { return static_cast<Index>(x_.size()); }
  bool alive(Index t) const { return tet_[at(t)][0] >= 0; }
  const Tet& tet(Index t) const { return tet_[at(t)]; }
  Index region(Index t) const { return region_[at(t)]; }
  const Vec3& x(Index v) const { return x_[at(v)]; }
  const std::vector<Index>& star(Index v) const { return star_[at(v)]; }  // tets
  bool has(Index t, Index v) const {
    const Tet& tet = tet_[at(t)];
    return tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v;
  }
  bool joined(Index p, Index q) const;
  std::vector<Index> neighbours(Index v) const;  // ascending

  // The tet on the other side of a face, or -1.
  Index across(Index t, Index p, Index q, Index r) const {
    for (const Index u : star_[at(p)]) {
      if (u != t && has(u, q) && has(u, r)) return u;
    }
    return -1;
  }

  // The corners opposite to corner k of t, seen counter-clockwise from outside.
  std::array<Index, 3> face(Index t, std::size_t k) const {
    const auto& [i, j, l] = tet_faces[k];
    return {tet_[at(t)][at(i)], tet_[at(t)][at(j)], tet_[at(t)][at(l)]};
  }

  // Quality is the smallest sine.
  double quality(Index t) const { return quality_[at(t)]; }
  double quality(Index a, Index b, Index c, Index d) const { return least_sine(x(a), x(b), x(c), x(d)); }
  double quality(const Tet& t) const { return quality(t[0], t[1], t[2], t[3]); }
  double worst(const std::vector<Index>& tets) const;

  // The worst of the star with v at p, or `flat` as soon as it is seen to be no more than the bound.
  double star_worst(Index v, const Vec3& p, double bound) const;

  // The labels on both sides of v, ascending (0 outside): one inside, two on a surface, more where surfaces meet.
  const std::vector<Index>& labels(Index v) const { return labels_[at(v)]; }
  bool fixed(Index v) const { return labels_[at(v)].size() > 2 || (!fixed_.empty() && fixed_[at(v)]); }
  bool slides(Index v) const { return labels_[at(v)].size() == 2 && !fixed(v); }
  bool sharp(Index a, Index b) const { return sharp_.contains(std::minmax(a, b)); }

  // Whether the face (p, q, r) of t lies between two labels.
  bool on_surface(Index t, Index p, Index q, Index r) const {
    const Index u = across(t, p, q, r);
    return u < 0 || region_[at(u)] != region_[at(t)];
  }

  void apply(const Change& change);
  void place(Index v, const Vec3& p);
  void sort_star(Index v);  // the worst tets first

  // Attempts to mend a tet are counted, so that one in vain is made again only when something around has changed.
  void begin_attempt() { ++now_; }
  void failed(Index t) { tried_[at(t)] = now_; }
  bool tried_in_vain(Index t) const;  // and nothing has changed at the corners of t since

 private:
  void add(const Tet& t, Index region);
  void remove(Index t);
  void find_labels(const Tets& tets);

  std::vector<Vec3> x_;
  std::vector<bool> fixed_;
  std::vector<Tet> tet_;  // of removed tets the first id is -1
  std::vector<Index> region_;
  std::vector<double> quality_;
  std::vector<std::vector<Index>> star_, labels_;  // of each vertex
  std::set<std::pair<Index, Index>> sharp_;
  std::uint64_t now_ = 1;               // counts attempts
  std::vector<std::uint64_t> tried_;    // of each tet: its last attempt in vain
  std::vector<std::uint64_t> changed_;  // of each vertex: the last attempt that changed its star
};

}  // namespace sinew::mesher

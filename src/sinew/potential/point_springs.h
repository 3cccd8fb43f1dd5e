// Represents the springs of a subspace by points. The point of a spring is its extension without the anchor, x_i - mean
// of the other end: a weighted sum of positions. With its point at the anchor, a spring of length zero has no force.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/model/system.h"

namespace sinew {

// Energy k/2 (|p - A (a, w)| - l)^2, where p is the spring's point, (a, w) its anchor and A the motion that the anchor
// follows. Without an anchor (a, w) = 0.
struct PointSpring {
  Eigen::Vector4d anchor = Eigen::Vector4d::Zero();
  Index motion = -1;                                  // into System::motions
  double stiffness = 0, length = 0, until = forever;  // [N/m], [m], [s]
  Keyframes length_keys = {};                         // as in Spring
};

// Springs [begin, end) of the system, and the row of each spring's point.
struct PointSprings {
  std::vector<PointSpring> springs;
  std::vector<PointRow> rows;
};
PointSprings point_springs(const System& system, std::size_t begin, std::size_t end);

// Returns the springs for SpringEnergy; spring s acts on point s of a system of points.
std::vector<Spring> springs_of_points(const System& system, const std::vector<PointSpring>& springs);

// Merges springs of zero length whose points have the same kind of numbers and whose anchors move alike. Together they
// are one quadratic form of the numbers z of point and anchor, sum k z z^T = sum lambda v v^T. If there are more
// springs than numbers, each eigenvector v becomes one spring with the stiffness lambda and the numbers v.
//
// A Place says how a point moves. It needs
//
//   VecX numbers_of(const Place&);          linear in the place
//   void set_numbers(const VecX&, Place&);
//   key_of(const Place&);                   equal if the numbers belong to the same coordinates
//   bool is_linear(const Place&);
template <class Place>
void merge_springs(std::vector<PointSpring>& springs, std::vector<Place>& places) {
  constexpr double least_merged = 1e-14;  // smallest stiffness that is kept, as a share of the largest
  using Key = decltype(std::tuple(key_of(places[0]), Index(), double()));
  std::map<Key, std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < springs.size(); ++s)
    if (springs[s].length == 0 && springs[s].length_keys.empty() && is_linear(places[s]))
      groups[Key(key_of(places[s]), springs[s].motion, springs[s].until)].push_back(s);
  std::vector<char> merged(springs.size(), 0);
  const std::size_t before = springs.size();
  for (const auto& [unused, group] : groups) {
    const auto all = [&](std::size_t s) {
      const VecX own = numbers_of(places[s]);
      VecX z(own.size() + 4);
      z << own, springs[s].anchor;
      return z;
    };
    const Eigen::Index size = all(group[0]).size();
    if (static_cast<Eigen::Index>(group.size()) <= size) continue;
    MatX form = MatX::Zero(size, size);
    for (const std::size_t s : group) {
      form.selfadjointView<Eigen::Lower>().rankUpdate(all(s), springs[s].stiffness);
      merged[s] = 1;
    }
    const SymmetricEigen pairs = symmetric_eigen(form);
    for (Eigen::Index k = 0; k < size; ++k) {
      if (!(pairs.values[k] > least_merged * pairs.values[size - 1])) continue;
      PointSpring spring = springs[group[0]];
      Place place = places[group[0]];
      spring.stiffness = pairs.values[k];
      const VecX z = pairs.vectors.col(k);
      set_numbers(z.head(size - 4), place);
      spring.anchor = z.tail<4>();
      springs.push_back(spring);
      places.push_back(std::move(place));
    }
  }
  merged.resize(springs.size(), 0);
  if (springs.size() == before) return;
  std::size_t kept = 0;
  for (std::size_t s = 0; s < springs.size(); ++s) {
    if (merged[s]) continue;
    if (kept != s) {
      springs[kept] = springs[s];
      places[kept] = std::move(places[s]);
    }
    ++kept;
  }
  springs.resize(kept);
  places.resize(kept);
}

}  // namespace sinew

// What flips, collapses and moves offer, over meshes whose vertices are off by random amounts.
#include <algorithm>
#include <limits>
#include <random>

#include "collapses.h"
#include "flips.h"
#include "moves.h"
#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"

namespace sinew::mesher {
namespace {

// A box of which the vertices inside are moved by up to 0.4 of an edge, without inverted tets.
Stars jittered_box() {
  TetMesh mesh = make_box(Vec3::Ones(), {4, 4, 4});
  std::fill(mesh.regions.begin(), mesh.regions.end(), 1);
  Stars stars(mesh, {}, {});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-0.1, 0.1);
  for (Index v = 0; v < stars.vertex_count(); ++v) {
    const Vec3 p = stars.x(v) + Vec3(shift(random), shift(random), shift(random));
    if (stars.labels(v).size() == 1 && stars.star_worst(v, p, 0.01) != flat) stars.place(v, p);
  }
  return stars;
}

double volume(const Stars& stars, const Tet& t) {
  const Vec3& o = stars.x(t[0]);
  return (stars.x(t[1]) - o).cross(stars.x(t[2]) - o).dot(stars.x(t[3]) - o) / 6;
}

// Counts the offers over all tets; each must fill the same space, and better by what it says.
int valid_offers(void (*offers)(const Stars&, Index, double, Change&)) {
  const Stars stars = jittered_box();
  int count = 0;
  for (Index t = 0; t < stars.tet_count(); ++t) {
    Change change;
    offers(stars, t, 1e-9, change);
    if (change.old.empty()) continue;
    ++count;
    double difference = 0, after = std::numeric_limits<double>::infinity();
    for (const Index u : change.old) difference -= volume(stars, stars.tet(u));
    for (const auto& [tet, region] : change.fresh) {
      difference += volume(stars, tet);
      after = std::min(after, stars.quality(tet));
    }
    EXPECT_NEAR(difference, 0, 1e-15) << "tet " << t;
    EXPECT_NEAR(stars.worst(change.old) + change.gain, after, 1e-15) << "tet " << t;
    EXPECT_GT(change.gain, 0);
  }
  return count;
}

TEST(Offers, OfFlipsFillTheSameSpaceBetter) {
  EXPECT_GT(valid_offers(offer_flips), 20);
}

TEST(Offers, OfCollapsesFillTheSameSpaceBetter) {
  EXPECT_GT(valid_offers(offer_collapses), 5);
}

TEST(Moves, MakeTheWorstTetsBetter) {
  Stars stars = jittered_box();
  std::vector<Index> all;
  for (Index t = 0; t < stars.tet_count(); ++t) all.push_back(t);
  const double before = stars.worst(all);
  int moved = 0;
  for (const Index t : all) {
    const double worst = stars.worst(all);
    moved += move_corners(stars, t, 0.5, {});
    EXPECT_GE(stars.worst(all), worst);
  }
  EXPECT_GT(moved, 10);
  EXPECT_GT(stars.worst(all), 2 * before);
  for (Index v = 0; v < stars.vertex_count(); ++v) {  // without a projection surfaces stay
    if (!stars.slides(v)) continue;
    EXPECT_EQ(stars.x(v).cwiseAbs().maxCoeff(), 0.5);
  }
}

}  // namespace
}  // namespace sinew::mesher

#include "sinew/contact/place_trees.h"

#include <map>
#include <numeric>
#include <random>
#include <tuple>

#include "contact_meshes.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace test;

using PairCounts = std::map<std::tuple<PairKind, Index, Index>, int>;

struct OneBody {
  ContactScene scene;
  OwnedPrimitives owned;
  std::vector<Index> local;
};

OneBody sphere(int levels) {
  OneBody body;
  SceneBuilder builder;
  const auto [x, t] = octasphere(levels, 0.5, Vec3(3, -2, 1));
  builder.add(x, t);
  body.scene = builder.finish();
  const CollisionMesh& mesh = body.scene.mesh;
  const auto all = [](std::vector<Index>& list, auto n) {
    list.resize(n);
    std::iota(list.begin(), list.end(), 0);
  };
  all(body.owned.vertices, mesh.vertices.size());
  all(body.owned.edges, mesh.edges.cols());
  all(body.owned.triangles, mesh.triangles.cols());
  body.owned.ids = mesh.vertices;
  all(body.local, mesh.vertices.size());
  return body;
}

Points shaken(const Points& x, const std::vector<Index>& vertices, double size, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, size);
  Points y = x;
  for (const Index v : vertices) y.col(v) += Vec3(normal(random), normal(random), normal(random));
  return y;
}

std::vector<Index> some_of(Index n, int count, std::mt19937_64& random) {
  std::vector<Index> all(n), some;
  std::iota(all.begin(), all.end(), 0);
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, random);
  return some;
}

// Largest distance along an axis between the boxes of two sets of points; negative where they overlap.
double apart(const Points& x, const std::vector<Index>& a, const std::vector<Index>& b) {
  double most = -1e300;
  for (int c = 0; c < 3; ++c) {
    double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
    for (const Index v : a) a_low = std::min(a_low, x(c, v)), a_high = std::max(a_high, x(c, v));
    for (const Index v : b) b_low = std::min(b_low, x(c, v)), b_high = std::max(b_high, x(c, v));
    most = std::max({most, a_low - b_high, b_low - a_high});
  }
  return most;
}

// f(kind, first, second, vertices of each) for all pairs without a common vertex.
template <class F>
void for_all_pairs(const CollisionMesh& mesh, F&& f) {
  const auto edge = [&](Index e) { return std::vector<Index>{mesh.edges(0, e), mesh.edges(1, e)}; };
  for (Index a = 0; a < mesh.edges.cols(); ++a)
    for (Index b = a + 1; b < mesh.edges.cols(); ++b) f(PairKind::edge_edge, a, b, edge(a), edge(b));
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i) {
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      f(PairKind::vertex_face, i, t, std::vector<Index>{mesh.vertices[i]},
        std::vector<Index>{mesh.triangles(0, t), mesh.triangles(1, t), mesh.triangles(2, t)});
    }
  }
}

template <class Reach>
PairCounts found_by(const PlaceTrees& trees, bool same, Reach&& reach) {
  PairCounts found;
  for (std::size_t b = 0; b < trees.batch_count(); ++b)
    trees.visit(b, same, reach, [&](const PrimitivePair& p) { ++found[{p.kind, p.first, p.second}]; });
  return found;
}

// reach(vertices) of a primitive. Every pair that one of its moved primitives reaches must be found, and none whose
// boxes are clearly further apart.
template <class Reach>
void expect_found(const OneBody& body, const PlaceTrees& trees, const Points& places, const std::vector<char>& moved,
                  bool same, Reach&& reach) {
  const PairCounts found = found_by(
      trees, same, [&](const auto& vertices) { return reach(std::vector<Index>(vertices.begin(), vertices.end())); });
  constexpr double rounding = 1e-5;  // of boxes in single precision
  const auto is_moved = [&](const std::vector<Index>& vertices) {
    return std::any_of(vertices.begin(), vertices.end(), [&](Index v) { return moved[v] != 0; });
  };
  int meant = 0;
  for_all_pairs(body.scene.mesh, [&](PairKind kind, Index first, Index second, const auto& a, const auto& b) {
    const auto entry = found.find({kind, first, second});
    const int times = entry == found.end() ? 0 : entry->second;
    const bool shared = std::any_of(a.begin(), a.end(), [&](Index v) { return std::count(b.begin(), b.end(), v) > 0; });
    double most = -1e300;
    if (!shared && is_moved(a)) most = std::max(most, reach(a));
    if (!shared && is_moved(b)) most = std::max(most, reach(b));
    const double gap = apart(places, a, b);
    if (gap <= most) {
      ++meant;
      EXPECT_GE(times, 1) << first << ' ' << second;
    }
    if (gap > most + rounding) {
      EXPECT_EQ(times, 0) << first << ' ' << second;
    }
    EXPECT_LE(times, same ? 1 : 2);
  });
  EXPECT_GT(meant, 0);
}

TEST(PlaceTreesTest, findWhatBruteForceFindsAroundWhatMoved) {
  const OneBody body = sphere(3);
  std::mt19937_64 random(1);
  const auto n = static_cast<Index>(body.scene.mesh.vertices.size());
  PlaceTrees trees;
  EXPECT_TRUE(trees.empty());
  Points places = body.scene.x;
  trees.build(body.scene.mesh, body.owned, body.local, places);
  for (int round = 0; round < 6; ++round) {
    const std::vector<Index> moved = some_of(n, round == 3 ? n : 5 + round, random);
    places = shaken(places, moved, round % 2 ? 0.5 : 0.01, random);  // through the body, and a little
    trees.move(body.local, places, moved);
    const std::vector<Index> meant = round == 4 ? some_of(n, 7, random) : moved;
    trees.set_moved(body.local, meant);
    std::vector<char> marked(n, 0);
    for (const Index v : meant) marked[v] = 1;
    expect_found(body, trees, places, marked, true, [](const auto&) { return 0.05; });
    std::vector<double> reach(n);
    for (double& r : reach) r = std::uniform_real_distribution<double>(0, 0.2)(random);
    expect_found(body, trees, places, marked, false, [&](const std::vector<Index>& vertices) {
      double most = 0;
      for (const Index v : vertices) most = std::max(most, reach[v]);
      return most;
    });
  }
  trees.clear();
  EXPECT_TRUE(trees.empty());
}

}  // namespace
}  // namespace sinew

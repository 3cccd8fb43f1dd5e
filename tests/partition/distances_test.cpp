// Distances of fast marching and of heat against exact ones, and against shortest ways along edges.
#include <queue>
#include <set>

#include "support/domains.h"
#include <gtest/gtest.h>

#include "sinew/partition/fast_marching.h"
#include "sinew/partition/heat_distances.h"

namespace sinew {
namespace {

using test::domain_of;
using test::set_material;

Component component_of(const Domain& domain, double interface_stiffness = 0.3) {
  std::vector<Index> all(domain.tet_count());
  for (Index t = 0; t < domain.tet_count(); ++t) all[t] = t;
  return make_component(domain, all, interface_stiffness);
}

Index nearest_vertex(const Points& vertices, const Vec3& point) {
  Index nearest = 0;
  (vertices.colwise() - point).colwise().squaredNorm().minCoeff(&nearest);
  return nearest;
}

// Shortest ways along edges, each as slow as the fastest tet at it.
std::vector<double> edge_distances(const Component& component, Index source) {
  std::vector<std::vector<std::pair<Index, double>>> graph(component.vertex_count());
  for (Index t = 0; t < component.tet_count(); ++t) {
    for (const auto& edge : tet_edges) {
      const Index a = component.mesh.tets(edge[0], t), b = component.mesh.tets(edge[1], t);
      const double length =
          (component.mesh.vertices.col(a) - component.mesh.vertices.col(b)).norm() / std::sqrt(component.stiffness[t]);
      graph[a].emplace_back(b, length);
      graph[b].emplace_back(a, length);
    }
  }
  std::vector<double> distance(component.vertex_count(), 1e300);
  std::priority_queue<std::pair<double, Index>> front;
  distance[source] = 0;
  front.emplace(0, source);
  while (!front.empty()) {
    const auto [d, v] = front.top();
    front.pop();
    if (-d != distance[v]) continue;
    for (const auto& [w, length] : graph[v]) {
      if (distance[v] + length >= distance[w]) continue;
      distance[w] = distance[v] + length;
      front.emplace(-distance[w], w);
    }
  }
  return distance;
}

struct Errors {
  double mean = 0, largest = 0, lowest = 0;  // of distance - exact
};

Errors straight_errors(const Component& component, const SourceDistances& distances, Index source) {
  Errors errors;
  for (Index v = 0; v < component.vertex_count(); ++v) {
    const double exact = (component.mesh.vertices.col(v) - component.mesh.vertices.col(source)).norm();
    const double error = distances.distance()[v] - exact;
    errors.mean += std::abs(error) / component.vertex_count();
    errors.largest = std::max(errors.largest, std::abs(error));
    errors.lowest = std::min(errors.lowest, error);
  }
  return errors;
}

// In a convex solid the distance is convex, and its linear interpolants are never below it.
TEST(FastMarching, ConvergesFromAboveInConvexSolids) {
  double previous = 1;
  for (const Index cells : {8, 16, 32}) {
    const Component component = component_of(domain_of(make_box(Vec3(1, 1, 1), {cells, cells, cells})));
    FastMarching distances(component.mesh.vertices, component.mesh.tets, component.stiffness);
    const std::vector<Index> corner{nearest_vertex(component.mesh.vertices, Vec3::Constant(-0.5))};
    distances.set_sources(corner);
    const Errors errors = straight_errors(component, distances, corner[0]);
    EXPECT_GT(errors.lowest, -1e-12);
    EXPECT_LT(errors.largest, 1.0 / cells);
    EXPECT_LT(errors.mean, 0.75 * previous);
    previous = errors.mean;
  }
  const Component ball = component_of(domain_of(make_sphere(1, 0.1)));
  FastMarching distances(ball.mesh.vertices, ball.mesh.tets, ball.stiffness);
  const std::vector<Index> center{nearest_vertex(ball.mesh.vertices, Vec3::Zero())};
  distances.set_sources(center);
  EXPECT_GT(straight_errors(ball, distances, center[0]).lowest, -1e-12);
  EXPECT_LT(straight_errors(ball, distances, center[0]).largest, 0.1);
}

// The half at x > 0 is 16 times as stiff: a quarter as long.
Domain half_stiff_bar() {
  return domain_of(make_box(Vec3(2, 0.2, 0.2), {40, 4, 4}), [](const Vec3& x) { return x.x() > 0 ? 16e5 : 1e5; });
}

TEST(FastMarching, StiffPartsAreShorterByTheRootOfTheirStiffness) {
  const Component component = component_of(half_stiff_bar());
  FastMarching distances(component.mesh.vertices, component.mesh.tets, component.stiffness);
  distances.set_sources(std::vector<Index>{nearest_vertex(component.mesh.vertices, Vec3(-1, -0.1, -0.1))});
  for (const double x : {-0.5, 0.0, 0.5, 1.0}) {
    const Index v = nearest_vertex(component.mesh.vertices, Vec3(x, -0.1, -0.1));
    EXPECT_NEAR(distances.distance()[v], x <= 0 ? 1 + x : 1 + x / 4, 1e-12);
  }
}

// A slab that is cut from y = 0 up: from one side of the cut to the other the way leads around its end.
TEST(FastMarching, GoesAroundCuts) {
  const TetMesh whole = make_box(Vec3(1, 1, 0.1), {20, 20, 2});
  const TetMesh mesh = test::cut(whole, [](const Vec3& x) { return std::abs(x.x()) < 0.05 && x.y() > 0; });
  const Component component = component_of(domain_of(mesh));
  FastMarching distances(component.mesh.vertices, component.mesh.tets, component.stiffness);
  distances.set_sources(std::vector<Index>{nearest_vertex(component.mesh.vertices, Vec3(-0.05, 0.5, 0))});
  const Index across = nearest_vertex(component.mesh.vertices, Vec3(0.05, 0.5, 0));
  EXPECT_NEAR(distances.distance()[across], 1.1, 1e-12);
}

TEST(FastMarching, IsNeverLongerThanTheWayAlongEdges) {
  Domain domain = domain_of(make_sphere(1, 0.15));
  for (Index t = 0; t < domain.tet_count(); ++t) domain.young[t] *= std::pow(10.0, (7 * t) % 13 / 2.0);
  const Component component = component_of(domain);
  FastMarching distances(component.mesh.vertices, component.mesh.tets, component.stiffness);
  distances.set_sources(std::vector<Index>{3});
  const std::vector<double> along_edges = edge_distances(component, 3);
  for (Index v = 0; v < component.vertex_count(); ++v) {
    EXPECT_LE(distances.distance()[v], along_edges[v] * (1 + 1e-12));
    EXPECT_GE(distances.distance()[v], 0.5 * along_edges[v]);
  }
}

TEST(FastMarching, LabelsAreThoseOfTheNearestSource) {
  const Component component = component_of(domain_of(make_box(Vec3(1, 1, 1), {12, 12, 12})));
  const Points& x = component.mesh.vertices;
  FastMarching distances(x, component.mesh.tets, component.stiffness);
  const std::vector<Index> sources{5, 200, 900, 1500};
  distances.set_sources(sources);
  for (Index v = 0; v < component.vertex_count(); ++v) {
    double nearest = 1e300;
    for (const Index s : sources) nearest = std::min(nearest, (x.col(v) - x.col(s)).norm());
    EXPECT_LT((x.col(v) - x.col(distances.origin()[v])).norm(), nearest + 1.0 / 12);
  }
}

// What is kept from other sources is what a fresh pass finds.
TEST(FastMarching, ChangedSourcesGiveTheSameAsFreshOnes) {
  const Component component = component_of(domain_of(make_sphere(1, 0.12)));
  FastMarching changed(component.mesh.vertices, component.mesh.tets, component.stiffness);
  std::vector<Index> ignored;
  for (const Index s : {1, 50, 300}) changed.add_source(s, ignored);
  changed.set_sources(std::vector<Index>{1, 300, 400, 20});
  changed.set_sources(std::vector<Index>{1, 310, 20});
  FastMarching fresh(component.mesh.vertices, component.mesh.tets, component.stiffness);
  fresh.set_sources(std::vector<Index>{1, 310, 20});
  Index same_origin = 0;
  for (Index v = 0; v < component.vertex_count(); ++v) {
    EXPECT_NEAR(changed.distance()[v], fresh.distance()[v], 0.02);
    same_origin += changed.origin()[v] == fresh.origin()[v];
  }
  EXPECT_GT(same_origin, 0.98 * component.vertex_count());
}

TEST(HeatDistances, AgreeWithStraightOnesAndWithFastMarching) {
  const Component component = component_of(domain_of(make_box(Vec3(1, 1, 1), {16, 16, 16})));
  HeatDistances heat(component);
  const std::vector<Index> source{nearest_vertex(component.mesh.vertices, Vec3(0.1, 0, -0.1))};
  heat.set_sources(source);
  EXPECT_LT(straight_errors(component, heat, source[0]).mean, 0.03);
  const std::vector<Index> sources{5, 200, 900, 1500};
  heat.set_sources(sources);
  FastMarching marching(component.mesh.vertices, component.mesh.tets, component.stiffness);
  marching.set_sources(sources);
  double difference = 0;
  Index same_origin = 0;
  for (Index v = 0; v < component.vertex_count(); ++v) {
    difference += std::abs(heat.distance()[v] - marching.distance()[v]) / component.vertex_count();
    same_origin += heat.origin()[v] == marching.origin()[v];
  }
  EXPECT_LT(difference, 0.06);
  EXPECT_GT(same_origin, 0.85 * component.vertex_count());
}

TEST(HeatDistances, StiffPartsAreShorterByTheRootOfTheirStiffness) {
  const Component component = component_of(half_stiff_bar());
  HeatDistances distances(component);
  distances.set_sources(std::vector<Index>{nearest_vertex(component.mesh.vertices, Vec3(-1, 0, 0))});
  const auto at = [&](double x) {
    return distances.distance()[nearest_vertex(component.mesh.vertices, Vec3(x, 0, 0))];
  };
  EXPECT_NEAR(at(-0.2) - at(-0.8), 0.6, 0.03);
  EXPECT_NEAR(at(0.8) - at(0.2), 0.15, 0.01);
}

TEST(Metric, InterfacesOfMaterialsAreSlow) {
  Domain domain = domain_of(make_box(Vec3(1, 0.2, 0.2), {20, 4, 4}));
  set_material(domain, 1, 4e5, [](const Vec3& x) { return x.x() > 0; });
  const Component component = component_of(domain, 0.25);
  std::set<double> found(component.stiffness.begin(), component.stiffness.end());
  EXPECT_EQ(found, (std::set<double>{0.25, 1, 4}));
  for (Index t = 0; t < component.tet_count(); ++t) {
    bool touches = false;
    for (const Index v : component.mesh.tets.col(t)) touches = touches || std::abs(domain.vertices(0, v)) < 1e-12;
    EXPECT_EQ(component.stiffness[t] == 0.25, touches);
  }
}

}  // namespace
}  // namespace sinew

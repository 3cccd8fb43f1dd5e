#include "sinew/subspace/sms.h"

#include <algorithm>
#include <cmath>

#include "bases.h"
#include "support/domains.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"
#include "sinew/partition/laplacian.h"
#include "sinew/subspace/affine.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/subdomain.h"
#include "sinew/subspace/weight_table.h"

namespace sinew::sms_test {
namespace {

using test::cut;
using test::dense_weights;
using test::domain_of;
using test::grown_partition;
using test::joined;

constexpr double rounding = 1e-14;  // some tens of additions of numbers up to 1

double soft(const Vec3&) {
  return 1e6;
}
void expect_well_formed(const HandleBasis& basis, const Domain& domain, const SmsReport& report) {
  ASSERT_EQ(basis.vertex_count(), domain.vertex_count());
  ASSERT_EQ(report.dirichlet.size(), domain.vertex_count());
  ASSERT_EQ(static_cast<Index>(report.handle_cluster.size()), basis.handle_count());
  for (double radius : basis.radius) EXPECT_GT(radius, 0);
  for (Index v = 0; v < basis.vertex_count(); ++v) {
    double sum = 0;
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
      ASSERT_GT(basis.weight[e], 0);
      ASSERT_LE(basis.weight[e], 1 + rounding);
      ASSERT_GE(basis.handle[e], 0);
      ASSERT_LT(basis.handle[e], basis.handle_count());
      ASSERT_TRUE(e == basis.begin[v] || basis.handle[e] > basis.handle[e - 1]);
      sum += basis.weight[e];
    }
    ASSERT_GE(report.dirichlet[v], 0);
    ASSERT_NEAR(sum, 1 - report.dirichlet[v], rounding) << "vertex " << v;
    ASSERT_TRUE(!domain.fixed[v] || basis.begin[v] == basis.begin[v + 1]);
  }
}

// Weights lie on the handle's cluster and its neighbours across faces alone, and fade to zero there: no tet around has
// a vertex with the weight. Exceptions: vertices that the functions did not reach, and centres on such a boundary.
void expect_sparse(const HandleBasis& basis, const Domain& domain, const Partition& partition,
                   const SmsReport& report) {
  const ClusterGraph graph = cluster_graph(domain, partition.tet_cluster, partition.cluster_count());
  Index exceptions = 0;
  for (Index v = 0; v < basis.vertex_count(); ++v) {
    bool exception = false;
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
      const Index cluster = report.handle_cluster[basis.handle[e]];
      const auto near = graph.neighbours[cluster];
      auto reached = [&](Index c) { return c == cluster || std::binary_search(near.begin(), near.end(), c); };
      const auto around = graph.vertex_clusters[v];
      EXPECT_TRUE(std::any_of(around.begin(), around.end(), reached)) << "vertex " << v;
      exception |= !std::all_of(around.begin(), around.end(), reached) && v != partition.center[cluster];
    }
    exceptions += exception;
  }
  EXPECT_LE(exceptions, report.extended);
}

struct Case {
  const char* name;
  Domain domain;
  Index handles;
};

std::vector<Case> cases() {
  const auto layers = [](const Vec3& x) { return std::abs(x[1]) > 0.25 ? 1e12 : 1e6; };
  const auto random = [](const Vec3& x) {
    return std::pow(10.0, 3 + 3 * std::sin(1e3 * x[0] + 2e3 * x[1] + 3e3 * x[2]));
  };
  const auto twenty = [](const Vec3& x) { return 1e4 * std::pow(2.0, std::floor(10 * (x[0] + 1))); };
  const auto left = [](const Vec3& x) { return x[0] < -0.99; };
  const TetMesh bar = make_box({2, 1, 1}, {8, 4, 4}), ball = make_sphere(1, 0.25);
  TetMesh tet;
  tet.vertices = ball.vertices.leftCols(4);
  tet.tets = Tets{{0}, {1}, {2}, {3}};
  tet.regions = {0};
  TetMesh single = tet;
  single.vertices << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  TetMesh apart = bar;
  apart.vertices.row(0).array() += 5;
  return {
      {"bar", domain_of(bar), 12},
      {"held bar", domain_of(bar, soft, left), 12},
      {"ball", domain_of(ball), 30},
      {"one handle", domain_of(bar), 1},
      {"one handle, held", domain_of(bar, soft, left), 1},
      {"stiff layers", domain_of(bar, layers), 10},
      {"stiff layers, held", domain_of(bar, layers, left), 10},
      {"random stiffness", domain_of(bar, random, left), 20},
      {"twenty materials", domain_of(bar, twenty), 20},
      {"single tet", domain_of(single), 5},
      {"more handles than vertices", domain_of(make_box({1, 1, 1}, {1, 1, 1})), 50},
      {"all held", domain_of(bar, soft, [](const Vec3&) { return true; }), 8},
      {"nearly all held", domain_of(bar, soft, [](const Vec3& x) { return x[0] < 0.9; }), 8},
      {"two components", domain_of(joined({bar, apart, ball}), soft, left), 9},
      {"tendril", domain_of(make_box({10, 0.1, 0.1}, {100, 1, 1}), soft, [](const Vec3& x) { return x[0] < -4.99; }),
       9},
  };
}

Domain without_fixed(Domain domain) {
  std::fill(domain.fixed.begin(), domain.fixed.end(), 0);
  return domain;
}

TEST(Sms, PartitionOfUnity) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Partition partition = grown_partition(c.domain, c.handles);
    for (const Domain& domain : {c.domain, without_fixed(c.domain)}) {
      SmsReport report;
      const HandleBasis basis = sms_basis(domain, partition, &report);
      EXPECT_EQ(report.failed, 0);
      EXPECT_EQ(report.unconverged, 0);
      expect_well_formed(basis, domain, report);
      expect_sparse(basis, domain, partition, report);
    }
    SmsReport report;
    expect_well_formed(affine_basis(c.domain, &report), c.domain, report);
  }
}

// One cluster that all others are next to is cut up: their subdomains stay small.
TEST(Sms, BearsAVeryLargeCluster) {
  const Domain domain = domain_of(make_box({1, 1, 1}, {12, 12, 12}), soft, [](const Vec3& x) { return x[1] < -0.49; });
  Partition partition;
  partition.tet_cluster.assign(domain.tet_count(), 0);
  partition.center.assign(1, 0);
  (domain.vertices.colwise().norm()).minCoeff(&partition.center[0]);
  for (Index t = 0; t < domain.tet_count(); t += 97) {
    Index center = -1;
    for (int i = 0; i < 4; ++i) {
      if (domain.tets(i, t) != partition.center[0] && !domain.fixed[domain.tets(i, t)]) center = domain.tets(i, t);
    }
    if (center < 0) continue;
    partition.tet_cluster[t] = partition.cluster_count();
    partition.center.push_back(center);
  }
  SmsReport report;
  const HandleBasis basis = sms_basis(domain, partition, &report);
  EXPECT_EQ(report.failed + report.unconverged, 0);
  expect_well_formed(basis, domain, report);
  expect_sparse(basis, domain, partition, report);
  // One cell in eight mean clusters: a handle reaches a few of them.
  EXPECT_LT(static_cast<double>(basis.weight.size()), 0.25 * basis.vertex_count() * basis.handle_count());
}

TEST(Sms, FullyFixedClustersHaveNoHandle) {
  const Domain domain = domain_of(make_box({2, 1, 1}, {8, 4, 4}), soft, [](const Vec3& x) { return x[0] < 0.3; });
  const Partition partition = grown_partition(domain, 12);
  const HandleBasis basis = sms_basis(domain, partition);
  EXPECT_LT(basis.handle_count(), 12);
  EXPECT_GT(basis.handle_count(), 2);
  EXPECT_EQ(sms_basis(domain_of(make_box({2, 1, 1}, {2, 1, 1}), soft, [](const Vec3&) { return true; }),
                      grown_partition(domain_of(make_box({2, 1, 1}, {2, 1, 1})), 2))
                .handle_count(),
            0);
}

// The affine field A [1, X] from q_i = (A [1, c_i], A r_i) at every handle.
double affine_error(const HandleBasis& basis, const Points& rest) {
  Eigen::Matrix<double, 3, 4> A;
  A << 0.3, 1, -2, 0.5, -1, 0.2, 0.7, -0.4, 2, -0.6, 1.1, 0.9;
  VecX q(12 * basis.handle_count());
  for (Index i = 0; i < basis.handle_count(); ++i) {
    Eigen::Map<Eigen::Matrix<double, 3, 4>> Q(q.data() + 12 * i);
    Q.col(0) = A.col(0) + A.rightCols<3>() * basis.center[i];
    Q.rightCols<3>() = A.rightCols<3>() * basis.radius[i];
  }
  Points u;
  lift(basis, rest, q.data(), u);
  const Points expected = (A.rightCols<3>() * rest).colwise() + A.col(0);
  return (u - expected).cwiseAbs().maxCoeff();
}

TEST(Sms, LinearPrecision) {
  for (const Case& c : cases()) {
    if (std::count(c.domain.fixed.begin(), c.domain.fixed.end(), 1) > 0) continue;
    SCOPED_TRACE(c.name);
    EXPECT_LT(affine_error(sms_basis(c.domain, grown_partition(c.domain, c.handles)), c.domain.vertices), 1e-12);
    EXPECT_LT(affine_error(affine_basis(c.domain), c.domain.vertices), 1e-12);
  }
}

// A block with a slit from above: from one side to the other, handles reach only around its end.
TEST(Sms, NoSupportAcrossACut) {
  const TetMesh block =
      cut(make_box({2, 2, 0.4}, {20, 20, 4}), [](const Vec3& x) { return std::abs(x[0]) < 0.1 && x[1] > -0.5; });
  const Domain domain = domain_of(block);
  const HandleBasis basis = sms_basis(domain, grown_partition(domain, 16));
  Index near = 0;
  for (Index v = 0; v < domain.vertex_count(); ++v) {
    const Vec3 x = domain.vertices.col(v);
    if (x[1] < 0.5) continue;
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
      const Vec3& c = basis.center[basis.handle[e]];
      if (c[1] < 0) continue;
      EXPECT_GT(c[0] * x[0], 0) << x.transpose() << " takes " << c.transpose();
      ++near;
    }
  }
  EXPECT_GT(near, 100);
}

// Spread of the weights over the vertices of stiff layers, each of which has one handle of its own.
TEST(Sms, StiffLayerMovesAsOnePiece) {
  const TetMesh block = make_box({1, 1, 0.3}, {12, 12, 4});
  auto spread = [&](double stiff) {
    const Domain domain = domain_of(block, [&](const Vec3& x) { return std::abs(x[1]) > 1.0 / 3 ? stiff : 1.0; });
    Partition partition;
    for (Index t = 0; t < domain.tet_count(); ++t) {
      const Vec3 x = (domain.vertices.col(domain.tets(0, t)) + domain.vertices.col(domain.tets(1, t)) +
                      domain.vertices.col(domain.tets(2, t)) + domain.vertices.col(domain.tets(3, t))) /
                     4;
      partition.tet_cluster.push_back(x[1] > 1.0 / 3 ? 0 : x[1] < -1.0 / 3 ? 1 : x[0] < 0 ? 2 : 3);
    }
    for (const Vec3& c : {Vec3(0, 0.41, 0), Vec3(0, -0.41, 0), Vec3(-0.25, 0, 0), Vec3(0.25, 0, 0)}) {
      Index best = 0;
      (domain.vertices.colwise() - c).colwise().squaredNorm().minCoeff(&best);
      partition.center.push_back(best);
    }
    const MatX phi = dense_weights(sms_basis(domain, partition));
    double least = 1;
    for (Index v = 0; v < domain.vertex_count(); ++v) {
      if (domain.vertices(1, v) > 0.34) least = std::min(least, phi(v, 0));
    }
    return 1 - least;
  };
  EXPECT_LT(spread(1e5), 0.02);
  EXPECT_GT(spread(1), 0.2);
}

// Two stiff plates around a soft core in two clusters: `plate` gives the clusters of the upper one, counted from 3, by
// barycentre, `centers` the points next to their centres.
struct Plates {
  Domain domain;
  Partition partition;
  SmsReport report;
  HandleBasis basis;

  Plates(const std::function<Index(const Vec3&)>& plate, const std::vector<Vec3>& centers)
      : domain(domain_of(make_box({1, 1, 0.3}, {12, 12, 4}), [](const Vec3& x) { return on_plate(x) ? 5e5 : 1.0; })) {
    for (Index t = 0; t < domain.tet_count(); ++t) {
      const Vec3 x = test::barycentre(domain, t);
      partition.tet_cluster.push_back(x[1] < -1.0 / 3 ? 0 : x[1] > 1.0 / 3 ? plate(x) : x[0] < 0 ? 1 : 2);
    }
    std::vector<Vec3> points{{0, -0.41, 0}, {-0.25, 0, 0}, {0.25, 0, 0}};
    points.insert(points.end(), centers.begin(), centers.end());
    for (const Vec3& point : points) {
      Index best = 0;
      (domain.vertices.colwise() - point).colwise().squaredNorm().minCoeff(&best);
      partition.center.push_back(best);
    }
    basis = sms_basis(domain, partition, &report);
  }

  static bool on_plate(const Vec3& x) { return std::abs(x[1]) > 1.0 / 3; }

  // Of the handles of the upper plate, at each vertex.
  VecX plate_share() const { return dense_weights(basis).rightCols(basis.handle_count() - 3).rowwise().sum(); }
};

Index whole(const Vec3&) {
  return 3;
}

// Into how many clusters a plate is cut makes little difference to the core: root mean square over the core's vertices,
// which comes near one where the plate takes the core over.
TEST(Sms, PlateOfSeveralClustersLeavesTheCoreAlone) {
  const Plates one(whole, {{0, 0.41, 0}});
  const Plates four([](const Vec3& x) { return 3 + (x[0] < -0.3) + 2 * (x[2] < 0); },
                    {{-0.2, 0.41, 0.07}, {-0.37, 0.5, 0.07}, {-0.2, 0.41, -0.07}, {-0.37, 0.5, -0.07}});
  ASSERT_EQ(four.basis.handle_count(), 7);
  const VecX difference = one.plate_share() - four.plate_share();
  double sum = 0, count = 0;
  for (Index v = 0; v < difference.size(); ++v) {
    if (std::abs(one.domain.vertices(1, v)) > 0.33) continue;
    sum += difference[v] * difference[v];
    ++count;
  }
  EXPECT_LT(std::sqrt(sum / count), 0.25);
  for (Index v = 0; v < difference.size(); ++v) {
    if (one.domain.vertices(1, v) > 0.33) {
      EXPECT_GT(four.plate_share()[v], 1 - 1e-3);
    }
  }
}

// A stiff half whose handle's function ends before its far quarter, a soft half whose handle's leaves a trace there, as
// the ratio of their stiffnesses lets it: the quarter belongs to the stiff one, though all of its side is next to soft.
TEST(Sms, TracesOfSoftHandlesDoNotCount) {
  const double ratio = 1e5;
  const Domain domain =
      domain_of(make_box({2, 1, 1}, {16, 8, 8}), [&](const Vec3& x) { return x[1] > 0 ? ratio : 1.0; });
  std::vector<Index> cluster;
  for (Index t = 0; t < domain.tet_count(); ++t) cluster.push_back(domain.young[t] > 1 ? 0 : 1);
  const ClusterGraph graph = cluster_graph(domain, cluster, 2);
  std::vector<SparseFunction> functions(2);
  for (Index v = 0; v < domain.vertex_count(); ++v) {
    const Vec3 x = domain.vertices.col(v);
    const bool is_stiff = x[1] > -1e-9;
    if (is_stiff && x[0] < 0.5) {
      functions[0].nodes.push_back(v);
      functions[0].values.push_back(1);
    }
    functions[1].nodes.push_back(v);
    functions[1].values.push_back(is_stiff ? 1 / ratio : 1);
  }
  const std::vector<char> fixed(domain.vertex_count(), 0);
  WeightTable table = normalised(functions, VecX::Zero(domain.vertex_count()), fixed);
  EXPECT_EQ(extend(domain, single_nodes(domain, {}).node, graph, relative_stiffness(domain), {{0, 1}, {0, 1}}, table),
            5 * 5 * 9);
  for (Index v = 0; v < domain.vertex_count(); ++v) {
    double sum = 0, stiff_weight = 0;
    for (auto e = table.begin[v]; e < table.begin[v + 1]; ++e) {
      sum += table.weight[e];
      if (table.handle[e] == 0) stiff_weight += table.weight[e];
    }
    EXPECT_NEAR(sum, 1, rounding);
    // Across 16 by 16 tets of the quarter's side against stiff ones: some hundreds of `1 / ratio`.
    if (domain.vertices(1, v) > -1e-9) {
      EXPECT_GT(stiff_weight, 1 - 1e3 / ratio);
    }
  }
}

// The cantilever of the paper's figure 9: how far what moves of the functions falls along an edge next to the held end.
TEST(Sms, WeightsFadeTowardsFixedVertices) {
  const Domain domain = domain_of(make_box({4, 1, 1}, {32, 8, 8}), soft, [](const Vec3& x) { return x[0] < -1.99; });
  const Partition partition = grown_partition(domain, 4);
  auto largest_jump = [&](bool dirichlet) {
    MatX phi = dense_weights(sms_basis(dirichlet ? domain : without_fixed(domain), partition));
    for (Index v = 0; v < domain.vertex_count(); ++v)
      if (domain.fixed[v]) phi.row(v).setZero();
    double worst = 0;
    const Edges edges = unique_edges(domain.tets);
    for (Index e = 0; e < edges.cols(); ++e) {
      worst = std::max(worst, (phi.row(edges(0, e)) - phi.row(edges(1, e))).cwiseAbs().sum());
    }
    return worst;
  };
  EXPECT_LT(largest_jump(true), 0.6);
  EXPECT_GT(largest_jump(false), 0.99);
}

// Best approximation of a smooth field in the span, in the root mean square: falls with the size of the clusters.
TEST(Sms, Converges) {
  const Domain domain = domain_of(make_box({1, 1, 1}, {14, 14, 14}));
  VecX field(domain.vertex_count());
  for (Index v = 0; v < domain.vertex_count(); ++v) {
    const Vec3 x = domain.vertices.col(v);
    field[v] = std::sin(3 * x[0] + x[1]) * std::cos(2 * x[1] - x[2]);
  }
  std::vector<double> logs_k, logs_error;
  for (Index handles : {2, 6, 18, 54, 162}) {
    const HandleBasis basis = sms_basis(domain, grown_partition(domain, handles));
    MatX W = MatX::Zero(domain.vertex_count(), 4 * basis.handle_count());
    for (Index v = 0; v < domain.vertex_count(); ++v) {
      for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
        const Index i = basis.handle[e];
        const Vec3 s = (domain.vertices.col(v) - basis.center[i]) / basis.radius[i];
        W.row(v).segment<4>(4 * i) = basis.weight[e] * Eigen::RowVector4d(1, s[0], s[1], s[2]);
      }
    }
    const VecX q = W.colPivHouseholderQr().solve(field);
    logs_k.push_back(std::log(handles));
    logs_error.push_back(std::log((W * q - field).norm() / field.norm()));
  }
  const double slope = (logs_error.back() - logs_error.front()) / (logs_k.back() - logs_k.front());
  RecordProperty("slope", std::to_string(slope));
  for (std::size_t i = 1; i < logs_error.size(); ++i) EXPECT_LT(logs_error[i], logs_error[i - 1]);
  // Affine handles leave O(h^2) with h ~ k^{-1/3}.
  EXPECT_LT(slope, -0.6);
}

// Energy of all functions, sum_i phi_i^T L phi_i.
double dirichlet_energy(const HandleBasis& basis, const Domain& domain) {
  const SparseMatrix L = stiffness_laplacian(domain.vertices, domain.tets, domain.volume, relative_stiffness(domain));
  const MatX W = dense_weights(basis);
  return (W.transpose() * (L * W)).trace();
}

// On groups of vertices functions have the properties of those on vertices, and nearly their energy.
TEST(Sms, GroupsOfVertices) {
  const auto layers = [](const Vec3& x) { return std::abs(x[1]) > 0.25 ? 1e9 : 1e6; };
  const auto left = [](const Vec3& x) { return x[0] < -0.99; };
  const TetMesh bar = make_box({2, 1, 1}, {34, 17, 17});
  for (const Domain& domain : {domain_of(bar), domain_of(bar, layers, left)}) {
    PartitionOptions options;
    options.handles = 20;
    options.stiffness_exponent = 0;
    const Partition partition = make_partition(domain, options);
    SmsReport report;
    const HandleBasis grouped = sms_basis(domain, partition, &report, 10000), exact = sms_basis(domain, partition);
    expect_well_formed(grouped, domain, report);
    expect_sparse(grouped, domain, partition, report);
    const double energy = dirichlet_energy(grouped, domain), least = dirichlet_energy(exact, domain);
    EXPECT_LT(energy, 1.02 * least);
    EXPECT_LT(grouped.weight.size(), 1.1 * exact.weight.size());
  }
}

TEST(Sms, SameBitsForAnyThreads) {
  const auto stiffness = [](const Vec3& x) { return x.norm() < 0.5 ? 1e9 : 1e5; };
  const auto low = [](const Vec3& x) { return x[1] < -0.9; };
  for (const TetMesh& mesh : {make_sphere(1, 0.2), make_box({2, 1, 1}, {34, 17, 17})}) {  // the latter in groups
    const Domain domain = domain_of(mesh, stiffness, low);
    const Partition partition = grown_partition(domain, 20);
    HandleBasis first;
    for (int threads : {1, 2, 5}) {
      ThreadLimit limit(threads);
      const HandleBasis basis = sms_basis(domain, partition, nullptr, 10000);
      if (threads == 1) first = basis;
      EXPECT_EQ(basis.begin, first.begin);
      EXPECT_EQ(basis.handle, first.handle);
      EXPECT_EQ(basis.weight, first.weight);
    }
  }
}

TEST(Affine, ConstantWithoutFixedVertices) {
  const TetMesh ball = make_sphere(1, 0.5);
  TetMesh other = ball;
  other.vertices.row(0).array() += 3;
  const Domain domain = domain_of(joined({ball, other}), soft, [](const Vec3& x) { return x[0] > 3.9; });
  SmsReport report;
  const HandleBasis basis = affine_basis(domain, &report);
  EXPECT_EQ(basis.handle_count(), 2);
  for (Index v = 0; v < ball.vertex_count(); ++v) {
    EXPECT_EQ(basis.begin[v + 1] - basis.begin[v], 1);
    EXPECT_EQ(basis.weight[basis.begin[v]], 1);
  }
  // The other fades to nothing at its end.
  Index between = 0;
  for (Index v = ball.vertex_count(); v < domain.vertex_count(); ++v) {
    between += basis.begin[v + 1] > basis.begin[v] && basis.weight[basis.begin[v]] < 0.9;
  }
  EXPECT_GT(between, 3);
}

TEST(Affine, ThousandsOfBodies) {
  std::vector<TetMesh> meshes;
  const TetMesh box = make_box({1, 1, 1}, {1, 1, 1});
  for (int i = 0; i < 3000; ++i) {
    meshes.push_back(box);
    meshes.back().vertices.row(0).array() += 2 * i;
  }
  const Domain domain = domain_of(joined(meshes), soft, [](const Vec3& x) { return x[1] < -0.4 && x[0] < 100; });
  SmsReport report;
  const HandleBasis basis = affine_basis(domain, &report);
  EXPECT_EQ(basis.handle_count(), 3000);
  expect_well_formed(basis, domain, report);
  expect_well_formed(sms_basis(domain, grown_partition(domain, 1), &report), domain, report);
}

}  // namespace
}  // namespace sinew::sms_test

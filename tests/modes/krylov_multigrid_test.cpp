// Spans of inertia modes by multigrid against those of the factorisation.
#include "sinew/modes/krylov_multigrid.h"

#include <cmath>
#include <functional>

#include "modes/rest_bars.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/linalg/tall_products.h"
#include "sinew/modes/inertia_modes.h"

namespace sinew {
namespace {

using namespace test;

constexpr double degrees = 180 / 3.14159265358979323846;
constexpr double largest_angle = 0.1;  // degrees

double angle(const MatX& exact, const MatX& other, const VecX& mass) {
  MatX outside = other;
  subtract_tall_product(exact, weighted_product(exact, mass, other), outside);
  const double square = symmetric_eigen(weighted_gram(outside, mass)).values.maxCoeff();
  return std::asin(std::min(1.0, std::sqrt(std::max(0.0, square)))) * degrees;
}

using Inside = std::function<bool(const Vec3&)>;

struct Shape {
  const char* name;
  Vec3 size;
  std::array<Index, 3> cells;
  Inside held;
  std::array<bool, 3> axes{true, true, true};
  double contrast = 1;  // stiffness of the upper half over that of the lower
};

void PrintTo(const Shape& shape, std::ostream* os) {
  *os << shape.name;
}

RestBody body_of(const Shape& shape) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(shape.size, shape.cells);
  BodySetup own = body("box", mesh, material("neo_hookean", 1e5, 0.4, 900, "soft"));
  if (shape.contrast != 1) {
    own.materials.push_back(material("neo_hookean", 1e5 * shape.contrast, 0.4, 900, "stiff"));
    for (Index t = 0; t < mesh.tets.cols(); ++t) {
      double height = 0;
      for (const Index v : mesh.tets.col(t)) height += mesh.vertices(1, v);
      own.materials[height > 0].tets.push_back(t);
    }
  }
  FixSetup fix;
  fix.vertices = select_vertices(mesh, shape.held);
  fix.axes = shape.axes;
  if (!fix.vertices.empty()) own.fixes.push_back(fix);
  setup.bodies.push_back(std::move(own));
  const auto system = build_system(std::move(setup));
  return std::move(rest_bodies(*system, prescribed(*system))[0]);
}

class Shapes : public testing::TestWithParam<Shape> {};

// The span is accurate, or the solver says that it cannot show it.
TEST_P(Shapes, SpanTheExactKrylovSpace) {
  RestBody body = body_of(GetParam());
  const MatX start = inertia_start(body);
  for (const Index count : {12, 30}) {
    KrylovMultigrid solver(body);
    const auto modes = solver.modes(start, count);
    RecordProperty("iterations", solver.report().iterations);
    if (!modes) {
      // Fixed at few vertices: no attempt shows that the span is accurate.
      EXPECT_STREQ(GetParam().name, "tiny region");
      continue;
    }
    const BodyModes exact = inertia_modes_of(body, count, {.solver = InertiaSolver::factor});
    ASSERT_EQ(modes->U.cols(), count);
    const double found = angle(exact.vectors, modes->U, body.mass());
    EXPECT_LT(found, largest_angle);
    EXPECT_LT(found, 4 * solver.report().sine * degrees);  // 0.1 degrees leave a factor of 8
    const VecX quotients = modes->U.cwiseProduct(body.multiply(modes->U)).colwise().sum();
    EXPECT_LT((modes->quotients - quotients).norm(), 1e-9 * quotients.norm());
    const MatX gram = weighted_gram(modes->U, body.mass());
    EXPECT_LT((gram - MatX::Identity(count, count)).norm(), 1e-9);
  }
}

bool left(const Vec3& x) {
  return x[0] < -0.4999;
}
bool bottom(const Vec3& x) {
  return x[1] < -0.24;
}

INSTANTIATE_TEST_SUITE_P(
    Held, Shapes,
    testing::Values(Shape{"bar", Vec3(1, 0.06, 0.05), {100, 6, 5}, left},
                    Shape{"cube", Vec3(1, 1, 1), {14, 14, 14}, left},
                    Shape{"plate", Vec3(1, 0.05, 1), {40, 2, 40}, left},
                    Shape{"shell", Vec3(1, 0.01, 1), {50, 1, 50}, left},
                    Shape{"two materials", Vec3(1, 0.5, 0.5), {24, 12, 12}, left, {true, true, true}, 1e3},
                    Shape{"two materials below", Vec3(1, 0.5, 0.5), {24, 12, 12}, bottom, {true, true, true}, 1e3},
                    Shape{"corner",
                          Vec3(1, 0.5, 0.5),
                          {24, 12, 12},
                          [](const Vec3& x) { return left(x) && bottom(x) && x[2] < -0.24; }},
                    Shape{"plane", Vec3(1, 0.5, 0.5), {24, 12, 12}, left, {true, false, false}},
                    Shape{"sliding", Vec3(1, 0.5, 0.5), {24, 12, 12}, bottom, {false, true, false}},
                    Shape{"rail", Vec3(1, 0.5, 0.5), {24, 12, 12}, bottom, {false, true, true}},
                    Shape{"free", Vec3(1, 0.5, 0.5), {24, 12, 12}, [](const Vec3&) { return false; }},
                    Shape{"free bar", Vec3(1, 0.06, 0.05), {100, 6, 5}, [](const Vec3&) { return false; }},
                    Shape{"tiny region",
                          Vec3(1, 0.5, 0.5),
                          {24, 12, 12},
                          [](const Vec3& x) { return left(x) && x[1] < -0.2 && x[2] < -0.2; }},
                    Shape{"edge", Vec3(1, 0.5, 0.5), {24, 12, 12}, [](const Vec3& x) { return left(x) && bottom(x); }}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::ranges::replace(name, ' ', '_');
      return name;
    });

TEST(KrylovMultigrid, HasTheSameBitsWithAnyNumberOfThreads) {
  const Shape shape{"bar", Vec3(1, 0.2, 0.15), {40, 8, 6}, left};
  const RestBody body = body_of(shape);
  const MatX start = inertia_start(body);
  MatX results[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    const auto modes = KrylovMultigrid(body).modes(start, 12);
    ASSERT_TRUE(modes);
    results[threads - 1] = modes->U;
  }
  EXPECT_EQ(results[0], results[1]);
}

// A Krylov space that ends: of a mesh of few vertices, from which more modes are asked than it has.
TEST(KrylovMultigrid, DoesNotAcceptColumnsMadeOfErrors) {
  const Shape shape{"small", Vec3(1, 0.5, 0.5), {2, 1, 1}, left};
  RestBody body = body_of(shape);
  const auto modes = KrylovMultigrid(body).modes(inertia_start(body), body.free_count() + 6);
  EXPECT_FALSE(modes);
}

}  // namespace
}  // namespace sinew

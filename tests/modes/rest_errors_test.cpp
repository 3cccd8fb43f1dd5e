// Bodies at rest whose stiffness is singular or indefinite, more modes than there are: an error that says so, or modes
// that are right.
#include <string>

#include "modes/rest_bars.h"
#include "support/folder.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;

std::shared_ptr<const System> box_of(MaterialAssignment material,
                                     const TetMesh& mesh = make_box(Vec3(1, 1, 1), {2, 2, 2}),
                                     const FixSetup& fix = {}) {
  sinew::Setup setup;
  BodySetup bar = body("bar", mesh, std::move(material));
  if (!fix.vertices.empty()) bar.fixes.push_back(fix);
  setup.bodies.push_back(std::move(bar));
  return build_system(std::move(setup));
}

MaterialAssignment with_lame(double lambda, double mu) {
  MaterialAssignment assignment = material("stvk", 1e5, 0.3, 900, "jelly");
  assignment.parameters = {{lambda}, {mu}};
  return assignment;
}

std::string error_of(const System& system, const ModeCount& count = 3, const char* kind = "linear") {
  ModeOptions options;
  options.count = count;
  try {
    find_mode_kind(kind)->make(system, prescribed(system), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(RestErrors, MaterialsWithoutStiffnessAreNamed) {
  MaterialAssignment quartic;
  quartic.name = "quartic";
  quartic.model = shared_material_model("polynomial");
  quartic.parameters = quartic.model->resolve({{"mu", {1e5}}});
  quartic.density = {900};
  const auto soft = box_of(quartic);
  for (const ModeKind& kind : mode_kinds())
    EXPECT_THAT(error_of(*soft, 3, kind.name),
                AllOf(HasSubstr("body 'bar': found material 'quartic' with the stiffness 0 Pa at rest"),
                      HasSubstr("use modes of frames (kind pod)")));
  // The strain that costs least: a shear, or a change of volume.
  EXPECT_THAT(error_of(*box_of(with_lame(1e5, -1e3))), HasSubstr("with the stiffness -2e+03 Pa"));
  EXPECT_THAT(error_of(*box_of(with_lame(-1e5, 1e5))),
              HasSubstr("with the stiffness -1e+05 Pa at rest, expected more than 0. The strain is xx 0.577, yy 0.577, "
                        "zz 0.577, xy 0, xz 0, yz 0"));
  EXPECT_THAT(error_of(*box_of(with_lame(1e5, 0))), HasSubstr("with the stiffness 0 Pa"));
  EXPECT_EQ(error_of(*box_of(with_lame(-0.6e5, 1e5))), "");
  // Fibers hold what the rest does not, or take away more than it has.
  MaterialAssignment fibers = with_lame(1e5, 1e5);
  fibers.fiber_stiffness = {1e5};
  fibers.fiber_direction = Vec3::UnitX();
  EXPECT_EQ(error_of(*box_of(fibers)), "");
  // Bodies of springs have none at all.
  EXPECT_THAT(error_of(*box_of(springs(1e5, 900))), HasSubstr("body 'bar': found material 'springs' made of springs"));
}

TEST(RestErrors, MoreModesThanThereAreSayHowMany) {
  const auto free = bars(Held::nowhere, 1), held = bars(Held::at_an_end, 1);
  const Index n = 3 * free->dynamic_count;
  EXPECT_EQ(error_of(*free, {n + 1, "--count"}), fmt::format("--count: found {} modes of kind \"linear\", expected at "
                                                             "most {}, the number of free coordinates; ask for fewer",
                                                             n + 1, n));
  EXPECT_EQ(error_of(*free, n), "");
  for (const char* kind : {"derivatives", "inertia", "inertia_derivatives", "quadratic"}) {
    EXPECT_EQ(error_of(*free, {n - 5, "solver.handles"}, kind),
              fmt::format("solver.handles: found {} modes of kind \"{}\", expected at most {}: {} free coordinates "
                          "less 6 rigid motions; ask for fewer",
                          n - 5, kind, n - 6, n));
    EXPECT_THAT(error_of(*held, n, kind), HasSubstr("less 0 rigid motions"));
    // Where nobody asked, as many as there are.
    ModeOptions options;
    options.count = {n, ""};
    EXPECT_LE(find_mode_kind(kind)->make(*free, prescribed(*free), options).values.size(), n - 6) << kind;
  }
  ModeOptions options;
  options.count = 3;
  options.nonlinear.linear = {n, "--linear"};
  EXPECT_THAT(
      [&] { find_mode_kind("derivatives")->make(*free, prescribed(*free), options); },
      testing::ThrowsMessage<InputError>(fmt::format(
          "--linear: found {} linear modes to differentiate, expected at most {}, the modes of the body; ask for fewer",
          n, n - 6)));
  // Nothing moves.
  FixSetup all;
  const TetMesh mesh = make_box(Vec3(1, 1, 1), {1, 1, 1});
  all.vertices = select_vertices(mesh, [](const Vec3&) { return true; });
  EXPECT_THAT(error_of(*box_of(material("stvk", 1e5, 0.3), mesh, all)), HasSubstr("no tet has a vertex that can move"));
}

// Two bars, side by side, that share an edge, or a vertex: one body that is free and one that is held.
TetMesh hinged(bool edge) {
  TetMesh mesh = make_box(Vec3(1, 0.4, 0.3), {3, 2, 2});
  const TetMesh other = mesh;
  const Index n = other.vertex_count();
  std::vector<Index> number;
  mesh.vertices.conservativeResize(3, 2 * n);
  const Vec3 shift = edge ? Vec3(1, 0.4, 0) : Vec3(1, 0.4, 0.3);
  Index next = n;
  for (Index v = 0; v < n; ++v) {
    const Vec3 x = other.vertices.col(v) + shift;
    Index same = -1;
    for (Index w = 0; w < n; ++w)
      if ((other.vertices.col(w) - x).norm() < 1e-9) same = w;
    if (same < 0) mesh.vertices.col(next) = x;
    number.push_back(same < 0 ? next++ : same);
  }
  mesh.vertices.conservativeResize(3, next);
  const auto m = other.tets.cols();
  mesh.tets.conservativeResize(4, 2 * m);
  for (Eigen::Index t = 0; t < m; ++t)
    for (int c = 0; c < 4; ++c) mesh.tets(c, m + t) = number[other.tets(c, t)];
  mesh.regions.assign(static_cast<std::size_t>(2 * m), 0);
  return mesh;
}

class Hinges : public testing::TestWithParam<std::tuple<bool, bool>> {};

// A hinge at an edge turns about one axis, at a vertex about three; all modes are those of a dense solver.
TEST_P(Hinges, AreMotionsWithoutStrain) {
  const auto [edge, is_held] = GetParam();
  const TetMesh mesh = hinged(edge);
  FixSetup fix;
  if (is_held) fix.vertices = select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.49; });
  const auto system = box_of(material("stvk", 1e5, 0.3), mesh, fix);
  const std::vector<char> fixed = prescribed(*system);
  std::vector<RestBody> bodies = rest_bodies(*system, fixed);
  ASSERT_EQ(bodies.size(), 1u);
  RestBody& body = bodies[0];
  const Index zeros = (edge ? 1 : 3) + (is_held ? 0 : 6);
  ASSERT_EQ(body.rigid().cols(), zeros);
  EXPECT_EQ(body.is_free(), !is_held);
  std::vector<Index> free;
  for (Index c = 0; c < body.size(); ++c)
    if (!body.is_fixed(c)) free.push_back(c);
  const MatX K = body.multiply(MatX::Identity(body.size(), body.size()));
  EXPECT_LT((K * body.rigid()).norm(), 1e-11 * K.norm());
  const MatX M = body.mass().asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> all(K(free, free), M(free, free), Eigen::EigenvaluesOnly);
  const Index count = zeros + 12;
  const ModeSet modes = linear_modes(*system, fixed, count);
  ASSERT_EQ(modes.values.size(), count);
  for (Index i = 0; i < count; ++i) {
    if (i < zeros)
      EXPECT_EQ(modes.values[i], 0) << i;
    else
      EXPECT_NEAR(modes.values[i], all.eigenvalues()[i], 1e-7 * modes.values[i]) << i;
  }
  // K^+ of a load in balance.
  MatX f = MatX::Random(body.size(), 2);
  body.set_fixed_to_zero(f);
  f -= M * body.rigid() * (body.rigid().transpose() * f);
  const MatX u = body.solve(f);
  EXPECT_LT((body.multiply(u) - f).norm(), 1e-8 * f.norm());
  EXPECT_LT((body.rigid().transpose() * M * u).norm(), 1e-9 * u.norm());
  for (const ModeKind& kind : mode_kinds()) {
    ModeOptions options;
    options.count = 12;
    options.rigid = false;
    const ModeSet set = kind.make(*system, fixed, options);
    ASSERT_EQ(set.values.size(), 12) << kind.name;
    EXPECT_GT(set.values[0], 0.5 * modes.values[zeros]) << kind.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Hinges, testing::Combine(testing::Bool(), testing::Bool()));

// Parts that share prescribed vertices alone do not feel each other.
TEST(RestErrors, PartsAtPrescribedVerticesAreBodiesOfTheirOwn) {
  const TetMesh mesh = hinged(true);
  FixSetup fix;
  fix.vertices = select_vertices(mesh, [](const Vec3& x) { return std::abs(x[0] - 0.5) < 1e-6; });
  const auto system = box_of(material("stvk", 1e5, 0.3), mesh, fix);
  EXPECT_EQ(rest_bodies(*system, prescribed(*system)).size(), 2u);
}

TEST(RestErrors, StiffnessesFarApartCannotBeFactored) {
  const TetMesh mesh = make_box(Vec3(1, 0.2, 0.2), {5, 1, 1});
  MaterialAssignment material = test::material("stvk", 1e5, 0.3);
  std::vector<double> young;
  for (Index t = 0; t < mesh.tet_count(); ++t) young.push_back(mesh.vertices(0, mesh.tets(0, t)) < 0 ? 1e-8 : 1e11);
  material.parameters =
      material.model->resolve({{"young", young}, {"poisson", std::vector<double>(young.size(), 0.3)}});
  EXPECT_THAT(error_of(*box_of(material, mesh), 3, "inertia"),
              AllOf(HasSubstr("body 'bar': its stiffness at rest is not positive definite"), HasSubstr("sinew check")));
}

}  // namespace
}  // namespace sinew

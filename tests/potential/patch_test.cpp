// A patch has the energy, the derivatives and the step filter of the whole system at its own vertices.
#include "sinew/potential/patch.h"

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

namespace sinew::patch_test {

struct Case {
  const char* name;
  double friction = 0, damping = 0, reach = 1;  // coefficient; [1/s] and a hundredth of it in [s]; of barriers
  bool cloth = false, convergent = false;
};

// Two boxes of two materials over a floor and beside a wall, all closer than dhat; or a cloth above a box.
std::shared_ptr<const System> scene(const Case& c) {
  Setup setup;
  setup.contact.distance = 4e-3;
  setup.contact.stiffness = 1e5;
  setup.contact.friction = c.friction;
  if (c.convergent) setup.contact.model = ContactKind::convergent;
  setup.contact.subdivision = 2;
  setup.bodies.push_back(test::body("lower", make_box(Vec3::Constant(0.1), {4, 4, 4}),
                                    test::material("neo_hookean", 1e5, 0.4), Vec3(0, 0.052, 0)));
  if (c.cloth) {
    setup.bodies.push_back(test::cloth("cloth", make_sheet({0.12, 0.12}, {6, 6}),
                                       test::springs(1e5, 200, 1e-3, 1e-3, "threads"), Vec3(0.01, 0.1045, 0.01)));
  } else {
    setup.bodies.push_back(test::body("upper", make_box(Vec3::Constant(0.1), {3, 3, 3}),
                                      test::material("corotated", 2e5, 0.3, 800, "other"), Vec3(0.02, 0.1545, 0.01)));
  }
  for (BodySetup& body : setup.bodies) {
    body.damping_mass = c.damping;
    body.damping_stiffness = 0.01 * c.damping;
  }
  setup.obstacles.push_back(test::floor_plane());
  ObstacleSetup wall;
  wall.name = "wall";
  TriMesh triangle;
  triangle.vertices.resize(3, 3);
  triangle.vertices << -0.0525, -0.0525, -0.0525, -1, 1, 0.2, -0.5, -0.5, 1;
  triangle.triangles.resize(3, 1);
  triangle.triangles << 0, 1, 2;
  wall.mesh = triangle;
  setup.obstacles.push_back(wall);
  return build_system(std::move(setup));
}

class Patches : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    system_ = scene(GetParam());
    context_ = test::resting_context(*system_);
    const Index n = system_->dynamic_count;
    context_.predictor.row(1).array() -= 1e-3;
    std::srand(1);
    context_.start.leftCols(n) += 1e-4 * Points::Random(3, n);
    system_->place_followers(context_.start);
    context_.reference = context_.start;
    for (int k = 0; k < 3; ++k) context_.prescribed[k] = prescribed_flag;
    for (const PlaneSetup& plane : system_->planes) planes_.push_back({plane.point, plane.normal});
    context_.plane_start = context_.plane_reference = context_.plane_end = planes_;
    whole_ = std::make_unique<IncrementalPotential>(system_);
    whole_->begin_step(context_, system_->contact_stiffness);
    whole_->contact().set_reach(GetParam().reach);
    x_ = context_.start;
    x_.leftCols(n) += 1e-4 * Points::Random(3, n);
    system_->place_followers(x_);
    whole_->set_contacts(x_, planes_);
    whole_->update_lagged(x_);  // not where the step starts, so that the patch has to take it over
    // A ball of vertices around the middle of the contact between the bodies, and a vertex of the floor.
    maker_ = std::make_unique<PatchMaker>(*system_);
    for (Index v = 0; v < n; ++v)
      if ((x_.col(v) - Vec3(0.02, 0.102, 0.01)).norm() < 0.04 || v == 3) moving_.push_back(v);
    patch_ = maker_->make(*whole_, x_, moving_, reach_);
  }

  // Positions of the whole and of the patch with the moving vertices somewhere within reach.
  void displace(double size, Points& whole, Points& part) const {
    whole = x_;
    part = patch_.x;
    const Points d = Points::Random(3, patch_.moving);
    for (Index v = 0; v < patch_.moving; ++v) {
      whole.col(patch_.vertices[v]) += size * d.col(v);
      part.col(v) += size * d.col(v);
    }
    system_->place_followers(whole);
    patch_.system->place_followers(part);
  }

  static constexpr double reach_ = 6e-3;
  std::shared_ptr<const System> system_;
  StepContext context_;
  std::vector<PlaneState> planes_;
  std::unique_ptr<IncrementalPotential> whole_;
  std::unique_ptr<PatchMaker> maker_;
  std::vector<Index> moving_;
  Points x_;
  Patch patch_;
};

// Sums of other terms round differently, by some units in the last place of their largest term.
TEST_P(Patches, EnergyAndDerivativesAreThoseOfTheWhole) {
  IncrementalPotential& part = *patch_.potential;
  ASSERT_LT(patch_.vertices.size(), static_cast<std::size_t>(system_->vertex_count()));
  ASSERT_EQ(whole_->contact().has_friction(), GetParam().friction > 0);
  const double before = whole_->value(x_).total() - part.value(patch_.x).total();
  for (const double size : {0.0, 2e-4, 4e-4}) {
    Points x, y, g, g_part;
    displace(size, x, y);
    whole_->set_contacts(x, planes_);
    part.set_contacts(y, planes_);
    ASSERT_FALSE(part.contact().contacts().empty());
    const PotentialValue E = whole_->value(x);
    ASSERT_TRUE(std::isfinite(E.total()));
    EXPECT_NEAR(E.total() - part.value(y).total(), before, 1e-13 * E.magnitude());
    SymBlockMatrix H, H_part;
    for (const Projection projection : {Projection::none, Projection::psd}) {
      whole_->derivatives(x, {.projection = projection}, g, H);
      part.derivatives(y, {.projection = projection}, g_part, H_part);
      const double force = g.cwiseAbs().maxCoeff();
      double stiffness = 0;
      for (Index a = 0; a < patch_.moving; ++a) {
        const Index i = patch_.vertices[a];
        EXPECT_LE((g.col(i) - g_part.col(a)).cwiseAbs().maxCoeff(), 1e-12 * force);
        stiffness = std::max(stiffness, Mat3::Map(H.block(H.pattern().row_begin[i])).cwiseAbs().maxCoeff());
      }
      for (Index a = 0; a < patch_.moving; ++a)
        for (Index b = 0; b < patch_.moving; ++b) {
          const auto block = [](const SymBlockMatrix& M, Index i, Index j) -> Mat3 {
            const auto slot = M.pattern().find(std::min(i, j), std::max(i, j));
            if (slot < 0) return Mat3::Zero();
            const Mat3 upper = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(M.block(slot));
            return i <= j ? upper : Mat3(upper.transpose());
          };
          const Mat3 difference = block(H, patch_.vertices[a], patch_.vertices[b]) - block(H_part, a, b);
          EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-11 * stiffness);
        }
    }
  }
}

// The filter sees all that the moving vertices may meet within their reach, and nothing else.
TEST_P(Patches, TheFilterIsThatOfTheWhole) {
  int limited = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Points to, to_part;
    displace(reach_ / std::sqrt(3.0), to, to_part);
    const double step = whole_->max_step(x_, to - x_, planes_);
    EXPECT_NEAR(patch_.potential->max_step(patch_.x, to_part - patch_.x, planes_), step, 1e-12);
    limited += step < 1;
  }
  EXPECT_GT(limited, 0);
}

// Only the vertices that move are free, and of these only those that the step leaves free.
TEST_P(Patches, OnlyTheFewAreFree) {
  const auto& flags = patch_.context->prescribed;
  ASSERT_EQ(flags.size(), 3 * static_cast<std::size_t>(patch_.system->dynamic_count));
  for (std::size_t k = 0; k < flags.size(); ++k) {
    const auto v = static_cast<Index>(k / 3);
    EXPECT_EQ(flags[k] != 0, v >= patch_.moving || patch_.vertices[v] == 0) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Patches,
                         testing::Values(Case{"plain"}, Case{"friction", 0.4}, Case{"damping", 0.2, 5},
                                         Case{"reach", 0.2, 0, 4}, Case{"cloth", 0.2, 1, 1, true},
                                         Case{"convergent", 0.4, 0, 1, false, true},
                                         Case{"convergent_reach", 0.2, 0, 4, false, true},
                                         Case{"convergent_cloth", 0.2, 1, 1, true, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace sinew::patch_test

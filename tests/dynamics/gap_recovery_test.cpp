// States with gaps of rounding, as checkpoints of older versions may hold: no step may stay there.
#include <cmath>
#include <string>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

enum class Below { plane, triangles, body };

struct TinyGap {
  const char* method;
  Below below;
  double gap;         // [m]
  double height = 0;  // of the faces that touch [m]
  bool turned = false;
};

void PrintTo(const TinyGap& c, std::ostream* out) {
  *out << c.method << " below " << static_cast<int>(c.below) << " gap " << c.gap << " height " << c.height
       << (c.turned ? " turned" : "");
}

class GapRecovery : public ::testing::TestWithParam<TinyGap> {
 protected:
  Mat3 turn_ = GetParam().turned ? Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix()
                                 : Mat3(Mat3::Identity());
  Vec3 up_ = turn_ * Vec3::UnitY();

  // A cube of 20 cm, its lower face at height `low`.
  BodySetup cube(const char* name, double low) const {
    BodySetup body = test::body(name, make_box(Vec3::Constant(0.2), {2, 2, 2}), test::material("neo_hookean", 1e5, 0.3),
                                Vec3(0, low + 0.1, 0));
    body.mesh.vertices = turn_ * body.mesh.vertices;
    return body;
  }

  void add_below(sinew::Setup& setup) const {
    const double height = GetParam().height;
    if (GetParam().below == Below::body) {
      setup.bodies.push_back(cube("lower", height - 0.2));
      FixSetup fix;
      fix.vertices =
          test::select_vertices(setup.bodies[1].mesh, [&](const Vec3& v) { return up_.dot(v) < height - 0.199; });
      setup.bodies[1].fixes = {fix};
      return;
    }
    ObstacleSetup floor;
    floor.name = "floor";
    if (GetParam().below == Below::plane) {
      floor.plane = PlaneSetup{height * up_, up_};
    } else {
      floor.mesh.emplace();
      floor.mesh->vertices =
          turn_ * (Points(3, 4) << -1, -1, 1, 1, height, height, height, height, -1, 1.1, -1, 1).finished();
      floor.mesh->triangles = (Triangles(3, 2) << 0, 1, 1, 3, 2, 2).finished();
    }
    setup.obstacles.push_back(floor);
  }

  // A little above what is below: where it starts there is no gap.
  static InitialMotion lifted(const System& system, const Vec3& up) {
    InitialMotion start{system.rest.leftCols(system.dynamic_count), Points::Zero(3, system.dynamic_count)};
    for (Index i = 0; i < system.dynamic_count; ++i)
      if (system.vertex_body[i] == 0) start.x.col(i) += 0.01 * up;
    return start;
  }

  // The cube flies off at 1 m/s, or is pressed on by gravity.
  void recover(bool flies) const {
    const TinyGap& c = GetParam();
    sinew::Setup setup;
    // What "auto" may choose, with newton where it makes no progress.
    const bool automatic = c.method == std::string("auto");
    setup.solver.method = automatic ? "multilevel" : c.method;
    if (automatic) setup.solver.method_reason = "a test";
    setup.solver.handles = 4;
    setup.solver.subspace = "full";  // of reduced and mixed
    setup.solver.multilevel.cache = false;
    setup.contact.distance = 1e-3;
    setup.contact.friction = 0.3;
    setup.gravity = flies ? Vec3(Vec3::Zero()) : Vec3(-9.81 * up_);
    setup.bodies.push_back(cube("upper", c.height));
    add_below(setup);
    const auto system = build_system(std::move(setup));
    Simulation simulation(system, lifted(*system, up_));
    State state = simulation.state();
    for (Index i = 0; i < system->dynamic_count; ++i) {
      const bool upper = system->vertex_body[i] == 0;
      state.x.col(i) = system->rest.col(i);
      state.v.col(i) = upper && flies ? up_ : Vec3(Vec3::Zero());
      if (!upper || std::abs(up_.dot(system->rest.col(i)) - c.height) > 1e-9) continue;
      // Not behind by rounding, as far as can be told.
      do state.x.col(i) += c.gap * up_;
      while (!(up_.dot(state.x.col(i) - c.height * up_) > 0) && c.gap > 1e-16);
    }
    simulation.replace(state);
    const double before = up_.dot(test::center_of_mass(simulation, 0));
    StepReport report;
    for (int step = 0; step < 10; ++step) report = simulation.step();
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_GT(report.min_distance, 1e-6 * system->contact_distance);
    const double now = up_.dot(test::center_of_mass(simulation, 0));
    if (flies) {
      EXPECT_GT(now, before + 0.05);
    } else {
      EXPECT_NEAR(now, before, 0.01);
      const double weight = 9.81 * 1000 * 0.008;
      EXPECT_LT(simulation.forces().contact.colwise().norm().maxCoeff(), 10 * weight);
    }
  }
};

TEST_P(GapRecovery, BodiesFlyOff) {
  recover(true);
}
TEST_P(GapRecovery, BodiesRest) {
  recover(false);
}

INSTANTIATE_TEST_SUITE_P(
    All, GapRecovery,
    ::testing::Values(TinyGap{"newton", Below::plane, 1e-17}, TinyGap{"newton", Below::triangles, 1e-17},
                      TinyGap{"newton", Below::body, 1e-17}, TinyGap{"newton", Below::plane, 1e-16, 0.3},
                      TinyGap{"newton", Below::triangles, 1e-16, 0.3}, TinyGap{"newton", Below::body, 1e-16, 0.3},
                      TinyGap{"multilevel", Below::plane, 1e-17}, TinyGap{"multilevel", Below::triangles, 1e-17},
                      TinyGap{"multilevel", Below::body, 1e-17}, TinyGap{"auto", Below::body, 1e-17},
                      TinyGap{"auto", Below::triangles, 1e-15, 0.3}, TinyGap{"newton", Below::plane, 2e-16, 0.3, true},
                      TinyGap{"newton", Below::triangles, 2e-16, 0.3, true},
                      TinyGap{"multilevel", Below::triangles, 2e-16, 0.3, true},
                      TinyGap{"newton", Below::body, 1e-15, 0.3, true},
                      TinyGap{"newton", Below::body, 1e-13, 0.3, true},
                      TinyGap{"newton", Below::body, 1e-11, 0.3, true}, TinyGap{"reduced", Below::body, 1e-16, 0.3},
                      TinyGap{"reduced", Below::plane, 2e-16, 0.3, true}, TinyGap{"mixed", Below::body, 1e-16, 0.3},
                      TinyGap{"mixed", Below::triangles, 2e-16, 0.3, true}));

}  // namespace
}  // namespace sinew

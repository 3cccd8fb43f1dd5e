// Times of fitting modal and optimised cubature to the same poses, to equal errors, in one run (EP, table 3).
#include <algorithm>
#include <cmath>

#include "modes/rest_bars.h"
#include <gtest/gtest.h>

#include "sinew/core/timer.h"
#include "sinew/modes/nonlinear_modes.h"
#include "sinew/partition/voxel_sample.h"
#include "sinew/reduced/training.h"

namespace sinew::cubature_times_test {

constexpr Index modes = 12;
constexpr Index poses = 100;
constexpr double wanted_error = 0.02;
constexpr int repeats = 10;  // of the fit of modal cubature, of which the least time counts

std::shared_ptr<const System> bar() {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(1, 0.4, 0.4), {16, 6, 6});
  BodySetup body = test::body("bar", mesh, test::material("stvk", 1e6, 0.4));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.499; });
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

std::vector<Index> spread_evenly(const System& system, Index count) {
  Points middles = Points::Zero(3, system.tet_count());
  for (Index t = 0; t < system.tet_count(); ++t)
    for (int c = 0; c < 4; ++c) middles.col(t) += 0.25 * system.rest.col(system.tets(c, t));
  return voxel_sample(middles, VecX::Ones(system.tet_count()), count).chosen;
}

// Without the poses, the forces of all tets, and those at points or candidates, the fit of modal cubature is hundreds
// of times as fast; with the forces of points and candidates it is more.
TEST(CubatureTimes, ModalCubatureIsFittedFaster) {
  const auto system = bar();
  NonlinearModeOptions options;
  options.basis = LinearBasis::inertia;
  const ModeSet basis = nonlinear_modes(*system, test::prescribed(*system), modes, options);
  PoseForces forces(*system, basis.vectors);
  const VecX deviation = pose_deviation(basis.vectors, basis.values, 0.1 * system->diagonal, 1);
  const MatX q = gaussian_poses(forces, VecX::Zero(modes), deviation, poses, 1, 1);
  const MatX whole = forces.whole(q);

  double modal = 0, modal_error = 1;
  std::size_t modal_points = 0;
  for (Index count = modes; modal_error > wanted_error && count <= 16 * modes; count *= 2) {
    const std::vector<Index> points = spread_evenly(*system, count);
    const PoseForces::AtTets at = forces.at(points, q);
    TrainingForces training;
    training.whole = whole;
    training.points = static_cast<Index>(points.size());
    training.column = [&](Index j, MatX& of_points) {
      of_points.resize(poses, training.points);
      for (Index e = 0; e < training.points; ++e) of_points.col(e) = at.stress[e].transpose() * at.gradient[e].col(j);
    };
    for (int k = 0; k < repeats; ++k) {
      const Stopwatch watch;
      const ModalWeights fit = fit_modal_weights(training);
      const double seconds = watch.seconds();
      modal = k == 0 ? seconds : std::min(modal, seconds);
      modal_error = fit.pose_errors.norm() / std::sqrt(static_cast<double>(poses));  // |A w - b| / |b| of all poses
    }
    modal_points = points.size();
  }
  ASSERT_LE(modal_error, wanted_error);

  OptimizedTraining training;
  training.whole = whole;
  training.tets = system->tet_count();
  double candidates = 0;  // seconds of their forces
  training.forces = [&](std::span<const Index> chosen) {
    const ScopedTimer timer(candidates);
    const PoseForces::AtTets at = forces.at(chosen, q);
    MatX columns(modes * poses, static_cast<Index>(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k)
      columns.col(static_cast<Index>(k)) = (at.gradient[k].transpose() * at.stress[k]).reshaped();
    return columns;
  };
  OptimizedOptions wanted;
  wanted.tolerance = wanted_error;
  const Stopwatch watch;
  const OptimizedCubature result = optimized_cubature(training, wanted);
  const double optimized = watch.seconds() - candidates;
  ASSERT_LE(result.error, wanted_error);
  EXPECT_GT(optimized, 100 * modal) << modal_points << " points in " << modal
                                    << " s, optimised: " << result.cubature.tets.size() << " in " << optimized << " s";
}

}  // namespace sinew::cubature_times_test

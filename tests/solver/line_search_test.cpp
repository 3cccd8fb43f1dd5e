// The line search of the minimiser, along directions made for it.
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/model/system.h"
#include "sinew/solver/minimizer.h"

namespace sinew {
namespace {

constexpr double sufficient = 1e-4;  // of the slope: what the search asks of a step

// Shortens the body along y so far that E is lower than at x, but by less than the search asks for.
class Overshoot : public FullSpaceDirection {
 public:
  void begin_step(const StepContext&, IncrementalPotential& potential) override { potential_ = &potential; }

  DirectionResult direction(const Points& x, const Points&, Points& g, Points& d) override {
    d.setZero();
    d.row(1) = -x.row(1);
    potential_->gradient(x, g);
    const double slope = g.cwiseProduct(d).sum(), start = potential_->value(x).total();
    const auto beyond = [&](double s) {
      return potential_->value(x + s * d).total() - start - 0.5 * sufficient * s * slope;
    };
    double low = 0.01, high = 0.999;
    EXPECT_LT(beyond(low), 0);
    EXPECT_GT(beyond(high), 0);
    for (int i = 0; i < 200; ++i) (beyond((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    d *= low;
    Points there(g.rows(), g.cols());
    potential_->gradient(x + d, there);
    EXPECT_GT(there.norm(), g.norm());
    EXPECT_LT(potential_->value(x + d).total(), start);
    return {};
  }

  void accepted(const Points&, double alpha, double) override { alpha_ = alpha; }
  void end_step() override {}
  double alpha_ = 0;

 private:
  IncrementalPotential* potential_ = nullptr;
};

TEST(LineSearch, HalvesAFullStepThatGainsTooLittle) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.step = 0.1;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Ones(), {2, 2, 2}), test::material("neo_hookean", 1e6, 0.3)));
  const std::shared_ptr<const System> system = build_system(std::move(setup));
  const StepContext context = test::resting_context(*system);
  IncrementalPotential potential(system);
  Overshoot direction;
  potential.begin_step(context, 1);
  direction.begin_step(context, potential);

  Points x = context.start;
  x.row(1) *= 1.5;
  std::vector<PlaneState> planes = context.plane_start;
  potential.set_contacts(x, planes);
  const double before = potential.value(x).total();
  Minimizer minimizer({.tolerance = 1e-3, .max_iterations = 1});
  const MinimizeReport report = minimizer.minimize(potential, direction, x, planes, [] {});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(direction.alpha_, 0.5);
  EXPECT_LT(report.value.total(), 0.5 * before);
}

}  // namespace
}  // namespace sinew

#include "sinew/material/effective_stiffness.h"

#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/material/registry.h"

namespace sinew {
namespace {

double of(const char* name, const UserParameters& user, double low = 0.5, double high = 1.5) {
  const MaterialModel& model = find_material_model(name);
  std::vector<double> kernel;
  for (const auto& values : model.resolve(user)) kernel.push_back(values[0]);
  return effective_stiffness(model, kernel.data(), low, high);
}

// Models whose stress along one axis is linear have its slope over any interval.
TEST(EffectiveStiffness, OfLinearStress) {
  const double lambda = 3e4, mu = 2e4;
  for (const double high : {1.1, 1.5, 3.0}) {
    EXPECT_NEAR(of("arap", {{"mu", {mu}}}, 0.5, high), 2 * mu, 1e-9 * mu);
    EXPECT_NEAR(of("corotated", {{"lambda", {lambda}}, {"mu", {mu}}}, 0.5, high), 2 * mu + lambda, 1e-9 * mu);
  }
}

// 4 mu (s - 1)^3 has no stiffness at rest: the slope is 12 int 4 mu e^4 de = 0.6 mu over e from -1/2 to 1/2.
TEST(EffectiveStiffness, OfAStressWithoutStiffnessAtRest) {
  EXPECT_NEAR(of("polynomial", {{"mu", {7.0}}}), 0.6 * 7, 1e-12);
}

// Over a small interval it is the derivative at rest.
TEST(EffectiveStiffness, OfSmallIntervals) {
  for (const char* name : {"neo_hookean", "stable_neo_hookean", "stvk"}) {
    const MaterialModel& model = find_material_model(name);
    std::vector<double> kernel;
    for (const auto& values : model.resolve({{"young", {1e5}}, {"poisson", {0.4}}})) kernel.push_back(values[0]);
    const LameParameters lame = model.linearized(kernel.data());
    EXPECT_NEAR(effective_stiffness(model, kernel.data(), 0.999, 1.001) / (lame.lambda + 2 * lame.mu), 1, 1e-4) << name;
  }
}

TEST(EffectiveStiffness, IsPositiveForAllModels) {
  for (const MaterialModel* model : material_models()) {
    std::vector<double> kernel;
    const auto sets = model->parameter_sets();
    UserParameters user;
    for (const std::string& name : sets.front())
      user[name] = {name == "poisson"                                   ? 0.3
                    : name == "dispersion"                              ? 0.1
                    : name == "young" || name == "mu" || name == "bulk" ? 1e5
                                                                        : 2e4};
    const SharedModel instance = test::sample_model(model->name());
    for (const auto& values : instance->resolve(user)) kernel.push_back(values[0]);
    EXPECT_GT(effective_stiffness(*instance, kernel.data()), 0) << model->name();
    EXPECT_GT(effective_stiffness(*instance, kernel.data(), 0.1, 5), 0) << model->name();
  }
}

}  // namespace
}  // namespace sinew

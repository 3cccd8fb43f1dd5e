// Parameters as users give them: conversions and every error, word for word.
#include "reference.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string resolve_error(const std::string& model, const UserParameters& parameters) {
  return error_of([&] { find_material_model(model).resolve(parameters); });
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Parameters, YoungAndPoissonBecomeLame) {
  const auto kernel = find_material_model("neo_hookean").resolve({{"young", {1e6}}, {"poisson", {0.25}}});
  EXPECT_DOUBLE_EQ(kernel[0][0], 4e5);
  EXPECT_DOUBLE_EQ(kernel[1][0], 4e5);
  const double values[2] = {kernel[0][0], kernel[1][0]};
  EXPECT_DOUBLE_EQ(find_material_model("neo_hookean").equivalent_young(values), 1e6);
}

TEST(Parameters, ArapTakesYoungToo) {
  EXPECT_DOUBLE_EQ(find_material_model("arap").resolve({{"young", {3e6}}, {"poisson", {0.5 - 1e-9}}})[0][0],
                   1e6 * (1 + 2e-9 / 3));
  EXPECT_DOUBLE_EQ(find_material_model("arap").resolve({{"mu", {7.0}}})[0][0], 7.0);
}

TEST(Parameters, EquivalentYoungOfModelsWithoutLame) {
  const double mu = 10, mooney[3] = {1.0, 0.5, 2.0};
  EXPECT_DOUBLE_EQ(find_material_model("arap").equivalent_young(&mu), 20.0);
  EXPECT_DOUBLE_EQ(find_material_model("polynomial").equivalent_young(&mu), 6.0);
  EXPECT_DOUBLE_EQ(find_material_model("mooney_rivlin").equivalent_young(mooney), young_modulus({4.0, 3.0}));
}

TEST(Parameters, PerElementValues) {
  const auto kernel = find_material_model("corotated").resolve({{"young", {1.0, 2.0, 4.0}}, {"poisson", {0.0}}});
  EXPECT_EQ(kernel[0], (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(kernel[1], (std::vector<double>{0.5, 1, 2}));
}

TEST(Parameters, UnknownModel) {
  const std::string known =
      "arap, arruda_boyce, blatz_ko, corotated, fixed_corotated, gent, hencky, holzapfel_gasser_ogden, hyperfoam, "
      "mooney_rivlin, neo_hookean, ogden, "
      "polynomial, spline, stable_neo_hookean, stvk, yeoh";
  EXPECT_EQ(error_of([] { find_material_model("neohookean"); }),
            "unknown material model 'neohookean', did you mean 'neo_hookean'?; known models: " + known);
  EXPECT_EQ(error_of([] { find_material_model("steel"); }), "unknown material model 'steel'; known models: " + known);
}

TEST(Parameters, UnknownParameter) {
  EXPECT_EQ(resolve_error("neo_hookean", {{"yuong", {1e6}}, {"poisson", {0.4}}}),
            "material model 'neo_hookean': unknown parameter 'yuong', did you mean 'young'?; it takes young [Pa] and "
            "poisson, or lambda [Pa] and mu [Pa]");
  EXPECT_EQ(resolve_error("mooney_rivlin", {{"young", {1e6}}}),
            "material model 'mooney_rivlin': unknown parameter 'young'; it takes c10 [Pa], c01 [Pa] and kappa [Pa]");
}

TEST(Parameters, IncompleteOrMixedSets) {
  EXPECT_EQ(
      resolve_error("stvk", {{"young", {1e6}}}),
      "material model 'stvk': parameters given: young; expected young [Pa] and poisson, or lambda [Pa] and mu [Pa]");
  EXPECT_EQ(
      resolve_error("stvk", {}),
      "material model 'stvk': parameters given: none; expected young [Pa] and poisson, or lambda [Pa] and mu [Pa]");
  EXPECT_EQ(resolve_error("stvk", {{"young", {1e6}}, {"poisson", {0.3}}, {"mu", {1.0}}}),
            "material model 'stvk': parameters given: mu, poisson, young; expected young [Pa] and poisson, or lambda "
            "[Pa] and mu [Pa]");
}

TEST(Parameters, ValuesOutOfRange) {
  EXPECT_EQ(resolve_error("neo_hookean", {{"young", {1e6}}, {"poisson", {0.5}}}),
            "material model 'neo_hookean': poisson is 0.5, but it must be greater than -1 and less than 0.5 (nearly "
            "incompressible: use for example 0.49)");
  EXPECT_EQ(resolve_error("neo_hookean", {{"young", {1e6}}, {"poisson", {-1.0}}}),
            "material model 'neo_hookean': poisson is -1, but it must be greater than -1 and less than 0.5");
  EXPECT_EQ(resolve_error("neo_hookean", {{"young", {1.0, 0.0}}, {"poisson", {0.3}}}),
            "material model 'neo_hookean': young of element 1 is 0, but it must be greater than 0");
  EXPECT_EQ(resolve_error("polynomial", {{"mu", {nan}}}),
            "material model 'polynomial': mu is nan, but it must be greater than 0");
  EXPECT_EQ(resolve_error("stvk", {{"lambda", {nan}}, {"mu", {1.0}}}),
            "material model 'stvk': lambda is nan, but it must be a finite number");
}

TEST(Parameters, ContradictingValues) {
  EXPECT_EQ(resolve_error("stvk", {{"lambda", {-2.0}}, {"mu", {1.0}}}),
            "material model 'stvk': lambda is -2 with mu 1, but lambda must be greater than -2/3 mu (a positive bulk "
            "modulus)");
  EXPECT_EQ(resolve_error("mooney_rivlin", {{"c10", {1.0}}, {"c01", {-1.0}}, {"kappa", {1.0}}}),
            "material model 'mooney_rivlin': c10 is 1 and c01 is -1, but c10 + c01 (half the shear modulus) must be "
            "positive");
  EXPECT_EQ(
      resolve_error("mooney_rivlin", {{"c10", {3.0}}, {"c01", {-1.0}}, {"kappa", {1.0}}}),
      "material model 'mooney_rivlin': kappa is 1 with c10 3 and c01 -1, but kappa + 4/3 c10 + 16/3 c01 (the bulk "
      "modulus) must be positive");
}

TEST(Parameters, SizesOfPerElementValues) {
  EXPECT_EQ(resolve_error("stvk", {{"lambda", {1.0, 2.0}}, {"mu", {1.0, 2.0, 3.0}}}),
            "material model 'stvk': lambda has 2 values and mu has 3; per-element parameters must have one value per "
            "element");
  EXPECT_EQ(resolve_error("stvk", {{"lambda", {}}, {"mu", {1.0}}}), "material model 'stvk': lambda has no value");
  EXPECT_EQ(error_of([] {
              Material("stvk", {{"lambda", {1.0, 2.0}}, {"mu", {1.0}}});
            }),
            "material model 'stvk': lambda has 2 values, but a single material takes one");
}

TEST(Parameters, Fiber) {
  const FiberParameters unit = checked_fiber({2.0, {0, 3, 4}});
  EXPECT_LT((unit.direction - Vec3(0, 0.6, 0.8)).norm(), 1e-16);
  EXPECT_EQ(error_of([] {
              checked_fiber({-1.0, {1, 0, 0}});
            }),
            "fiber: stiffness is -1, but it must be at least 0 [Pa]");
  EXPECT_EQ(error_of([] {
              checked_fiber({1.0, {0, 0, 0}});
            }),
            "fiber: direction is [0, 0, 0], but it must be a finite vector other than zero");
}

TEST(Parameters, TablesAreConsistent) {
  for (const MaterialModel* model : material_models()) {
    std::vector<std::string> names;
    for (const ParameterInfo& info : model->parameters()) names.push_back(info.name);
    for (const auto& set : model->parameter_sets())
      for (const std::string& name : set) EXPECT_NE(std::find(names.begin(), names.end(), name), names.end());
    EXPECT_LE(model->kernel_parameter_count(), MaterialModel::max_kernel_parameters);
    EXPECT_EQ(&find_material_model(model->name()), model);
  }
}

}  // namespace
}  // namespace sinew::test

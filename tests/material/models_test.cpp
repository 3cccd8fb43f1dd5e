// Every model against its formula in long double: value, stress and Hessian in all kinds of states.
#include "reference.h"
#include <gtest/gtest.h>

namespace sinew::test {
namespace {

std::vector<double> kernel_of(const Material& material) {
  return {material.kernel_parameters().begin(), material.kernel_parameters().end()};
}

// d/dt f(F + t D) at 0 by a fourth-order difference.
template <class Matrix, class F>
auto directional(F&& f, const Matrix& at, const Matrix& D, typename Matrix::Scalar h) {
  using Scalar = typename Matrix::Scalar;
  const auto p1 = f(Matrix(at + h * D)), m1 = f(Matrix(at - h * D));
  const auto p2 = f(Matrix(at + 2 * h * D)), m2 = f(Matrix(at - 2 * h * D));
  using Result = std::decay_t<decltype(p1)>;
  return Result((Scalar(8) * (p1 - m1) - (p2 - m2)) / (Scalar(12) * h));
}

Real fiber_reference(const std::optional<FiberParameters>& fiber, const RealMat3& F) {
  if (!fiber) return 0;
  const Real length = (F * fiber->direction.cast<Real>()).norm();
  return fiber->stiffness / 2 * (length - 1) * (length - 1);
}

class Models : public testing::TestWithParam<std::string> {
 protected:
  Material material_{sample_model(GetParam()), sample_parameters(GetParam())};
  Material fibered_{sample_model(GetParam()), sample_parameters(GetParam()), FiberParameters{2.7, {1, -2, 0.5}}};
  std::vector<NamedState> states() const { return sample_states(material_.model().requires_positive_volume()); }

  Real reference(const Material& material, const RealMat3& F) const {
    return reference_energy(GetParam(), kernel_of(material), F) + fiber_reference(material.fiber(), F);
  }
  // Size of second derivatives, the scale for errors.
  double scale(const Mat3& F) const {
    // Energies of foams grow like s^-2 in small stretches, those of the others like ln s.
    const bool foam = GetParam() == "blatz_ko" || GetParam() == "hyperfoam";
    return 10 * (1 + std::pow(F.norm(), 4)) / std::min(1.0, std::pow(stretch(F), foam ? 4 : 2));
  }
  double stretch(const Mat3& F) const {
    return material_.model().requires_positive_volume() ? double(stretches(F.cast<Real>())[2]) : 1.0;
  }
};

// Those whose energy grows with the square of small strains.
class ModelsLinearAtRest : public Models {};
// Those whose energy is finite for J <= 0.
class ModelsOfInvertedStates : public Models {};

TEST_P(Models, EnergyMatchesFormula) {
  std::mt19937 random(1);
  for (const NamedState& state : states()) {
    for (int k = 0; k < 5; ++k) {
      const Mat3 F = random_state(random, state.s);
      for (const Material* m : {&material_, &fibered_})
        EXPECT_NEAR(m->energy(F), double(reference(*m, F.cast<Real>())), 1e-15 * scale(F)) << state.name;
    }
  }
}

TEST_P(Models, StressMatchesDifferencesOfEnergy) {
  std::mt19937 random(2);
  for (const NamedState& state : states()) {
    for (const Material* m : {&material_, &fibered_}) {
      const Mat3 F = random_state(random, state.s);
      const Mat3 P = m->stress(F);
      for (int k = 0; k < 9; ++k) {
        RealMat3 D = RealMat3::Zero();
        D(k / 3, k % 3) = 1;
        const Real h = 2e-4L * std::min(Real(1), Real(stretch(F)));
        const Real expected =
            directional([&](const RealMat3& G) { return reference(*m, G); }, F.cast<Real>().eval(), D, h);
        EXPECT_NEAR(P(k / 3, k % 3), double(expected), 1e-13 * scale(F)) << state.name << ' ' << k;
      }
    }
  }
}

TEST_P(Models, HessianMatchesDifferencesOfStress) {
  std::mt19937 random(3);
  for (const NamedState& state : states()) {
    for (const Material* m : {&material_, &fibered_}) {
      const Mat3 F = random_state(random, state.s);
      const Mat9 H = m->hessian(F, false);
      EXPECT_EQ(H, H.transpose());
      for (int k = 0; k < 9; ++k) {
        Mat3 D = Mat3::Zero();
        D(k / 3, k % 3) = 1;
        const double h = 1e-3 * std::min(1.0, stretch(F));
        const Mat3 column = directional([&](const Mat3& G) { return m->stress(G); }, F, D, h);
        for (int r = 0; r < 9; ++r)
          EXPECT_NEAR(H(r, k), column(r / 3, r % 3), 1e-10 * scale(F)) << state.name << ' ' << r << ' ' << k;
      }
    }
  }
}

TEST_P(Models, ProjectionMatchesNumericEigendecomposition) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0.2, 2.2);
  std::vector<NamedState> all = states();
  for (int k = 0; k < 30; ++k) {
    Vec3 s(uniform(random), uniform(random), uniform(random));
    if (!material_.model().requires_positive_volume() && k % 2) s[2] = -s[2];
    all.push_back({"random", s});
  }
  for (const NamedState& state : all) {
    const Mat3 F = random_state(random, state.s);
    const Mat9 H = material_.hessian(F, false);
    const Eigen::SelfAdjointEigenSolver<Mat9> solver(H);
    const Eigen::Matrix<double, 9, 1> clamped = solver.eigenvalues().cwiseMax(0);
    const Mat9 expected = solver.eigenvectors() * clamped.asDiagonal() * solver.eigenvectors().transpose();
    const double size = std::max(1.0, H.norm());
    EXPECT_LT((material_.hessian(F, true) - expected).norm(), 2e-14 * size) << state.name << ' ' << state.s.transpose();
  }
}

// The sum of two projected terms: at least as large as the exact Hessian and positive semidefinite.
TEST_P(Models, ProjectedHessianWithFiberIsSemidefinite) {
  std::mt19937 random(5);
  for (const NamedState& state : states()) {
    const Mat3 F = random_state(random, state.s);
    const Mat9 projected = fibered_.hessian(F, true), exact = fibered_.hessian(F, false);
    const double size = exact.norm();
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat9>(projected).eigenvalues()[0], -1e-13 * size);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat9>(projected - exact).eigenvalues()[0], -1e-13 * size);
  }
}

TEST_P(Models, ObjectiveAndIsotropic) {
  std::mt19937 random(6);
  for (const NamedState& state : states()) {
    const Mat3 F = random_state(random, state.s), Q = uniform_rotation(random), R = uniform_rotation(random);
    const Mat3 G = Q * F * R.transpose();
    EXPECT_NEAR(material_.energy(F), material_.energy(G), 1e-14 * scale(F)) << state.name;
    EXPECT_LT((Q * material_.stress(F) * R.transpose() - material_.stress(G)).norm(), 1e-13 * scale(F)) << state.name;
    // Kirchhoff stress is symmetric.
    const Mat3 tau = material_.stress(F) * F.transpose();
    EXPECT_LT((tau - tau.transpose()).norm(), 1e-13 * scale(F));
  }
}

TEST_P(Models, RestIsExactlyStressFree) {
  EXPECT_EQ(material_.energy(Mat3::Identity()), 0.0);
  EXPECT_EQ(material_.stress(Mat3::Identity()), Mat3::Zero());
  EXPECT_LT(fibered_.energy(Mat3::Identity()), 1e-30);  // the unit direction is rounded
}

TEST_P(Models, LinearisationIsLame) {
  const auto [lambda, mu] = material_.model().linearized(kernel_of(material_).data());
  Mat9 expected = Mat9::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      expected(4 * i, 4 * j) += lambda;
      expected(3 * i + j, 3 * i + j) += mu;
      expected(3 * i + j, 3 * j + i) += mu;
    }
  EXPECT_LT((material_.hessian(Mat3::Identity(), false) - expected).norm(), 1e-14 * (1 + lambda + mu));
  EXPECT_LT((material_.hessian(Mat3::Identity(), true) - expected).norm(), 1e-14 * (1 + lambda + mu));
  if (GetParam() == "polynomial") {
    EXPECT_EQ(lambda + mu, 0.0);
  }
  if (GetParam() == "mooney_rivlin") {
    EXPECT_DOUBLE_EQ(mu, 2 * (1.3 + 0.4));
    EXPECT_DOUBLE_EQ(lambda, 3.1 + 4 * 0.4);
  }
}

// Near rest the energy keeps its leading digits: relative error about rounding / strain, not rounding / strain^2.
TEST_P(ModelsLinearAtRest, SmallStrainEnergyKeepsItsDigits) {
  std::mt19937 random(7);
  for (double strain : {1e-3, 1e-6, 1e-8}) {
    for (int k = 0; k < 10; ++k) {
      Mat3 F = random_state(random, Vec3::Ones() + strain * Vec3(0.9, 0.2, -0.7));
      const Real expected = reference_energy(GetParam(), kernel_of(material_), F.cast<Real>());
      // The reference itself cancels at 1e-19.
      const double tolerance = 2e-15 * strain + 1e-18;
      EXPECT_NEAR(material_.energy(F), double(expected), 20 * tolerance) << strain;
    }
  }
}

TEST_P(Models, StiffnessScalesExactly) {
  std::mt19937 random(8);
  UserParameters scaled = sample_parameters(GetParam());
  for (const ParameterInfo& info : material_.model().parameters()) {
    if (info.unit == "Pa" && scaled.contains(info.name)) scaled[info.name][0] *= 0x1p20;
  }
  const Material stiff(sample_model(GetParam(), 0x1p20), scaled);
  for (const NamedState& state : states()) {
    const Mat3 F = random_state(random, state.s);
    EXPECT_EQ(stiff.energy(F), 0x1p20 * material_.energy(F));
    EXPECT_EQ(stiff.stress(F), 0x1p20 * material_.stress(F));
    EXPECT_EQ(stiff.hessian(F, true), 0x1p20 * material_.hessian(F, true));
  }
}

TEST_P(Models, DomainIsRespected) {
  std::mt19937 random(9);
  const Mat3 inverted = random_state(random, {1.2, 1.0, -0.3});
  const bool infinite = std::isinf(material_.energy(inverted));
  EXPECT_EQ(infinite, material_.model().requires_positive_volume());
  if (infinite) {
    EXPECT_EQ(material_.energy(Mat3(Vec3(1, 1, 0).asDiagonal())), std::numeric_limits<double>::infinity());
  } else {
    EXPECT_TRUE(std::isfinite(material_.energy(Mat3::Zero())));
    EXPECT_TRUE(material_.stress(Mat3::Zero()).allFinite());
  }
}

// Opposite stretches: W of some models has a kink; the exact Hessian stays finite and the projected one bounded.
TEST_P(ModelsOfInvertedStates, OppositeStretches) {
  const Mat3 F = Vec3(1.5, 0.8, -0.8).asDiagonal();
  EXPECT_TRUE(material_.hessian(F, false).allFinite());
  EXPECT_LT(material_.hessian(F, true).norm(), 100);
}

TEST_P(Models, BatchesOfAnySizeAgreeWithSingleMatrices) {
  std::mt19937 random(10);
  const std::size_t n = 3 * lane_count + 1;
  std::vector<double> F(9 * n), W(n), P(9 * n), H(81 * n);
  std::vector<Mat3> matrices;
  for (std::size_t i = 0; i < n; ++i) {
    matrices.push_back(random_state(random, {1.3, 1.1, 0.6}));
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(F.data() + 9 * i) = matrices[i];
  }
  fibered_.energy(F, W);
  fibered_.stress(F, P);
  fibered_.hessian(F, true, H);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(W[i], fibered_.energy(matrices[i]));
    EXPECT_EQ((Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(P.data() + 9 * i)),
              fibered_.stress(matrices[i]));
    EXPECT_EQ((Eigen::Map<Mat9>(H.data() + 81 * i)), fibered_.hessian(matrices[i], true));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Models, testing::ValuesIn(model_names()), [](const auto& info) { return info.param; });

template <class Condition>
std::vector<std::string> names_where(Condition&& condition) {
  std::vector<std::string> names = model_names();
  std::erase_if(names, [&](const std::string& name) { return !condition(name); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, ModelsLinearAtRest,
                         testing::ValuesIn(names_where([](const std::string& name) { return name != "polynomial"; })),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(All, ModelsOfInvertedStates, testing::ValuesIn(names_where([](const std::string& name) {
                           return !find_material_model(name).requires_positive_volume();
                         })),
                         [](const auto& info) { return info.param; });

TEST(FiberTerm, VanishingLength) {
  const Material m("arap", {{"mu", {1e-6}}}, FiberParameters{3.0, {1, 0, 0}});
  const Mat3 F = Vec3(0, 1, 1).asDiagonal();
  EXPECT_NEAR(m.energy(F), 1.5, 1e-5);
  EXPECT_TRUE(m.stress(F).allFinite());
  EXPECT_TRUE(m.hessian(F, false).allFinite());
  EXPECT_LT(m.hessian(F, true).norm(), 1e-4);
}

TEST(FiberTerm, EigenvaluesOfTheHessian) {
  const Material with("arap", {{"mu", {1.0}}}, FiberParameters{3.0, {0, 2, 0}}), without("arap", {{"mu", {1.0}}});
  std::mt19937 random(3);
  for (double stretch : {0.6, 1.0, 1.7}) {
    const Mat3 F = uniform_rotation(random) * Vec3(1.1, stretch, 0.9).asDiagonal();
    for (bool psd : {false, true}) {
      const Mat9 H = with.hessian(F, psd) - without.hessian(F, psd);
      auto eigenvalues = Eigen::SelfAdjointEigenSolver<Mat9>(H).eigenvalues().eval();
      std::vector<double> expected(9, 0.0);
      const double side = 3.0 * (1 - 1 / stretch);
      expected[0] = 3.0;
      expected[1] = expected[2] = psd ? std::max(0.0, side) : side;
      std::sort(expected.begin(), expected.end());
      for (int k = 0; k < 9; ++k) EXPECT_NEAR(eigenvalues[k], expected[k], 1e-13);
    }
  }
}

}  // namespace
}  // namespace sinew::test

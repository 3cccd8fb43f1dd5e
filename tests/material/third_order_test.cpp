// The second derivative of the stress at rest against differences of Hessians, for every model and for fibers.
#include "sinew/material/third_order.h"

#include "reference.h"
#include <gtest/gtest.h>

namespace sinew::test {
namespace {

class ThirdOrder : public testing::TestWithParam<std::string> {};

// [H(I + h A) - H(I - h A)] : B / 2h of fourth order.
Mat3 difference(const Material& material, const Mat3& A, const Mat3& B) {
  const double h = 2e-3;
  const auto product = [&](double t) {
    using Row = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Row b = B;
    const Eigen::Matrix<double, 9, 1> p = material.hessian(Mat3(Mat3::Identity() + t * A), false) *
                                          Eigen::Map<const Eigen::Matrix<double, 9, 1>>(b.data());
    return Mat3(Eigen::Map<const Row>(p.data()));
  };
  return (8 * (product(h) - product(-h)) - (product(2 * h) - product(-2 * h))) / (12 * h);
}

TEST_P(ThirdOrder, StressIsTheDerivativeOfTheHessian) {
  const Material plain(sample_model(GetParam()), sample_parameters(GetParam()));
  const Material fibered(sample_model(GetParam()), sample_parameters(GetParam()), FiberParameters{2.7, {1, -2, 0.5}});
  const ThirdOrderConstants constants = third_order_constants(plain.model(), plain.kernel_parameters());
  std::srand(1);
  for (int trial = 0; trial < 5; ++trial) {
    const Mat3 A = Mat3::Random(), B = Mat3::Random();
    for (const Material* m : {&plain, &fibered}) {
      using Row = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
      const Row a = A, b = B;
      Row p;
      second_stress(constants, a.data(), b.data(), p.data());
      if (m->fiber())
        add_second_fiber_stress(m->fiber()->stiffness, m->fiber()->direction.data(), a.data(), b.data(), p.data());
      const Mat3 expected = difference(*m, A, B);
      EXPECT_LT((p - expected).norm(), 1e-8 * (1 + expected.norm())) << GetParam() << "\n" << p << "\n\n" << expected;
    }
  }
}

// A rotation of the frame turns what a displacement gradient does: with A = W skew, the stress of the small strain b
// turns, P_ab = W (C:b) - and its strain C:sym(W^T B).
TEST_P(ThirdOrder, OfTwoRotationsIsThatOfTheirSquare) {
  const Material material(sample_model(GetParam()), sample_parameters(GetParam()));
  const ThirdOrderConstants c = third_order_constants(material.model(), material.kernel_parameters());
  const Mat3 W = (Mat3() << 0, -3, 2, 3, 0, -1, -2, 1, 0).finished();
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> w = W, p;
  second_stress(c, w.data(), w.data(), p.data());
  const Mat3 e = W.transpose() * W;  // the strain of I + t W is t^2 W^T W / 2
  const Mat3 expected = c.lambda * e.trace() * Mat3::Identity() + 2 * c.mu * e;
  EXPECT_LE((p - expected).norm(), 1e-12 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(All, ThirdOrder, testing::ValuesIn(model_names()));

}  // namespace
}  // namespace sinew::test

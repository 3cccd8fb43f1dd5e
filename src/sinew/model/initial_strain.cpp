#include "sinew/model/initial_strain.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/core/error.h"
#include "sinew/material/hencky.h"
#include "sinew/material/model.h"
#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

// XX YY ZZ XY YZ XZ
Mat3 symmetric(const MatX& columns, std::size_t entry) {
  const VecX v = columns.col(columns.cols() == 1 ? 0 : static_cast<Eigen::Index>(entry));
  return Mat3{{v[0], v[3], v[5]}, {v[3], v[1], v[4]}, {v[5], v[4], v[2]}};
}

// Logarithmic strains l with the principal Cauchy stresses T_i(l) / J = stress_i, by Newton's method: with r_i = T_i -
// J stress_i, dr_i/dl_j = s_i s_j w_ij + delta_ij T_i - J stress_i. Steps are halved until |r| falls.
bool find_strain(const MaterialModel& model, const double* parameters, const Vec3& stress, Vec3& l) {
  Lanes kernel[MaterialModel::max_kernel_parameters];
  for (int k = 0; k < model.kernel_parameter_count(); ++k) kernel[k] = Lanes(parameters[k]);
  Mat3 slope;
  const auto residual = [&](const Vec3& at) {
    Lanes s[3];
    for (int i = 0; i < 3; ++i) s[i] = Lanes(std::exp(at[i]));
    StretchDerivatives<Lanes> w;
    model.evaluate(s, kernel, Order::hessian, w);
    const double J = std::exp(at.sum());
    Vec3 r;
    for (int i = 0; i < 3; ++i) {
      const double T = s[i][0] * w.first[i][0];
      r[i] = T - J * stress[i];
      for (int j = 0; j < 3; ++j) {
        const double second = i == j ? w.diagonal[i][0] : w.mixed[3 - i - j][0];
        slope(i, j) = s[i][0] * s[j][0] * second + (i == j ? T : 0) - J * stress[i];
      }
    }
    return r;
  };
  l.setZero();
  constexpr int most_iterations = 100;
  Vec3 r = residual(l);
  for (int k = 0; k < most_iterations; ++k) {
    if (r.norm() <= 1e-14 * stress.norm()) return true;
    const Vec3 step = slope.partialPivLu().solve(-r);
    if (!step.allFinite()) return false;
    double part = 1;
    Vec3 next;
    for (; part > 1e-6; part /= 2) {
      next = residual(l + part * step);
      if (next.allFinite() && next.norm() < r.norm()) break;
    }
    if (!(part > 1e-6)) return r.norm() <= 1e-9 * stress.norm();
    l += part * step;
    r = next;
  }
  return false;
}

}  // namespace

RowMat3 initial_stretch(const MaterialAssignment& material, std::size_t entry) {
  const bool stressed = material.initial_stress.cols() > 0;
  const Mat3 given = symmetric(stressed ? material.initial_stress : material.initial_strain, entry);
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(given);
  Vec3 l = axes.eigenvalues();
  static const Hencky elastic;  // what flows is elastic as a mesh that has not flowed
  const MaterialModel& model = material.model->plastic() ? elastic : *material.model;
  if (stressed && !find_strain(model, element_parameters(material, entry).kernel, axes.eigenvalues(), l))
    fail_input(
        code::material_value,
        "material '{}': initial_stress: no strain has the principal stresses {:g}, {:g} and {:g} Pa; give smaller "
        "ones",
        material.name, axes.eigenvalues()[0], axes.eigenvalues()[1], axes.eigenvalues()[2]);
  return axes.eigenvectors() * l.array().exp().matrix().asDiagonal() * axes.eigenvectors().transpose();
}

}  // namespace sinew

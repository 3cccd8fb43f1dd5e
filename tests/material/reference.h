// Plain long double energies, written from the formulas of the methods page, and sample states for the tests.
#pragma once

#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "sinew/material/material.h"
#include "sinew/material/registry.h"

namespace sinew::test {

using Real = long double;
using RealMat3 = Eigen::Matrix<Real, 3, 3>;
using RealVec3 = Eigen::Matrix<Real, 3, 1>;

// Signed singular values.
inline RealVec3 stretches(const RealMat3& F) {
  RealVec3 s = Eigen::JacobiSVD<RealMat3>(F).singularValues();
  if (F.determinant() < 0) s[2] = -s[2];
  return s;
}

inline Real sum_squares(const RealVec3& s) {
  return s.squaredNorm();
}

// k: lambda, mu, or the model's own parameters.
inline Real reference_energy(const std::string& model, const std::vector<double>& k, const RealMat3& F) {
  const RealVec3 s = stretches(F), e = s.array() - 1;
  const Real I1 = s.squaredNorm(), J = F.determinant();
  if (model == "arap") return k[0] * e.squaredNorm();
  if (model == "polynomial") return k[0] * e.array().pow(4).sum();
  if (model == "mooney_rivlin") {
    const Real I2 = s[0] * s[0] * s[1] * s[1] + s[0] * s[0] * s[2] * s[2] + s[1] * s[1] * s[2] * s[2];
    const Real c10 = k[0], c01 = k[1], L = std::log(J);
    return c10 * (I1 - 3) + c01 * (I2 - 3) - 2 * (c10 + 2 * c01) * L + k[2] / 2 * L * L;
  }
  const Real lambda = k[0], mu = k[1];
  if (model == "neo_hookean") return mu / 2 * (I1 - 3) - mu * std::log(J) + lambda / 2 * std::log(J) * std::log(J);
  if (model == "stable_neo_hookean") {
    const Real m = 4 * mu / 3, l = lambda + 5 * mu / 6, alpha = 1 + 3 * m / (4 * l);
    return m / 2 * (I1 - 3) + l / 2 * ((J - alpha) * (J - alpha) - (1 - alpha) * (1 - alpha)) -
           m / 2 * std::log((I1 + 1) / 4);
  }
  if (model == "fixed_corotated") return mu * e.squaredNorm() + lambda / 2 * (J - 1) * (J - 1);
  if (model == "corotated") return mu * e.squaredNorm() + lambda / 2 * e.sum() * e.sum();
  if (model == "stvk") {
    const RealMat3 E = (F.transpose() * F - RealMat3::Identity()) / 2;
    return mu * E.squaredNorm() + lambda / 2 * E.trace() * E.trace();
  }
  throw std::logic_error("no reference for " + model);
}

inline UserParameters sample_parameters(const std::string& model) {
  if (model == "mooney_rivlin") return {{"c10", {1.3}}, {"c01", {0.4}}, {"kappa", {3.1}}};
  if (model == "polynomial" || model == "arap") return {{"mu", {1.7}}};
  return {{"lambda", {2.3}}, {"mu", {1.4}}};
}

inline Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

inline Mat3 random_state(std::mt19937& random, const Vec3& s) {
  const Mat3 U = random_rotation(random), V = random_rotation(random);
  return U * s.asDiagonal() * V.transpose();
}

struct NamedState {
  std::string name;
  Vec3 s;
  bool smooth = true;  // false where a pair of stretches is opposite
};

inline std::vector<NamedState> sample_states(bool positive_only) {
  std::vector<NamedState> states{{"rest", {1, 1, 1}},
                                 {"generic", {1.6, 1.1, 0.7}},
                                 {"two equal", {1.3, 1.3, 0.8}},
                                 {"two equal small", {1.5, 0.7, 0.7}},
                                 {"all equal", {0.8, 0.8, 0.8}},
                                 {"nearly equal", {1.2, 1.2 - 1e-9, 1.2 - 3e-9}},
                                 {"flat", {1.4, 1.2, 0.05}},
                                 {"large", {4.0, 2.5, 1.5}}};
  if (!positive_only) {
    states.push_back({"inverted", {1.5, 1.1, -0.6}});
    states.push_back({"inverted two equal", {1.4, 1.4, -0.3}});
    states.push_back({"collapsed", {1.2, 0.9, 0.0}});
  }
  return states;
}

}  // namespace sinew::test

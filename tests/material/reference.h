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

// Points of the spline model away from the stretches of the sample states and their products, so that W is smooth
// there; all of its derivatives at rest are of the size of those of the others. a'(1) + 2 b'(1) + c'(1) is mended.
inline UserCurves sample_curves(double scale = 1) {
  UserCurves curves;
  curves.points["a"] = {{0.31, 0.77, 1.03, 1.27, 2.2}, {-3.1, -0.7, 0.4, 1.2, 3.1}};
  curves.points["b"] = {{0.44, 0.91, 1.29, 3.1}, {-0.6, 0.1, 0.5, 0.9}};
  curves.points["c"] = {{0.21, 0.61, 1.5, 5.1}, {-4.0, -2.0, 0.5, 3.5}};
  for (auto& [name, points] : curves.points)
    for (double& dy : points.dy) dy *= scale;
  curves.mend_rest = true;
  return curves;
}

// Three terms with exponents of both signs; one of the foam's has no lateral stretch.
inline UserCurves sample_data(const std::string& model, double scale = 1) {
  if (model == "spline") return sample_curves(scale);
  UserCurves data;
  data.lists["mu"] = {0.9 * scale, 0.3 * scale, 0.2 * scale};
  data.lists["alpha"] = {1.7, -2.0, 4.0};
  if (model == "hyperfoam") {
    data.lists["alpha"][2] = 2.5;
    data.lists["poisson"] = {0.3, 0.0, 0.2};
  }
  return data;
}

// y' through control points in Hermite form, written out as in the literature: value, slope and integral from 1.
template <class R>
class ReferenceCurve {
 public:
  explicit ReferenceCurve(const ControlPoints& points, R shift = 0) {
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      x_.push_back(points.x[i]);
      y_.push_back(points.dy[i] + shift);
    }
    const std::size_t n = x_.size();
    std::vector<R> h(n - 1), D(n - 1);
    for (std::size_t i = 0; i + 1 < n; ++i) h[i] = x_[i + 1] - x_[i], D[i] = (y_[i + 1] - y_[i]) / h[i];
    m_.assign(n, D[0]);
    if (n == 2) return;
    for (std::size_t i = 1; i + 1 < n; ++i) {
      // Fritsch and Butland: 1/m = share/D_before + (1 - share)/D_after.
      const R share = (h[i - 1] + 2 * h[i]) / (3 * (h[i - 1] + h[i]));
      m_[i] = D[i - 1] * D[i] <= 0 ? R(0) : D[i - 1] * D[i] / (share * D[i] + (1 - share) * D[i - 1]);
    }
    m_[0] = end_slope(h[0], h[1], D[0], D[1]);
    m_[n - 1] = end_slope(h[n - 2], h[n - 3], D[n - 2], D[n - 3]);
  }

  R value(R x) const {
    const auto [i, h, t] = place(x);
    if (i < 0) return y_.front() + m_.front() * (x - x_.front());
    if (i + 1 >= int(x_.size())) return y_.back() + m_.back() * (x - x_.back());
    return y_[i] * (1 + 2 * t) * (1 - t) * (1 - t) + h * m_[i] * t * (1 - t) * (1 - t) +
           y_[i + 1] * t * t * (3 - 2 * t) + h * m_[i + 1] * t * t * (t - 1);
  }
  R slope(R x) const {
    const auto [i, h, t] = place(x);
    if (i < 0) return m_.front();
    if (i + 1 >= int(x_.size())) return m_.back();
    return 6 * t * (t - 1) * (y_[i] - y_[i + 1]) / h + (1 - t) * (1 - 3 * t) * m_[i] + t * (3 * t - 2) * m_[i + 1];
  }
  // Simpson's rule is exact for cubics: between the points of which 1 and x are two.
  R integral(R x) const {
    std::vector<R> at{x < 1 ? x : R(1), x < 1 ? R(1) : x};
    for (const R knot : x_)
      if (knot > at.front() && knot < at.back()) at.insert(at.end() - 1, knot);
    R sum = 0;
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
      sum += (at[i + 1] - at[i]) * (value(at[i]) + 4 * value((at[i] + at[i + 1]) / 2) + value(at[i + 1])) / 6;
    return x < 1 ? -sum : sum;
  }

 private:
  struct Place {
    int i;
    R h, t;
  };
  Place place(R x) const {
    int i = -1;
    while (i + 1 < int(x_.size()) && x_[i + 1] <= x) ++i;
    if (i < 0 || i + 1 >= int(x_.size())) return {i, 0, 0};
    const R h = x_[i + 1] - x_[i];
    return {i, h, (x - x_[i]) / h};
  }
  static R end_slope(R h0, R h1, R D0, R D1) {
    const R m = ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1);
    if (m * D0 <= 0) return 0;
    return D0 * D1 < 0 && m * m > 9 * D0 * D0 ? 3 * D0 : m;
  }

  std::vector<R> x_, y_, m_;
};

// a', b' and c' of given curves.
template <class R>
struct ReferenceSpline {
  std::vector<ReferenceCurve<R>> curves;

  explicit ReferenceSpline(const UserCurves& user) {
    R stress = 0;
    for (const char* name : {"a", "b", "c"}) {
      const auto found = user.points.find(name);
      ControlPoints points{{1, 2}, {0, 0}};
      if (found != user.points.end()) points = found->second;
      curves.emplace_back(points);
      stress += (*name == 'b' ? 2 : 1) * curves.back().value(1);
    }
    const bool has_c = user.points.contains("c");
    if (user.mend_rest) {
      const char* shifted = has_c ? "c" : "a";
      curves[has_c ? 2 : 0] = ReferenceCurve<R>(user.points.at(shifted), -stress);
    }
  }

  R energy(const R* s) const {
    R w = curves[2].integral(s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; ++i) w += curves[0].integral(s[i]) + curves[1].integral(s[i] * s[(i + 1) % 3]);
    return w;
  }
};

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
  const Real isochoric = I1 * std::pow(J, Real(-2) / 3), x = isochoric - 3, L2 = std::log(J) * std::log(J) / 2;
  if (model == "yeoh") return k[1] * x + k[2] * x * x + k[3] * x * x * x + k[0] * L2;
  if (model == "gent") return -k[1] * k[2] / 2 * std::log(1 - x / k[2]) + k[0] * L2;
  if (model == "arruda_boyce") {
    const Real series[] = {1.0L / 2, 1.0L / 20, 11.0L / 1050, 19.0L / 7000, 519.0L / 673750};
    Real w = 0;
    for (int n = 1; n <= 5; ++n)
      w += k[1] * series[n - 1] * std::pow(Real(k[2]), n - 1) * (std::pow(isochoric, n) - std::pow(Real(3), n));
    return w + k[0] * L2;
  }
  if (model == "blatz_ko") {
    Real squares = 0;
    for (int i = 0; i < 3; ++i) squares += 1 / (s[i] * s[i]);
    return k[0] / 2 * (squares + 2 * J - 5);
  }
  if (model == "ogden" || model == "hyperfoam") {
    const UserCurves data = sample_data(model);
    Real w = model == "ogden" ? k[0] * L2 : 0;
    for (std::size_t p = 0; p < data.lists.at("mu").size(); ++p) {
      const Real mu = data.lists.at("mu")[p], alpha = data.lists.at("alpha")[p];
      const Real size = model == "ogden" ? std::pow(J, Real(-1) / 3) : 1;
      Real sum = -3;
      for (int i = 0; i < 3; ++i) sum += std::pow(size * s[i], alpha);
      if (model == "hyperfoam") {
        const Real nu = data.lists.at("poisson")[p], beta = nu / (1 - 2 * nu);
        sum += beta == 0 ? -alpha * std::log(J) : (std::pow(J, -alpha * beta) - 1) / beta;
      }
      w += 2 * mu / (alpha * alpha) * sum;
    }
    return w;
  }
  if (model == "spline") {
    static const ReferenceSpline<Real> spline(sample_curves());
    return spline.energy(s.data());
  }
  const Real lambda = k[0], mu = k[1];
  if (model == "hencky") {
    const RealVec3 l = s.array().log();
    return mu * l.squaredNorm() + lambda / 2 * l.sum() * l.sum();
  }
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
  if (model == "polynomial" || model == "arap" || model == "blatz_ko") return {{"mu", {1.7}}};
  if (model == "spline" || model == "hyperfoam") return {};
  if (model == "yeoh") return {{"c10", {0.8}}, {"c20", {-0.05}}, {"c30", {0.02}}, {"bulk", {3.4}}};
  if (model == "gent") return {{"mu", {1.4}}, {"jm", {300}}, {"bulk", {3.4}}};
  if (model == "arruda_boyce") return {{"mu", {1.1}}, {"locking", {2.5}}, {"bulk", {3.4}}};
  if (model == "ogden") return {{"bulk", {3.4}}};
  if (model == "holzapfel_gasser_ogden")
    return {{"mu", {1.1}}, {"k1", {0.8}}, {"k2", {0.5}}, {"dispersion", {0.1}}, {"bulk", {3.4}}};
  return {{"lambda", {2.3}}, {"mu", {1.4}}};
}

inline std::vector<Vec3> sample_families(const std::string& model) {
  if (model != "holzapfel_gasser_ogden") return {};
  return {Vec3(1, 0.4, 0).normalized(), Vec3(1, -0.4, 0.1).normalized()};
}

// Families of fibers have tests of their own (fiber_family_test.cpp): at rest they are about to slacken.
inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const MaterialModel* model : material_models())
    if (model->family_parameter() < 0) names.push_back(model->name());
  return names;
}

// Stiffnesses times `scale`.
inline SharedModel sample_model(const std::string& name, double scale = 1) {
  const SharedModel model = shared_material_model(name);
  return model->needs_data() ? model->with_curves(sample_data(name, scale)) : model;
}

inline Mat3 uniform_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

inline Mat3 random_state(std::mt19937& random, const Vec3& s) {
  const Mat3 U = uniform_rotation(random), V = uniform_rotation(random);
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

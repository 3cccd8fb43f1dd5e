#include "sinew/mesh/quadratic_face.h"

#include <cmath>

#include <Eigen/Geometry>

namespace sinew {
namespace {

// Shape functions of the triangle and their derivatives at a point, with its share of the unit triangle.
struct FacePoint {
  double weight = 0;
  std::array<double, 6> shape{}, along[2]{};
};

FacePoint face_point(double u, double v, double weight) {
  const double l[3] = {1 - u - v, u, v};
  constexpr double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  FacePoint p;
  p.weight = weight;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    p.shape[i] = l[i] * (2 * l[i] - 1);
    p.shape[3 + i] = 4 * l[i] * l[j];
    for (int k = 0; k < 2; ++k) {
      p.along[k][i] = (4 * l[i] - 1) * slope[i][k];
      p.along[k][3 + i] = 4 * (l[i] * slope[j][k] + l[j] * slope[i][k]);
    }
  }
  return p;
}

// Radon's rule of degree 5 (Dunavant 1985): exact for volumes, which are of degree 4.
const std::array<FacePoint, 7>& face_points() {
  static const std::array<FacePoint, 7> points = [] {
    const double root = std::sqrt(15.0);
    const double near = (6 - root) / 21, far = (6 + root) / 21;
    const double of_near = (155 - root) / 2400, of_far = (155 + root) / 2400;
    return std::array<FacePoint, 7>{face_point(1.0 / 3, 1.0 / 3, 9.0 / 80),
                                    face_point(near, near, of_near),
                                    face_point(1 - 2 * near, near, of_near),
                                    face_point(near, 1 - 2 * near, of_near),
                                    face_point(far, far, of_far),
                                    face_point(1 - 2 * far, far, of_far),
                                    face_point(far, 1 - 2 * far, of_far)};
  }();
  return points;
}

Vec3 area_vector(const FacePoint& p, const FaceNodes& x) {
  Vec3 along[2] = {Vec3::Zero(), Vec3::Zero()};
  for (int a = 0; a < 6; ++a)
    for (int k = 0; k < 2; ++k) along[k] += p.along[k][a] * x[a];
  return along[0].cross(along[1]);
}

}  // namespace

std::array<double, 6> node_areas(const FaceNodes& x) {
  std::array<double, 6> areas{};
  for (const FacePoint& p : face_points()) {
    const double area = p.weight * area_vector(p, x).norm();
    for (int a = 0; a < 6; ++a) areas[a] += area * p.shape[a];
  }
  return areas;
}

std::array<Vec3, 6> node_area_vectors(const FaceNodes& x) {
  std::array<Vec3, 6> vectors;
  vectors.fill(Vec3::Zero());
  for (const FacePoint& p : face_points()) {
    const Vec3 area = p.weight * area_vector(p, x);
    for (int a = 0; a < 6; ++a) vectors[a] += p.shape[a] * area;
  }
  return vectors;
}

// 1/3 of the integral of x . (x_u x x_v): sum over the orders of a, b, c of their sign times N_a N_b,u N_c,v.
const std::vector<FaceTriple>& face_triples() {
  static const std::vector<FaceTriple> triples = [] {
    std::vector<FaceTriple> list;
    const auto integral = [](int a, int b, int c) {
      double sum = 0;
      for (const FacePoint& p : face_points()) sum += p.weight * p.shape[a] * p.along[0][b] * p.along[1][c];
      return sum;
    };
    for (int a = 0; a < 6; ++a)
      for (int b = a + 1; b < 6; ++b)
        for (int c = b + 1; c < 6; ++c) {
          const double even = integral(a, b, c) + integral(b, c, a) + integral(c, a, b);
          const double odd = integral(a, c, b) + integral(c, b, a) + integral(b, a, c);
          const double volume = (even - odd) / 3;
          if (std::abs(volume) > 1e-14) list.push_back({a, b, c, volume});
        }
    return list;
  }();
  return triples;
}

}  // namespace sinew

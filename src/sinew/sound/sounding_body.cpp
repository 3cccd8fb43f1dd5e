#include "sinew/sound/sounding_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/SVD>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr double stale_turn = 0.01;    // between tap rows [rad]
constexpr double stale_shift = 0.003;  // between tap rows, of the distance
constexpr Index spare_taps = 2;        // for the interpolation, and for bodies that have stretched

// Weights of the samples k - 1 to k + 2 for a place k + u: the cubic through them.
std::array<double, 4> cubic_weights(double u) {
  return {-u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2, -(u + 1) * u * (u - 2) / 2,
          (u + 1) * u * (u - 1) / 6};
}

SoundingBody make_body(const System& system, const Tets& tets, Index body) {
  SoundingBody made;
  made.body = body;
  made.vertices = used_vertices(tets);
  double mass = 0;
  const auto mass_of = [&](Index v) { return v < system.dynamic_count ? system.mass[v] : 0.0; };
  for (const Index v : made.vertices) {
    mass += mass_of(v);
    made.center += mass_of(v) * system.rest.col(v);
  }
  made.center /= mass;
  made.offsets.resize(3, static_cast<Eigen::Index>(made.vertices.size()));
  for (std::size_t i = 0; i < made.vertices.size(); ++i) {
    const Index v = made.vertices[i];
    made.share.push_back(mass_of(v) / mass);
    made.offsets.col(static_cast<Eigen::Index>(i)) = system.rest.col(v) - made.center;
  }

  const Triangles triangles = boundary_triangles(tets);
  made.surface = used_vertices(triangles);
  const auto m = static_cast<Eigen::Index>(made.surface.size());
  made.places.resize(3, m);
  made.areas.setZero(3, m);
  const auto local = [&](Index v) { return std::ranges::lower_bound(made.surface, v) - made.surface.begin(); };
  for (Eigen::Index i = 0; i < m; ++i)
    made.places.col(i) = system.rest.col(made.surface[static_cast<std::size_t>(i)]) - made.center;
  for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
    const Vec3 a = system.rest.col(triangles(0, t)), b = system.rest.col(triangles(1, t)),
               c = system.rest.col(triangles(2, t));
    const Vec3 third = (b - a).cross(c - a) / 6;
    for (int k = 0; k < 3; ++k) made.areas.col(local(triangles(k, t))) += third;
  }
  const double radius = made.places.colwise().norm().maxCoeff();
  made.half_taps = static_cast<Index>(std::ceil(radius / speed_of_sound * sample_rate)) + spare_taps;
  return made;
}

}  // namespace

std::vector<SoundingBody> sounding_bodies(const System& system) {
  const Tets tets = system.tets.leftCols(system.elastic_tet_count());
  const Components components = connected_components(tets);
  std::vector<std::vector<Index>> of_component(static_cast<std::size_t>(components.count));
  for (Eigen::Index t = 0; t < tets.cols(); ++t)
    of_component[static_cast<std::size_t>(components.labels[static_cast<std::size_t>(t)])].push_back(
        static_cast<Index>(t));
  std::vector<SoundingBody> bodies;
  for (const std::vector<Index>& own : of_component) {
    Tets part(4, static_cast<Eigen::Index>(own.size()));
    for (std::size_t t = 0; t < own.size(); ++t) part.col(static_cast<Eigen::Index>(t)) = tets.col(own[t]);
    bodies.push_back(make_body(system, part, system.tet_body[static_cast<std::size_t>(own.front())]));
  }
  return bodies;
}

// The centre of mass, and the moments sum_v share_v x_v (X_v - c)_j over the extent of the body.
std::vector<SoundRow> pose_rows(const SoundingBody& body) {
  std::vector<SoundRow> rows(4);
  const double extent = body.offsets.colwise().norm().maxCoeff();
  for (std::size_t i = 0; i < body.vertices.size(); ++i) {
    rows[0].emplace_back(body.vertices[i], body.share[i]);
    for (int j = 0; j < 3; ++j)
      rows[static_cast<std::size_t>(j) + 1].emplace_back(
          body.vertices[i], body.share[i] * body.offsets(j, static_cast<Eigen::Index>(i)) / extent);
  }
  return rows;
}

// The rotation R that is nearest to the moments: with the singular value decomposition A = U S V^T it is U V^T, with
// det R = 1.
BodyFrame pose(const Points& points) {
  BodyFrame frame;
  frame.center = points.col(0);
  const Mat3 A = points.middleCols<3>(1);
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 U = svd.matrixU();
  const Mat3 V = svd.matrixV();
  if ((U * V.transpose()).determinant() < 0) U.col(2) *= -1;
  frame.rotation = U * V.transpose();
  return frame;
}

// 1. Each vertex has the weight rho / (4 pi r) a_v at the delay (r - r_c) / c, in samples.
// 2. The cubic through four samples splits the delay into four taps.
// 3. Taps without a vertex are left out.
TapRows tap_rows(const SoundingBody& body, const BodyFrame& frame, const Listener& listener) {
  const Index taps = body.tap_count();
  std::vector<std::array<SoundRow, 3>> of_tap(2 * static_cast<std::size_t>(taps));
  for (int ear = 0; ear < 2; ++ear) {
    const double r_c = listener.distance(ear, frame.center);
    for (Eigen::Index i = 0; i < body.places.cols(); ++i) {
      const double r = listener.distance(ear, frame.center + frame.rotation * body.places.col(i));
      const Vec3 flow = air_density / (4 * std::numbers::pi * r) * (frame.rotation * body.areas.col(i));
      const double delay = std::clamp((r - r_c) / speed_of_sound * sample_rate + static_cast<double>(body.half_taps),
                                      1.0, static_cast<double>(taps - 3));
      const auto k = static_cast<Index>(delay);
      const std::array<double, 4> weights = cubic_weights(delay - static_cast<double>(k));
      for (int j = 0; j < 4; ++j) {
        const double weight = weights[static_cast<std::size_t>(j)];
        if (weight == 0) continue;
        auto& rows = of_tap[static_cast<std::size_t>(ear * taps + k - 1 + j)];
        for (int axis = 0; axis < 3; ++axis) {
          const double part = weight * flow[axis];
          if (part != 0)
            rows[static_cast<std::size_t>(axis)].emplace_back(body.surface[static_cast<std::size_t>(i)], part);
        }
      }
    }
  }
  TapRows made;
  for (std::size_t tap = 0; tap < of_tap.size(); ++tap) {
    if (std::ranges::all_of(of_tap[tap], [](const SoundRow& row) { return row.empty(); })) continue;
    made.taps.push_back(static_cast<Index>(tap));
    for (SoundRow& row : of_tap[tap]) {
      if (row.empty()) row.emplace_back(body.surface.front(), 0.0);  // a point needs a vertex
      made.rows.push_back(std::move(row));
    }
  }
  return made;
}

bool has_moved(const BodyFrame& before, const BodyFrame& now, const Listener& listener) {
  const double turn = (now.rotation - before.rotation).norm() / std::numbers::sqrt2;
  const double distance = std::min(listener.distance(0, now.center), listener.distance(1, now.center));
  return turn > stale_turn || (now.center - before.center).norm() > stale_shift * distance;
}

}  // namespace sinew

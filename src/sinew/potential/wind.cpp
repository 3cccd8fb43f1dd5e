#include "sinew/potential/wind.h"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "sinew/core/parallel.h"
#include "sinew/core/random_stream.h"

namespace sinew {
namespace {

constexpr int turbulence_modes = 32;

// A normally distributed number (Box and Muller 1958).
double normal_number(RandomStream& random) {
  const double radius = std::sqrt(-2 * std::log(random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

Vec3 normal_vector(RandomStream& random) {
  const double x = normal_number(random), y = normal_number(random);
  return {x, y, normal_number(random)};
}

}  // namespace

// Vectors across k: xi x k / |k| with xi of normal numbers. The mean square over space of a mode is (|a|^2 + |b|^2) /
// 2; their sum is scaled to three times the square of the intensity.
Turbulence::Turbulence(const WindSetup& wind) {
  if (wind.intensity == 0) return;
  RandomStream random(static_cast<std::uint64_t>(wind.seed), 0);
  double square = 0;
  for (int i = 0; i < turbulence_modes; ++i) {
    Mode& mode = modes_.emplace_back();
    mode.k = normal_vector(random) / wind.length;
    const Vec3 along = mode.k.normalized();
    mode.a = normal_vector(random).cross(along);
    mode.b = normal_vector(random).cross(along);
    mode.omega = normal_number(random) / wind.time;
    square += 0.5 * (mode.a.squaredNorm() + mode.b.squaredNorm());
  }
  const double factor = wind.intensity * std::sqrt(3 / square);
  for (Mode& mode : modes_) {
    mode.a *= factor;
    mode.b *= factor;
  }
}

Vec3 Turbulence::at(const Vec3& x, double time) const {
  Vec3 w = Vec3::Zero();
  for (const Mode& mode : modes_) {
    const double phase = mode.k.dot(x) + mode.omega * time;
    w += std::cos(phase) * mode.a + std::sin(phase) * mode.b;
  }
  return w;
}

WindEnergy::WindEnergy(const System& system) {
  std::size_t faces = 0;
  for (const FaceLoad& source : system.loads) {
    if (source.kind != LoadKind::wind) continue;
    const std::size_t begin = faces;
    faces += static_cast<std::size_t>(source.faces.cols());
    loads_.push_back({&source, Turbulence(source.wind), begin, faces});
  }
}

// Areas, normals and winds of the step.
void WindEnergy::begin_step(const StepContext& context) {
  faces_.clear();
  if (!context.inertia || loads_.empty()) return;
  step_ = context.reference_step;
  faces_.resize(loads_.back().end);
  for (const Load& load : loads_) {
    const WindSetup& wind = load.source->wind;
    const Vec3 velocity = load.source->traction(context.time_end, 1);
    parallel_for(
        load.end - load.begin,
        [&](std::size_t f) {
          Face& face = faces_[load.begin + f];
          const auto corners = load.source->faces.col(static_cast<Index>(f));
          face.v = {corners[0], corners[1], corners[2]};
          const Vec3 a = context.start.col(face.v[0]), b = context.start.col(face.v[1]),
                     c = context.start.col(face.v[2]);
          const Vec3 area2 = (b - a).cross(c - a);
          const double twice = area2.norm();
          face.normal = twice > 0 ? Vec3(area2 / twice) : Vec3(Vec3::Zero());
          face.wind = velocity + load.turbulence.at((a + b + c) / 3, context.time_end);
          for (const Index v : face.v) face.wind += context.reference.col(v) / (3 * step_);
          face.drag = twice / 4 * wind.drag;
          face.friction = twice / 4 * wind.friction;
          face.from_outside = load.source->from_outside;
        },
        256);
  }
}

// u = w - v at the centroid.
Vec3 WindEnergy::relative_velocity(const Face& face, const Points& x) const {
  return face.wind - (x.col(face.v[0]) + x.col(face.v[1]) + x.col(face.v[2])) / (3 * step_);
}

Vec3 WindEnergy::force(const Face& face, const Vec3& u) {
  const double across = face.normal.dot(u);
  const Vec3 along = u - across * face.normal;
  Vec3 f = face.friction * along.norm() * along;
  if (!face.from_outside || across < 0) f += face.drag * std::abs(across) * across * face.normal;
  return f;
}

double WindEnergy::energy(const Face& face, const Vec3& u) const {
  const double across = face.normal.dot(u), along = (u - across * face.normal).norm();
  double sum = face.friction * along * along * along;
  if (!face.from_outside || across < 0) sum += face.drag * std::abs(across) * across * across;
  return step_ / 3 * sum;
}

double WindEnergy::value(const Points& x) const {
  return parallel_sum(faces_.size(), [&](std::size_t f) { return energy(faces_[f], relative_velocity(faces_[f], x)); });
}

void WindEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const Face& face : faces_) {
    const double own = scale * energy(face, relative_velocity(face, x));
    for (const Index v : face.v) values[v] += own;
  }
}

void WindEnergy::add_force(const Face& face, const Points& x, double scale, Points& g) const {
  const Vec3 share = scale / 3 * force(face, relative_velocity(face, x));
  for (const Index v : face.v) g.col(v) -= share;
}

void WindEnergy::add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const {
  if (faces_.empty()) return;
  for (std::size_t f = loads_[load].begin; f < loads_[load].end; ++f) add_force(faces_[f], x, scale, g);
}

void WindEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for (const Face& face : faces_) add_force(face, x, scale, g);
}

// With m the mean of the corners, d2E/dm2 = rho A / (2 h^) (2 c_d |u_n| n n^T + c_f (|u_t| T + u_t u_t^T / |u_t|)), T
// the projection along the face: positive semidefinite. Each pair of corners has a ninth.
void WindEnergy::add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix& H) const {
  for (const Face& face : faces_) {
    const Vec3 u = relative_velocity(face, x), n = face.normal;
    const double across = n.dot(u);
    const Vec3 along = u - across * n;
    const double speed = along.norm();
    Mat3 A = Mat3::Zero();
    if (!face.from_outside || across < 0) A += 2 * face.drag * std::abs(across) * n * n.transpose();
    if (speed > 0)
      A += face.friction * (speed * (Mat3::Identity() - n * n.transpose()) + along * along.transpose() / speed);
    A *= scale / (9 * step_);
    const Vec3 share = scale / 3 * force(face, u);
    for (int i = 0; i < 3; ++i) {
      g.col(face.v[i]) -= share;
      for (int j = 0; j < 3; ++j)
        if (face.v[i] <= face.v[j]) Eigen::Map<Mat3>(H.block(H.pattern().find(face.v[i], face.v[j]))) += A;
    }
  }
}

void WindEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Load& load : loads_)
    for (const auto& face : load.source->faces.colwise())
      for (int i = 0; i < 3; ++i) pairs.push_back(std::minmax(face[i], face[(i + 1) % 3]));
}

}  // namespace sinew

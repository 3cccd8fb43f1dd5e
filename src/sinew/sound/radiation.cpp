#include "sinew/sound/radiation.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double nearest_default = 1;  // [m]

// A unit vector, or another where it has no direction.
Vec3 unit(const Vec3& v, const Vec3& other) {
  const double length = v.norm();
  return length > 1e-9 ? Vec3(v / length) : other;
}

std::complex<double> head_shadow(const Listener& listener, int ear, const Vec3& x, double omega) {
  const Vec3 towards = unit(x - listener.head, listener.side(ear));
  const double theta = std::acos(std::clamp(towards.dot(listener.side(ear)), -1.0, 1.0));
  const double alpha = 1.05 + 0.95 * std::cos(1.2 * theta);
  const double share = omega * listener.radius / (2 * speed_of_sound);
  return std::complex<double>(1, alpha * share) / std::complex<double>(1, share);
}

}  // namespace

double Listener::distance(int ear, const Vec3& x) const {
  return std::max(radius, (x - this->ear(ear)).norm());
}

Listener make_listener(const SoundSettings& settings, const System& system) {
  const auto bodies = system.rest.leftCols(system.dynamic_count);
  const Vec3 middle = (bodies.rowwise().minCoeff() + bodies.rowwise().maxCoeff()) / 2;
  const Vec3 up = unit(-system.setup.gravity, Vec3::UnitY());
  const Vec3 beside = std::abs(up.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 front = unit((beside - up * up.dot(beside)).cross(up), Vec3::UnitZ());
  Listener listener;
  listener.radius = settings.ears / 2;
  const Vec3 towards = std::sqrt(0.75) * front + 0.5 * up;  // 30 degrees up
  listener.head =
      settings.listener ? *settings.listener : Vec3(middle + std::max(system.diagonal, nearest_default) * towards);
  listener.right = unit((middle - listener.head).cross(up), unit(up.cross(front), Vec3::UnitX()));
  return listener;
}

ComplexGains pressure_gains(const ModalBody& body, const BodyFrame& frame, const Listener& listener, int ear) {
  const double r_c = listener.distance(ear, frame.center);
  const auto m = body.places.cols();
  VecX delay(m), distance(m);
  for (Eigen::Index v = 0; v < m; ++v) {
    distance[v] = listener.distance(ear, frame.center + frame.rotation * body.places.col(v));
    delay[v] = (distance[v] - r_c) / speed_of_sound;
  }
  ComplexGains gains{VecX(body.mode_count()), VecX(body.mode_count())};
  parallel_for(
      static_cast<std::size_t>(body.mode_count()),
      [&](std::size_t mode) {
        const auto i = static_cast<Index>(mode);
        std::complex<double> sum = 0;
        for (Eigen::Index v = 0; v < m; ++v)
          sum += std::polar(1.0, -body.omega[mode] * delay[v]) * (body.flow(v, i) / distance[v]);
        sum *= air_density / (4 * std::numbers::pi) * head_shadow(listener, ear, frame.center, body.omega[mode]);
        gains.re[i] = sum.real();
        gains.im[i] = sum.imag();
      },
      8);
  return gains;
}

}  // namespace sinew

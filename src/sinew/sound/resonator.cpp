#include "sinew/sound/resonator.h"

#include <cmath>
#include <complex>

namespace sinew {
namespace {

Resonator::Complex parts(const std::complex<double>& z) {
  return {z.real(), z.imag()};
}

}  // namespace

Resonator::Resonator(double omega, double damping, double dt)
    : omega_d_(std::sqrt(omega * omega - damping * damping / 4)), s_{-damping / 2, omega_d_} {
  const std::complex<double> s(s_.re, s_.im), E = std::exp(s * dt);
  const std::complex<double> phi = (E - 1.0) / s, b = (E - 1.0 - s * dt) / (s * s * dt);
  decay_ = parts(E);
  before_ = parts(phi - b);
  after_ = parts(b);
}

// y' = 0: y = -p / s.
void Resonator::settle(double p) {
  const double norm = s_.re * s_.re + s_.im * s_.im;
  y_ = {-p * s_.re / norm, p * s_.im / norm};
}

void Resonator::advance(double p0, double p1) {
  y_ = {decay_.re * y_.re - decay_.im * y_.im + before_.re * p0 + after_.re * p1,
        decay_.re * y_.im + decay_.im * y_.re + before_.im * p0 + after_.im * p1};
}

Resonator::Complex Resonator::acceleration(double p) const {
  const Complex y = rate(p);
  return {(s_.re * y.re - s_.im * y.im) / omega_d_, (s_.re * y.im + s_.im * y.re) / omega_d_};
}

}  // namespace sinew

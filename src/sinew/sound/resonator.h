// A damped oscillator q'' + d q' + omega^2 q = p(t). It is exact for forces that are linear between samples.
#pragma once

namespace sinew {

// With omega_d = sqrt(omega^2 - d^2/4) and s = -d/2 + i omega_d the oscillator is one complex equation,
//
//   y' = s y + p,   q = Im y / omega_d,   q'' = Im(s y') / omega_d,
//
// since exp(-d t/2) sin(omega_d t) / omega_d is its response to a unit impulse. Over a sample dt with p linear from p_0
// to p_1, and with E = exp(s dt):
//
//   y_1 = E y_0 + (phi - b) p_0 + b p_1,   phi = (E - 1) / s,   b = (E - 1 - s dt) / (s^2 dt).
//
// It is the digital resonator of van den Doel and Pai (1998, "The sounds of physical shapes") with a first-order hold.
// A complex factor on s y' / omega_d shifts the phase of the sound. Under a constant force the sound is zero.
class Resonator {
 public:
  struct Complex {
    double re = 0, im = 0;
  };

  // omega, damping d [1/s] with d < 2 omega; dt [s].
  Resonator(double omega, double damping, double dt);

  // Puts the oscillator at rest under the force p.
  void settle(double p);
  void advance(double p0, double p1);

  double displacement() const { return y_.im / omega_d_; }
  double velocity(double p) const { return rate(p).im / omega_d_; }
  // Returns the complex acceleration, whose imaginary part is q''.
  Complex acceleration(double p) const;

 private:
  Complex rate(double p) const { return {s_.re * y_.re - s_.im * y_.im + p, s_.re * y_.im + s_.im * y_.re}; }

  double omega_d_;
  Complex s_, decay_, before_, after_;  // E, phi - b, b
  Complex y_;
};

}  // namespace sinew

// Splits the forces of time steps on a mode into lasting forces and impacts.
//
// A step of size h gives only the mean force f_n over the step. A hard impact is shorter, yet its sound depends on its
// true duration. The history f_n is therefore split by an opening (Serra 1982, "Image analysis and mathematical
// morphology": opening and top-hat transform):
//
//   r = opening of f by a window of w steps: r_n = the largest, over all windows of w steps around n, of their minima,
//
// for the positive and the negative part of f. The opening r is the part of f that lasts w steps or longer. Peaks
// shorter than w steps remain in f - r:
//   - Lasting forces, such as resting, sliding and soft contact, act as r, linear between the middles of the steps. A
//     constant r is silent, because only accelerations are heard.
//   - A peak is an impact (van den Doel, Kry and Pai 2001, "FoleyAutomatic"). Its impulse J = sum h (f - r) acts about
//     its centre t_J in a pulse of the given duration tau, J (1 - cos(2 pi (t - t_J + tau/2) / tau)) / tau.
//
// Both parts keep the momentum of each force. Steps of tau/2 or less resolve impacts, and all of f acts as r.
#pragma once

#include <span>
#include <vector>

namespace sinew {

struct Impact {
  double time = 0;     // middle of its pulse [s]
  double impulse = 0;  // [N s], of a modal force in units of kg^(-1/2)
};

class Excitation {
 public:
  // times: the start, then the ends of the steps (N + 1, N >= 1) [s]. forces: means over the steps (N).
  Excitation(std::span<const double> times, std::span<const double> forces, double impact_time);

  const std::vector<double>& lasting() const { return lasting_; }  // r of each step
  const std::vector<Impact>& impacts() const { return impacts_; }

  // Returns the force at start + k dt, k < count. r is sampled; pulses are means over dt, so that no impulse is lost.
  std::vector<double> sample(double start, double dt, std::size_t count) const;

 private:
  void add_pulse(const Impact& impact, double start, double dt, std::vector<double>& signal) const;

  double impact_time_;
  std::vector<double> middles_, lasting_;
  std::vector<Impact> impacts_;
};

// Returns the opening of f by a window, as defined above. The first and last windows lie within f.
std::vector<double> opening(std::span<const double> f, std::size_t window);

}  // namespace sinew

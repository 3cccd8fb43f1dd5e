#include "sinew/sound/synthesis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/sound/excitation.h"
#include "sinew/sound/resonator.h"

namespace sinew {
namespace {

constexpr double sample_time = 1 / sample_rate;
constexpr double largest_turn = 0.03;   // between gains [rad]
constexpr double largest_shift = 0.01;  // between gains, of the distance

// Times t_j with values, linear between them and constant beyond, asked for at ascending times.
class Interpolation {
 public:
  explicit Interpolation(const std::vector<double>& times) : times_(times) {}

  // The entries around t, and the share of the second.
  struct Place {
    std::size_t before = 0, after = 0;
    double share = 0;
    double of(double a, double b) const { return a + share * (b - a); }
  };
  Place at(double t) {
    while (next_ < times_.size() && times_[next_] <= t) ++next_;
    if (next_ == 0) return {};
    if (next_ == times_.size()) return {next_ - 1, next_ - 1, 0};
    return {next_ - 1, next_, (t - times_[next_ - 1]) / (times_[next_] - times_[next_ - 1])};
  }

 private:
  const std::vector<double>& times_;
  std::size_t next_ = 0;  // the first time behind t
};

struct GainTrack {
  std::vector<double> times;
  std::vector<ComplexGains> gains;
};

// Gains at the ends of each step in which the body has come to be turned or moved against the gains before, as seen
// from the ear, and at both ends of the history.
GainTrack gain_track(const ModalBody& body, const SoundHistory& history, const Listener& listener, int ear) {
  GainTrack track;
  std::size_t last = 0;  // step of the gains before
  const auto add = [&](std::size_t n) {
    track.times.push_back(history.times[n]);
    track.gains.push_back(pressure_gains(body, history.frames[n], listener, ear));
    last = n;
  };
  add(0);
  for (std::size_t n = 1; n < history.times.size(); ++n) {
    const BodyFrame &before = history.frames[last], &now = history.frames[n];
    const double turn = (now.rotation - before.rotation).norm() / std::sqrt(2.0);
    const double shift = (now.center - before.center).norm() / listener.distance(ear, now.center);
    const bool end = n + 1 == history.times.size();
    if (!end && turn < largest_turn && shift < largest_shift) continue;
    if (!end && last + 1 < n) add(n - 1);
    add(n);
  }
  return track;
}

// The modal forces of the steps, without those of the start.
std::vector<double> step_forces(const SoundHistory& history, Index mode) {
  std::vector<double> forces;
  for (Eigen::Index n = 1; n < history.signals.cols(); ++n) forces.push_back(history.signals(mode, n));
  return forces;
}

using TwoSignals = std::array<std::vector<double>, 2>;

// Pressures at the ears by the time of their emission.
TwoSignals emitted(const ModalBody& body, const SoundHistory& history, const Listener& listener, double impact_time,
                   std::size_t count) {
  TwoSignals signals{std::vector<double>(count), std::vector<double>(count)};
  const std::array<GainTrack, 2> tracks{gain_track(body, history, listener, 0), gain_track(body, history, listener, 1)};
  const double start = history.times.front();
  for (Index i = 0; i < body.mode_count(); ++i) {
    const Excitation excitation(history.times, step_forces(history, i), impact_time);
    const std::vector<double> p = excitation.sample(start, sample_time, count);
    Resonator resonator(body.omega[i], body.damping[i], sample_time);
    resonator.settle(excitation.lasting().front());
    std::array<Interpolation, 2> places{Interpolation(tracks[0].times), Interpolation(tracks[1].times)};
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0) resonator.advance(p[k - 1], p[k]);
      const Resonator::Complex a = resonator.acceleration(p[k]);
      for (int ear = 0; ear < 2; ++ear) {
        const auto place = places[ear].at(start + static_cast<double>(k) * sample_time);
        const ComplexGains& before = tracks[ear].gains[place.before];
        const ComplexGains& after = tracks[ear].gains[place.after];
        signals[ear][k] += place.of(before.re[i], after.re[i]) * a.im + place.of(before.im[i], after.im[i]) * a.re;
      }
    }
  }
  return signals;
}

// Cubic through the samples k - 1 to k + 2, at k + u; zero outside of the signal.
double cubic(const std::vector<double>& signal, std::size_t k, double u) {
  const auto value = [&](std::size_t i) { return i < signal.size() ? signal[i] : 0.0; };
  const double a = k > 0 ? signal[k - 1] : 0.0, b = value(k), c = value(k + 1), d = value(k + 2);
  return -u * (u - 1) * (u - 2) / 6 * a + (u + 1) * (u - 1) * (u - 2) / 2 * b - (u + 1) * u * (u - 2) / 2 * c +
         (u + 1) * u * (u - 1) / 6 * d;
}

// sound(t) += signal(t_e) where t_e + delay(t_e) = t, all in samples. A source faster than sound would arrive out of
// order; its signal is then squeezed.
void add_delayed(const std::vector<double>& signal, const std::vector<double>& delay, std::vector<double>& sound) {
  constexpr double least_advance = 1e-3;
  double before = delay[0];                                   // arrival of sample k
  if (!(before < static_cast<double>(sound.size()))) return;  // farther away than the sound is long
  std::size_t m = static_cast<std::size_t>(std::ceil(before));
  for (std::size_t k = 0; k + 1 < signal.size() && m < sound.size(); ++k) {
    const double after = std::max(static_cast<double>(k + 1) + delay[k + 1], before + least_advance);
    for (; m < sound.size() && static_cast<double>(m) < after; ++m)
      sound[m] += cubic(signal, k, (static_cast<double>(m) - before) / (after - before));
    before = after;
  }
}

// The delays of the centre, less `before` samples.
std::vector<double> delays(const SoundHistory& history, const Listener& listener, int ear, double lead,
                           std::size_t count, double before = 0) {
  std::vector<double> at_steps, result(count);
  for (const BodyFrame& frame : history.frames)
    at_steps.push_back((listener.distance(ear, frame.center) / speed_of_sound - lead) * sample_rate);
  Interpolation places(history.times);
  for (std::size_t k = 0; k < count; ++k) {
    const auto place = places.at(history.times.front() + static_cast<double>(k) * sample_time);
    result[k] = std::max(place.of(at_steps[place.before], at_steps[place.after]) - before, 0.0);
  }
  return result;
}

// Means of piecewise constant accelerations over samples: (V(t + dt/2) - V(t - dt/2)) / dt, where the velocity V is
// linear between its knots, the middles of the steps, and constant beyond them.
class SampledTap {
 public:
  explicit SampledTap(const std::vector<double>& knots) : knots_(knots), velocity_(knots.size(), 0.0) {}

  // accelerations: of the intervals that end at each knot; the first has none.
  template <class Accelerations>
  void set(const Accelerations& accelerations) {
    for (std::size_t n = 1; n < knots_.size(); ++n)
      velocity_[n] = velocity_[n - 1] + accelerations[static_cast<Eigen::Index>(n) + 1] * (knots_[n] - knots_[n - 1]);
    next_ = 0;
    last_ = 0;
  }
  // The mean over the sample at t; ask at ascending times.
  double mean(double t) {
    const double now = velocity(t + sample_time / 2);
    const double value = (now - last_) / sample_time;
    last_ = now;
    return value;
  }

 private:
  double velocity(double t) {
    while (next_ < knots_.size() && knots_[next_] <= t) ++next_;
    if (next_ == 0) return velocity_.front();
    if (next_ == knots_.size()) return velocity_.back();
    const double share = (t - knots_[next_ - 1]) / (knots_[next_] - knots_[next_ - 1]);
    return velocity_[next_ - 1] + share * (velocity_[next_] - velocity_[next_ - 1]);
  }

  const std::vector<double>& knots_;
  std::vector<double> velocity_;
  std::size_t next_ = 0;  // the first knot behind t
  double last_ = 0;       // velocity at the end of the sample before
};

// H(z) of the head's shadow at each sample, by the bilinear transform of its H(s) with s = i omega.
void shadow(const SoundHistory& history, const Listener& listener, int ear, std::vector<double>& signal) {
  const double c = sample_rate * listener.radius / speed_of_sound;  // 2 / dt over 2 omega_0
  std::vector<double> alpha;
  for (const BodyFrame& frame : history.frames) {
    const Vec3 towards = frame.center - listener.head;
    const double cosine = towards.norm() > 0 ? towards.normalized().dot(listener.side(ear)) : 1.0;
    alpha.push_back(1.05 + 0.95 * std::cos(1.2 * std::acos(std::clamp(cosine, -1.0, 1.0))));
  }
  Interpolation places(history.times);
  double x1 = 0, y1 = 0;
  for (std::size_t k = 0; k < signal.size(); ++k) {
    const auto place = places.at(history.times.front() + static_cast<double>(k) * sample_time);
    const double a = place.of(alpha[place.before], alpha[place.after]);
    const double x = signal[k], y = ((1 + a * c) * x + (1 - a * c) * x1 - (1 - c) * y1) / (1 + c);
    x1 = x;
    y1 = signal[k] = y;
  }
}

// Butterworth filter of second order, by the bilinear transform.
void high_pass(double frequency, std::vector<double>& signal) {
  const double w = std::tan(std::numbers::pi * frequency * sample_time), q = std::numbers::sqrt2 * w;
  const double scale = 1 / (1 + q + w * w), a1 = 2 * (w * w - 1) * scale, a2 = (1 - q + w * w) * scale;
  double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (double& x : signal) {
    const double y = scale * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = x = y;
  }
}

void fade_out(std::size_t end, std::vector<double>& signal) {
  constexpr double fade = 5e-3;  // [s]
  const auto count = std::min(end, static_cast<std::size_t>(fade * sample_rate));
  for (std::size_t k = 0; k < count; ++k)
    signal[end - count + k] *=
        0.5 + 0.5 * std::cos(std::numbers::pi * static_cast<double>(k + 1) / static_cast<double>(count));
  std::fill(signal.begin() + static_cast<std::ptrdiff_t>(end), signal.end(), 0.0);
}

}  // namespace

double StereoSound::peak() const {
  double peak = 0;
  for (const std::vector<double>& channel : pressure)
    for (const double p : channel) peak = std::max(peak, std::abs(p));
  return peak;
}

double first_arrival(const std::vector<SoundHistory>& bodies, const Listener& listener) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const SoundHistory& history : bodies)
    for (const BodyFrame& frame : history.frames)
      nearest = std::min({nearest, listener.distance(0, frame.center), listener.distance(1, frame.center)});
  return std::isfinite(nearest) ? nearest / speed_of_sound : 0;
}

StereoSound silence(const std::vector<SoundHistory>& bodies, const Listener& listener, double tail, double longest) {
  StereoSound sound;
  const double first = first_arrival(bodies, listener);
  if (first > longest_delay) sound.lead = first;
  double duration = 0;
  for (const SoundHistory& history : bodies) {
    const double distance = std::max(listener.distance(0, history.frames.back().center),
                                     listener.distance(1, history.frames.back().center));
    const double late = std::min(distance / speed_of_sound - sound.lead, longest_delay);
    duration = std::max(duration, history.times.back() - history.times.front() + late + tail);
  }
  sound.start = bodies.empty() ? 0 : bodies.front().times.front();
  for (auto& channel : sound.pressure)
    channel.resize(static_cast<std::size_t>(std::ceil(std::min(duration, longest) * sample_rate)));
  return sound;
}

void add_sound(const ModalBody& body, const SoundHistory& history, const Listener& listener, double impact_time,
               StereoSound& sound) {
  if (history.times.size() < 2 || body.mode_count() == 0 || sound.size() == 0) return;
  const TwoSignals signals = emitted(body, history, listener, impact_time, sound.size());
  for (int ear = 0; ear < 2; ++ear)
    add_delayed(signals[ear], delays(history, listener, ear, sound.lead, sound.size()), sound.pressure[ear]);
}

void add_motion(const SoundingBody& body, const SoundHistory& history, const Listener& listener, StereoSound& sound) {
  if (history.times.size() < 3 || sound.size() == 0) return;
  const double start = history.times.front();
  std::vector<double> knots;  // middles of the steps
  for (std::size_t n = 1; n < history.times.size(); ++n) knots.push_back((history.times[n - 1] + history.times[n]) / 2);
  const auto taps = static_cast<std::size_t>(body.tap_count());
  const auto emitted =
      std::min(sound.size(), static_cast<std::size_t>((history.times.back() - start) * sample_rate) + 1);
  for (int ear = 0; ear < 2; ++ear) {
    std::vector<double> signal(sound.size(), 0.0);
    SampledTap sampled(knots);
    for (std::size_t tap = 0; tap < taps; ++tap) {
      const auto row = history.signals.row(static_cast<Eigen::Index>(static_cast<std::size_t>(ear) * taps + tap));
      if ((row.array() == 0).all()) continue;
      sampled.set(row);
      for (std::size_t k = 0; k < emitted && k + tap < signal.size(); ++k)
        signal[k + tap] += sampled.mean(start + static_cast<double>(k) * sample_time);
    }
    shadow(history, listener, ear, signal);
    high_pass(lowest_heard, signal);
    fade_out(std::min(emitted + taps - 1, signal.size()), signal);
    add_delayed(signal, delays(history, listener, ear, sound.lead, sound.size(), static_cast<double>(body.half_taps)),
                sound.pressure[ear]);
  }
}

}  // namespace sinew

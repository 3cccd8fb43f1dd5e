// Computes samples of sound from the history of a run's forces.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "sinew/sound/radiation.h"
#include "sinew/sound/sounding_body.h"

namespace sinew {

// The history of one body, by step. The first entry is the start, whose signals are not used.
struct SoundHistory {
  std::vector<double> times;      // N + 1 [s], ascending
  std::vector<BodyFrame> frames;  // N + 1 poses of the body
  // k x (N + 1). A ModalBody has the mean modal forces over each step, a SoundingBody the signals of add_motion().
  MatX signals;
};

// Pressures at the left and the right ear [Pa] at the times start + lead + n / sample_rate.
struct StereoSound {
  double start = 0;  // [s]
  // Time left out before the first sample: silence while sound travels to a far listener [s].
  double lead = 0;
  std::array<std::vector<double>, 2> pressure;

  std::size_t size() const { return pressure[0].size(); }
  double peak() const;
};

// Returns the shortest travel time of sound from a body to the listener [s].
double first_arrival(const std::vector<SoundHistory>& bodies, const Listener& listener);

// The longest travel time of sound for which a file waits [s]; 3.4 km.
inline constexpr double longest_delay = 10;

// Makes silence from the start of a history until its last sounds have reached the listener and `tail` seconds have
// passed, at most `longest` seconds. If the nearest body is heard later than longest_delay, the sound begins when it
// arrives. Sounds that arrive more than longest_delay after that are dropped.
StereoSound silence(const std::vector<SoundHistory>& bodies, const Listener& listener, double tail,
                    double longest = std::numeric_limits<double>::infinity());

// Adds the sound of a body:
//
// 1. The body's modes vibrate under the forces (excitation.h, resonator.h), from rest under those of the first step.
// 2. The pressure at each ear is sum_i Im(T_i A_i), with the gains T (radiation.h) and the complex acceleration A_i of
//    mode i. T is recomputed if the body has moved or turned, and is linear in between.
// 3. Sound emitted at t arrives at t + r(t) / c, with r the distance of the body's centre. The signal is interpolated
//    by cubics (Laakso, Valimaki, Karjalainen and Laine 1996, "Splitting the unit delay").
//
// O(k) for each sample. Serial except for the gains; the same bits for any number of threads.
void add_sound(const ModalBody& body, const SoundHistory& history, const Listener& listener, double impact_time,
               StereoSound& sound);

// Adds the sound of a body's own motion. The first 2 tap_count() signals are accelerations of taps (TapRows) [Pa], of
// the left and then of the right ear. Entry n has their means from the middle of step n - 1 to the middle of step n.
//
// 1. Each sample of a tap is the mean acceleration over a sample time, so that finer steps do not alias.
// 2. The taps add up with their delays.
// 3. Filters: the shadow of the head (radiation.h) as a bilinear transform, and a high-pass at lowest_heard, since the
//    weight of a falling body would hide its vibration. The last 5 ms fade out.
// 4. The signal is delayed as in add_sound().
void add_motion(const SoundingBody& body, const SoundHistory& history, const Listener& listener, StereoSound& sound);

}  // namespace sinew

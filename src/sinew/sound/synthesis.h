// From the history of a run's forces to samples of sound.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "sinew/sound/radiation.h"

namespace sinew {

// The history of one body, step by step. The first entry is the start, whose forces do not count.
struct SoundHistory {
  std::vector<double> times;      // N + 1 [s], ascending
  std::vector<BodyFrame> frames;  // N + 1: where the body was
  MatX forces;                    // k x (N + 1): means of the modal forces over each step
};

// Pressures at the left and at the right ear [Pa] at start + lead + n / sample_rate.
struct StereoSound {
  double start = 0;  // [s]
  double lead = 0;   // left out before the first sample: silence on the way to a far listener [s]
  std::array<std::vector<double>, 2> pressure;

  std::size_t size() const { return pressure[0].size(); }
  double peak() const;
};

// The shortest travel time of sound from a body to the listener [s].
double first_arrival(const std::vector<SoundHistory>& bodies, const Listener& listener);

// The longest travel time of sound that a file waits for [s]: 3.4 km.
inline constexpr double longest_delay = 10;

// Silence from the start of a history until its last sounds have reached the listener and `tail` seconds have passed,
// or for `longest` seconds. If the nearest body is heard more than longest_delay late, the sound begins when it
// arrives. Sounds that arrive more than longest_delay later are dropped.
StereoSound silence(const std::vector<SoundHistory>& bodies, const Listener& listener, double tail,
                    double longest = std::numeric_limits<double>::infinity());

// Adds the sound of a body.
//
// 1. Its modes vibrate under the forces (excitation.h, resonator.h), from rest under those of the first step.
// 2. The pressure at each ear is sum_i Im(T_i A_i), with the gains T (radiation.h) and the complex acceleration A_i of
//    mode i. T is recomputed if the body has moved or turned, and is linear in between.
// 3. Sound emitted at t arrives at t + r(t) / c, with r the distance of the body's centre. The signal is interpolated
//    by cubics (Laakso, Valimaki, Karjalainen and Laine 1996, "Splitting the unit delay").
//
// O(k) a sample. Serial except for the gains; equal bits for any number of threads.
void add_sound(const ModalBody& body, const SoundHistory& history, const Listener& listener, double impact_time,
               StereoSound& sound);

}  // namespace sinew

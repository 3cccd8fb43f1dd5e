// From the history of a run's forces to samples of sound.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "sinew/sound/radiation.h"

namespace sinew {

// Of one body, step by step; the first entry is the start, whose forces do not count.
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

// How long the nearest body's sound is on its way at least [s].
double first_arrival(const std::vector<SoundHistory>& bodies, const Listener& listener);

// How long a file may wait for sounds that are on their way [s]: 3.4 km.
inline constexpr double longest_delay = 10;

// Silence from the start of a history until its last sounds have reached the listener and `tail` seconds have passed,
// or for `longest` seconds. Where even the nearest body is heard more than longest_delay late, it begins with the first
// sound that may arrive; sounds of bodies that arrive more than longest_delay later are not waited for.
StereoSound silence(const std::vector<SoundHistory>& bodies, const Listener& listener, double tail,
                    double longest = std::numeric_limits<double>::infinity());

// Adds what a body sounds like:
//
// 1. its modes vibrate under the forces (excitation.h, resonator.h), at first at rest under those of the first step;
// 2. the pressure at each ear is sum_i Im(T_i A_i), T the gains (radiation.h) and A_i the complex acceleration of mode
// i.
//    T is found anew where the body has moved or turned, and is linear in between;
// 3. what was emitted at t arrives at t + r(t) / c, r the distance of the body's centre: the ear hears the signal at
// the
//    time in between, by cubic interpolation (Laakso, Valimaki, Karjalainen and Laine 1996, "Splitting the unit
//    delay").
//
// O(k) a sample. Serial but for the gains, the same bits for any number of threads.
void add_sound(const ModalBody& body, const SoundHistory& history, const Listener& listener, double impact_time,
               StereoSound& sound);

}  // namespace sinew

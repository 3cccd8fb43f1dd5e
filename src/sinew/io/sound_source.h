// The sounding bodies of format "wav". They sound by modes of vibration that contacts excite, or by their own motion.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/io/frame.h"
#include "sinew/io/sound_log.h"

namespace sinew {

class SoundSource {
 public:
  virtual ~SoundSource() = default;

  virtual std::size_t body_count() const = 0;
  virtual Index body(std::size_t b) const = 0;  // its number in the scene
  // The number of signals of a body, and a hash of the data that give them their meaning.
  virtual Index width(std::size_t b) const = 0;
  virtual std::uint64_t hash() const = 0;

  // Call before the first record of a run that continues: the records so far, and the state after the last.
  virtual void resume(const std::vector<SoundHistory>& /*histories*/, const Frame& /*frame*/) {}
  // Returns the record of the frame; call for every step.
  virtual SoundRecord record(Frame& frame) = 0;

  // The time for which bodies sound after the last step [s].
  virtual double tail() const = 0;
  virtual void add(std::size_t b, const SoundHistory& history, const Listener& listener, StereoSound& sound) const = 0;
};

// Makes the source of the settings. Throws InputError if no body makes a sound.
std::unique_ptr<SoundSource> make_sound_source(const SoundSettings& settings, const System& system);

}  // namespace sinew

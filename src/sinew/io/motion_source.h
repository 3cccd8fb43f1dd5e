// Sound of the surfaces' own motion in the steps (theory, section 10), for time steps about as short as a sample.
#pragma once

#include <optional>

#include "sinew/io/sound_source.h"
#include "sinew/sound/sounding_body.h"

namespace sinew {

// Signals of a body: the accelerations of its taps for add_motion(), then the taps' mean velocities in the step. The
// velocities are by the tap rows of the next record. Only O(taps) sums are read from a subspace.
class MotionSource final : public SoundSource {
 public:
  // Throws InputError if no body has elastic tets.
  MotionSource(const SoundSettings& settings, const System& system);

  std::size_t body_count() const override { return bodies_.size(); }
  Index body(std::size_t b) const override { return bodies_[b].body; }
  Index width(std::size_t b) const override { return 4 * bodies_[b].tap_count(); }
  std::uint64_t hash() const override;
  void resume(const std::vector<SoundHistory>& histories, const Frame& frame) override;
  SoundRecord record(Frame& frame) override;
  double tail() const override;
  void add(std::size_t b, const SoundHistory& history, const Listener& listener, StereoSound& sound) const override;

 private:
  struct Ear {          // of one body
    BodyFrame rows_of;  // the frame for which the rows were made
    TapRows rows;
    std::unique_ptr<PointProbe> pose, taps;
    VecX velocity;  // of each tap in the last step, by the present rows
  };

  void renew_rows(std::size_t b, const BodyFrame& frame, const Frame& at);
  void probe_again(const Frame& at);
  VecX velocities(std::size_t b, const Points& from, const Points& to, double step);

  Listener listener_;
  std::vector<SoundingBody> bodies_;
  std::vector<Ear> ears_;
  std::pair<int, int> space_{-1, -1};  // of the simulation, in which the probes are valid
  Points before_;                      // positions after the last record, as the method stores them
  double time_ = 0;                    // of the last record [s]
  double last_step_ = 0;               // between the last two records [s]
  int records_ = 0;
  Points from_, to_;  // work space
};

}  // namespace sinew

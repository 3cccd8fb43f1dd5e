#include "sinew/io/motion_source.h"

#include <algorithm>
#include <utility>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"

namespace sinew {

MotionSource::MotionSource(const SoundSettings& settings, const System& system)
    : listener_(make_listener(settings, system)), bodies_(sounding_bodies(system)), ears_(bodies_.size()) {
  if (bodies_.empty()) {
    fail_input(
        code::sound,
        "output.sound.source: found \"motion\", but no body has tets of an elastic material; add such a body, or "
        "leave \"wav\" out of output.formats");
  }
  const double step = system.setup.time.step, longest = 2 / sample_rate;
  if (step > longest) {
    log::warning(
        "output.sound.source: with \"motion\", steps of {:.3g} s leave out sound above {:.3g} Hz; set time.step to at "
        "most {:.2g} s, or source to \"modes\"",
        step, 0.5 / step, longest);
  }
}

std::uint64_t MotionSource::hash() const {
  ContentHash hash;
  hash.add(listener_.head.data(), sizeof(Vec3));
  hash.add_values(std::span<const double>(&listener_.radius, 1));
  for (const SoundingBody& body : bodies_)
    hash.add(body.areas.data(), static_cast<std::size_t>(body.areas.size()) * sizeof(double));
  return hash.value();
}

double MotionSource::tail() const {
  Index longest = 0;
  for (const SoundingBody& body : bodies_) longest = std::max(longest, body.tap_count());
  return static_cast<double>(longest) / sample_rate;
}

void MotionSource::renew_rows(std::size_t b, const BodyFrame& frame, const Frame& at) {
  ears_[b].rows_of = frame;
  ears_[b].rows = tap_rows(bodies_[b], frame, listener_);
  ears_[b].taps = at.make_probe(ears_[b].rows.rows);
}

// Probes are of one space of coordinates; what was read in another is of no use.
void MotionSource::probe_again(const Frame& at) {
  space_ = at.space();
  before_ = at.own_positions();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    ears_[b].pose = at.make_probe(pose_rows(bodies_[b]));
    if (!ears_[b].rows.rows.empty()) ears_[b].taps = at.make_probe(ears_[b].rows.rows);
  }
}

// The mean velocity of each tap in a step, by the present rows.
VecX MotionSource::velocities(std::size_t b, const Points& from, const Points& to, double step) {
  Ear& ear = ears_[b];
  ear.taps->positions(from, from_);
  ear.taps->positions(to, to_);
  VecX result = VecX::Zero(2 * bodies_[b].tap_count());
  for (std::size_t i = 0; i < ear.rows.taps.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const auto column = 3 * static_cast<Eigen::Index>(i) + axis;
      result[ear.rows.taps[i]] += (to_(axis, column) - from_(axis, column)) / step;
    }
  return result;
}

// The rows of the next record are those of the last frame for which has_moved() was true.
void MotionSource::resume(const std::vector<SoundHistory>& histories, const Frame& frame) {
  records_ = static_cast<int>(histories.front().times.size());
  if (records_ == 0) return;
  const std::vector<double>& times = histories.front().times;
  time_ = times.back();
  if (records_ > 1) last_step_ = time_ - times[times.size() - 2];
  probe_again(frame);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::vector<BodyFrame>& frames = histories[b].frames;
    std::size_t last = 0;
    for (std::size_t n = 1; n < frames.size(); ++n)
      if (has_moved(frames[last], frames[n], listener_)) last = n;
    renew_rows(b, frames[last], frame);
    ears_[b].velocity = histories[b].signals.col(records_ - 1).tail(2 * bodies_[b].tap_count());
  }
}

// The record of a step, for each body:
//
// 1. Its pose, from four points.
// 2. The mean velocity of each tap in the step: differences of positions over h.
// 3. The mean acceleration between the middles of this step and the last, by the same rows.
// 4. If the body has moved by more than has_moved() allows: new rows, and the velocity by these for the next record.
SoundRecord MotionSource::record(Frame& frame) {
  const Points& now = frame.own_positions();
  const bool continues = records_ > 0 && space_ == frame.space() && before_.cols() == now.cols();
  if (space_ != frame.space()) probe_again(frame);
  SoundRecord record;
  record.time = frame.time();
  Points place;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Ear& ear = ears_[b];
    const Index taps = 2 * bodies_[b].tap_count();
    ear.pose->positions(now, place);
    const BodyFrame at = pose(place);
    VecX signals = VecX::Zero(2 * taps);
    if (ear.rows.rows.empty()) renew_rows(b, at, frame);
    const double step = record.time - time_;
    if (continues) {
      const VecX velocity = velocities(b, before_, now, step);
      // Two steps give a mean acceleration over the time between their middles.
      if (records_ > 1) signals.head(taps) = (velocity - ear.velocity) / ((step + last_step_) / 2);
      ear.velocity = velocity;
      if (has_moved(ear.rows_of, at, listener_)) {
        renew_rows(b, at, frame);
        ear.velocity = velocities(b, before_, now, step);
      }
    }
    // In a new space of coordinates no velocity is known: that of the step before stays, so that the next acceleration
    // covers two steps and the sum of all accelerations is right.
    if (ear.velocity.size() > 0) signals.tail(taps) = ear.velocity;
    record.frames.push_back(at);
    record.signals.push_back(std::move(signals));
  }
  before_ = now;
  last_step_ = record.time - time_;
  time_ = record.time;
  ++records_;
  return record;
}

void MotionSource::add(std::size_t b, const SoundHistory& history, const Listener& listener, StereoSound& sound) const {
  add_motion(bodies_[b], history, listener, sound);
}

}  // namespace sinew

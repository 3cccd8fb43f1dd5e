#include "sinew/io/modal_source.h"

#include <cmath>
#include <numbers>
#include <span>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew {
namespace {

double hertz(double omega) {
  return omega / (2 * std::numbers::pi);
}

// The bodies that are heard. Others are told of; that there is none is an error.
std::vector<ModalBody> heard_bodies(const System& system, const SoundSettings& settings) {
  std::vector<ModalBody> all;
  try {
    all = modal_bodies(system, prescribed_at_start(system), settings);
  } catch (const InputError& error) {
    fail_input(code::sound, "output.formats: found \"wav\", which needs modes of vibration: {}; or leave \"wav\" out",
               error.what());
  }
  std::vector<ModalBody> heard;
  std::string silent;
  for (ModalBody& body : all) {
    const std::string& name = system.bodies[body.body].name;
    if (body.mode_count() == 0) {
      silent += fmt::format("{}'{}' has modes from {:.4g} to {:.4g} Hz", silent.empty() ? "" : ", ", name, body.lowest,
                            body.highest);
      continue;
    }
    log::info("sound: {} modes of body '{}' are heard, {:.4g} to {:.4g} Hz", body.mode_count(), name,
              hertz(body.omega.front()), hertz(body.omega.back()));
    heard.push_back(std::move(body));
  }
  if (heard.empty()) {
    fail_input(code::sound,
               "output.formats: found \"wav\", but no body sounds: {}. Audible modes lie between {:g} and {:g} Hz and "
               "are underdamped. Raise output.sound.modes, change the material or size, or leave \"wav\" out",
               silent.empty() ? "none has tets of an elastic material" : silent, lowest_heard, highest_heard);
  }
  if (!silent.empty())
    log::warning("output.formats: bodies are silent in the sound, since no mode lies between {:g} and {:g} Hz: {}",
                 lowest_heard, highest_heard, silent);
  return heard;
}

}  // namespace

ModalSource::ModalSource(const SoundSettings& settings, const System& system)
    : settings_(settings), bodies_(heard_bodies(system, settings)) {}

std::uint64_t ModalSource::hash() const {
  ContentHash hash;
  for (const ModalBody& body : bodies_) {
    hash.add_values(std::span<const double>(body.omega));
    hash.add(body.modes.data(), static_cast<std::size_t>(body.modes.size()) * sizeof(double));
  }
  return hash.value();
}

SoundRecord ModalSource::record(Frame& frame) {
  const System& system = frame.system();
  const Points forces = system.from_user(frame.mean_contact_force());
  SoundRecord record;
  record.time = frame.time();
  for (const ModalBody& body : bodies_) {
    record.frames.push_back(body.frame(system, frame.state().x));
    record.signals.push_back(body.modal_forces(record.frames.back(), forces));
  }
  return record;
}

void ModalSource::add(std::size_t b, const SoundHistory& history, const Listener& listener, StereoSound& sound) const {
  add_sound(bodies_[b], history, listener, settings_.impact_time, sound);
}

}  // namespace sinew

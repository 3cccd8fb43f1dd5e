// Sound of modes of vibration, excited by the contact forces of the steps (theory, section 10).
#pragma once

#include "sinew/io/sound_source.h"
#include "sinew/sound/modal_body.h"

namespace sinew {

class ModalSource final : public SoundSource {
 public:
  // Computes the modes. Throws InputError if no body is heard.
  ModalSource(const SoundSettings& settings, const System& system);

  std::size_t body_count() const override { return bodies_.size(); }
  Index body(std::size_t b) const override { return bodies_[b].body; }
  Index width(std::size_t b) const override { return bodies_[b].mode_count(); }
  std::uint64_t hash() const override;
  SoundRecord record(Frame& frame) override;
  double tail() const override { return settings_.tail; }
  void add(std::size_t b, const SoundHistory& history, const Listener& listener, StereoSound& sound) const override;

 private:
  SoundSettings settings_;
  std::vector<ModalBody> bodies_;
};

}  // namespace sinew

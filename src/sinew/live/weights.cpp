#include "sinew/live/weights.h"

namespace sinew {

std::shared_ptr<const std::string> LiveWeights::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void LiveWeights::renew(const LiveFrames& frames, const Simulation& simulation) {
  auto bytes = LiveFrames::has_weights(simulation)
                   ? std::make_shared<const std::string>(frames.weights(simulation, ++number_))
                   : nullptr;
  const std::lock_guard lock(mutex_);
  bytes_ = std::move(bytes);
}

Json LiveWeights::number() const {
  return bytes() ? Json(number_) : Json();
}

}  // namespace sinew

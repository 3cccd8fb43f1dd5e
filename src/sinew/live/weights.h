// The weights by which viewers move surfaces with reduced coordinates, and the number that messages of type state give
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "sinew/live/frames.h"

namespace sinew {

class LiveWeights {
 public:
  // Returns the encoded weights, or null if the current method has no weights. Callable from any thread.
  std::shared_ptr<const std::string> bytes() const;

  // The following are only for the thread that simulates.
  void renew(const LiveFrames& frames, const Simulation& simulation);  // encodes the weights of the current method
  Json number() const;  // number of these weights, as in messages of type state

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const std::string> bytes_;  // protected by the mutex
  std::uint32_t number_ = 0;
};

}  // namespace sinew

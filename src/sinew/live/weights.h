// The weights with which viewers move surfaces by reduced coordinates, and their number in messages of type state.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "sinew/live/frames.h"

namespace sinew {

class LiveWeights {
 public:
  // From any thread. Null if the method has none.
  std::shared_ptr<const std::string> bytes() const;

  // ---- From the thread that simulates.
  void renew(const LiveFrames& frames, const Simulation& simulation);  // for the current method
  Json number() const;                                                 // as in messages of type state

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const std::string> bytes_;  // under the mutex
  std::uint32_t number_ = 0;
};

}  // namespace sinew

// The weights that viewers fetch to move surfaces by reduced coordinates, and the number by which a state names them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "sinew/live/frames.h"

namespace sinew {

class LiveWeights {
 public:
  // From any thread. Null: the method has none.
  std::shared_ptr<const std::string> bytes() const;

  // ---- From the thread that simulates.
  void renew(const LiveFrames& frames, const Simulation& simulation);  // those of the present method
  Json number() const;                                                 // as in messages of type state

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const std::string> bytes_;  // under the mutex
  std::uint32_t number_ = 0;
};

}  // namespace sinew

// The output of a live session to its viewers.
#pragma once

#include <memory>
#include <string>

namespace sinew {

// Both functions may be called from any thread, also for viewers that have left.
class LiveOutput {
 public:
  virtual ~LiveOutput() = default;
  // Sends a text; all texts arrive in order.
  virtual void send(int client, std::shared_ptr<const std::string> text) = 0;
  // Sends a frame, replacing an unsent one.
  virtual void set_frame(int client, std::shared_ptr<const std::string> bytes) = 0;
};

}  // namespace sinew

// The interface by which a live session sends to its viewers.
#pragma once

#include <memory>
#include <string>

namespace sinew {

// Both functions may be called from any thread. Calls for viewers that have left do nothing.
class LiveOutput {
 public:
  virtual ~LiveOutput() = default;
  // Sends a text; all texts arrive in order.
  virtual void send(int client, std::shared_ptr<const std::string> text) = 0;
  // Sends a frame. It replaces an older frame that is not sent yet.
  virtual void set_frame(int client, std::shared_ptr<const std::string> bytes) = 0;
};

}  // namespace sinew

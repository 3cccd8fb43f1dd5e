// Where a live session sends to.
#pragma once

#include <memory>
#include <string>

namespace sinew {

// Both functions may be called from any thread, for viewers that may be gone.
class LiveOutput {
 public:
  virtual ~LiveOutput() = default;
  // In order, all of them.
  virtual void send(int client, std::shared_ptr<const std::string> text) = 0;
  // In the place of one that has not gone out.
  virtual void set_frame(int client, std::shared_ptr<const std::string> bytes) = 0;
};

}  // namespace sinew

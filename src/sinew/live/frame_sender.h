// Sends frames to viewers as fast as each viewer draws them, up to some tens a second. Computing fields costs O(mesh)
// and takes at most a fifth of the time.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sinew/live/controls.h"
#include "sinew/live/frames.h"
#include "sinew/live/output.h"
#include "sinew/live/wall_clock.h"

namespace sinew {

class FrameSender {
 public:
  // All must outlive the sender.
  FrameSender(const Simulation& simulation, const LiveControls& controls, const LiveFrames& frames, LiveOutput& output,
              WallNow now);

  void open(int client);
  void close(int client);
  void choose_field(int client, int field);  // index in LiveFrames::fields(); -1: no field
  void seen(int client, std::uint32_t frame);

  void bodies_changed() { ++version_; }  // call if bodies or pulls have changed
  // Sends the next frame to all viewers, even if they have not drawn earlier frames yet.
  void renew();
  void renew_fields() { field_due_.clear(); }

  // Sends the frames that are due. at_rest: no step is taken now, so there is time to compute fields.
  void send(bool at_rest);

 private:
  struct Viewer {
    std::uint32_t sent = 0, seen = 0;  // numbers of the last frame sent and the last frame drawn
    int field = -1;
    bool fresh = true;          // whether it has not received a frame of this kind or field
    std::uint64_t version = 0;  // content version of the last frame sent
  };
  // Returns the encoded field, recomputed if time allows. start: time of this call.
  const std::string& field_part(int field, WallClock::time_point start, bool at_rest);

  const Simulation& simulation_;
  const LiveControls& controls_;
  const LiveFrames& frames_;
  LiveOutput& output_;
  WallNow now_;
  std::map<int, Viewer> viewers_;
  std::uint64_t version_ = 1;  // version of the current content
  WallClock::time_point sent_{};
  std::map<int, std::string> field_parts_;  // by field: the field last computed
  std::map<int, WallClock::time_point> field_due_;
};

}  // namespace sinew

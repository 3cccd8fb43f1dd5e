#include "sinew/live/frame_sender.h"

#include <algorithm>

namespace sinew {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t most_on_the_way = 2;  // frames
constexpr auto frame_interval = 16ms, field_interval = 100ms;

}  // namespace

FrameSender::FrameSender(const Simulation& simulation, const LiveControls& controls, const LiveFrames& frames,
                         LiveOutput& output, WallNow now)
    : simulation_(simulation), controls_(controls), frames_(frames), output_(output), now_(std::move(now)) {}

void FrameSender::open(int client) {
  viewers_[client] = {};
}

void FrameSender::close(int client) {
  viewers_.erase(client);
}

void FrameSender::choose_field(int client, int field) {
  Viewer& viewer = viewers_.at(client);
  viewer.field = field;
  viewer.fresh = true;
}

void FrameSender::seen(int client, std::uint32_t frame) {
  Viewer& viewer = viewers_.at(client);
  if (frame <= viewer.sent) viewer.seen = std::max(viewer.seen, frame);
}

void FrameSender::renew() {
  for (auto& [client, viewer] : viewers_) viewer.fresh = true;
}

const std::string& FrameSender::field_part(int field, WallClock::time_point start, bool at_rest) {
  std::string& part = field_parts_[field];
  if (field >= 0 && (part.empty() || start >= field_due_[field] || at_rest)) {
    part = frames_.field_part(simulation_, static_cast<std::size_t>(field));
    field_due_[field] = now_() + std::max<WallClock::duration>(field_interval, 4 * (now_() - start));
  }
  return part;
}

void FrameSender::send(bool at_rest) {
  const auto now = now_();
  if (now - sent_ < frame_interval) return;
  std::map<int, std::string> by_field;
  for (auto& [client, viewer] : viewers_) {
    if (!viewer.fresh && (viewer.version == version_ || viewer.sent - viewer.seen >= most_on_the_way)) continue;
    viewer.version = version_;
    viewer.fresh = false;
    const auto [shared, missing] = by_field.try_emplace(viewer.field);
    if (missing)
      shared->second =
          frames_.frame(simulation_, controls_.pulls(), static_cast<std::size_t>(std::max(viewer.field, 0)),
                        field_part(viewer.field, now, at_rest));
    std::string bytes = shared->second;
    LiveFrames::number(bytes, ++viewer.sent);
    output_.set_frame(client, std::make_shared<const std::string>(std::move(bytes)));
  }
  sent_ = now;
}

}  // namespace sinew

// Sends text messages to viewers (docs/reference/live_protocol.md), and tracks what each has received.
#pragma once

#include <map>
#include <set>
#include <string>

#include "sinew/live/controls.h"
#include "sinew/live/output.h"
#include "sinew/live/wall_clock.h"

namespace sinew {

class LiveTexts {
 public:
  LiveTexts(LiveOutput& output, WallNow now) : output_(output), now_(std::move(now)) {}

  void open(int client);   // sends hello
  bool close(int client);  // returns whether it was a viewer
  bool has(int client) const { return viewers_.contains(client); }
  std::size_t viewer_count() const { return viewers_.size(); }

  // To all.
  void send_state(const Json& state);
  void send_error(const std::string& message);
  // Sends materials with curves or fits: changed ones to all viewers, all of them to new viewers.
  void send_curves(const LiveControls& controls);
  // Collects rows of steps, sent several times a second.
  void add_row(Json row);
  void send_rows(double rate);

  // To one.
  void send_error(int client, const std::string& message);
  // Answers a refused message with its key or id and the reason.
  void refuse(int client, const std::string& text, const std::string& why);
  void refuse_curves(int client, const std::string& material, const std::string& why);
  // From any thread.
  void send_waiting(int client);
  void end_waiting(int client);

 private:
  void send(int client, const Json& message);
  void send_all(const Json& message);

  LiveOutput& output_;
  WallNow now_;
  std::set<int> viewers_, newcomers_;  // newcomers have received no materials
  std::map<std::string, long> told_;   // by material, the version sent to all others
  Json rows_ = Json::array();
  WallClock::time_point rows_sent_{};
};

}  // namespace sinew

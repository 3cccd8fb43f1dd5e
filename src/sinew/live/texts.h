// Sends text messages to viewers (docs/reference/live_protocol.md), and tracks which of them each viewer has received.
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

  // ---- To all viewers.
  void send_state(const Json& state);
  void send_error(const std::string& message);
  // Sends materials with curves or fits: changed ones to all viewers, and all of them to new viewers.
  void send_curves(const LiveControls& controls);
  // Collects the rows of steps; they are sent several times a second.
  void add_row(Json row);
  void send_rows(double rate);

  // ---- To one viewer.
  void send_error(int client, const std::string& message);
  // Reports that a message was refused: sends its key or id and the reason.
  void refuse(int client, const std::string& text, const std::string& why);
  void refuse_curves(int client, const std::string& material, const std::string& why);
  // ---- From any thread.
  void send_waiting(int client);
  void end_waiting(int client);

 private:
  void send(int client, const Json& message);
  void send_all(const Json& message);

  LiveOutput& output_;
  WallNow now_;
  std::set<int> viewers_, newcomers_;  // newcomers have not received the materials yet
  std::map<std::string, long> told_;   // by material: the version that all other viewers have
  Json rows_ = Json::array();
  WallClock::time_point rows_sent_{};
};

}  // namespace sinew

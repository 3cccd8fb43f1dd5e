// The text messages that viewers get (docs/live.md), and what has been told to each of them.
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

  void open(int client);   // with hello
  bool close(int client);  // whether it was a viewer
  bool has(int client) const { return viewers_.contains(client); }
  std::size_t viewer_count() const { return viewers_.size(); }

  // To all.
  void send_state(const Json& state);
  void send_error(const std::string& message);
  // Materials that are drawn: those that have changed to all, every one to who has just come.
  void send_curves(const LiveControls& controls);
  // Rows of steps, collected and sent some times a second.
  void add_row(Json row);
  void send_rows(double rate);

  // To one.
  void send_error(int client, const std::string& message);
  // The answer to a message that was not followed: with what it was about, so that a page can show what there is.
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
  std::set<int> viewers_, newcomers_;  // newcomers have not been told of any material
  std::map<std::string, long> told_;   // by material, the version that all others know
  Json rows_ = Json::array();
  WallClock::time_point rows_sent_{};
};

}  // namespace sinew

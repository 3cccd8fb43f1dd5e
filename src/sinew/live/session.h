// A simulation that viewers watch and pull at: what they ask for is done between steps, what they see is sent after
// each. One thread simulates; messages come from others.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "sinew/io/recorder.h"
#include "sinew/live/controls.h"
#include "sinew/live/events.h"
#include "sinew/live/fields.h"
#include "sinew/live/frames.h"

namespace sinew {

// Where a session sends to; both may be called from any thread, for viewers that may be gone.
class LiveOutput {
 public:
  virtual ~LiveOutput() = default;
  // In order, all of them.
  virtual void send(int client, std::shared_ptr<const std::string> text) = 0;
  // In the place of one that has not gone out.
  virtual void set_frame(int client, std::shared_ptr<const std::string> bytes) = 0;
};

struct LiveOptions {
  // Of recordings and of what viewers see at first; the folder of recording k is `record.folder`_k.
  RecorderSettings record;
  std::vector<std::string> methods;  // that viewers may choose
  double speed = 1;                  // simulated over wall time, at most; 0: as fast as it goes
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

// The methods that viewers may choose.
std::vector<std::string> offered_methods();

class LiveSession {
 public:
  // controls: of the simulation; both must outlive the session. Others may apply events too, between steps.
  LiveSession(Simulation& simulation, LiveControls& controls, LiveOptions options, LiveOutput& output);
  ~LiveSession();

  // ---- From any thread.
  void opened(int client);
  void closed(int client);
  void message(int client, std::string_view text);
  // Tells viewers whose messages have waited for some time, as a step takes long, that they wait; called now and then.
  void tell_waiting();
  std::shared_ptr<const std::string> mesh() const { return mesh_; }
  std::shared_ptr<const std::string> weights() const;  // null: none

  // ---- From the thread that simulates.
  // Does what viewers ask for. A script that steps by itself calls this before each step and publish() after it.
  void handle();
  void publish(const StepReport& report);
  void show();  // handle(), and the present state to viewers
  // Whether to step now: not while paused, but for the one step that a viewer asked for.
  bool take_step();
  void end() { end_recording(); }  // Throws SimulationError where the disk refuses.
  // Steps until stop(). Throws SimulationError where the disk refuses a recording.
  void run(const std::function<bool()>& stop);

  // As a viewer would, for what a session starts with. Throws InputError.
  void set(const std::string& key, const Json& value);
  void pause(bool paused);
  bool paused() const { return paused_; }
  // Called with each message of type set that a viewer sends, and with pulls and releases; for scripts.
  std::function<void(const LiveEvent&)> on_event;

 private:
  using Clock = std::chrono::steady_clock;
  struct Viewer {
    std::uint32_t sent = 0, seen = 0;  // frames
    int field = -1;                    // of report_fields
    bool fresh = true;                 // has not had a frame of this kind or field
    std::uint64_t version = 0;         // of what it was sent last
  };
  struct Letter {
    enum class Kind { opened, closed, message } kind;
    int client;
    std::string text;
    Clock::time_point came;
  };

  void open(int client);
  void leave(int client);
  void follow(int client, const std::string& text);
  void follow_curves(int client, const MessageFields& fields);
  void require_pull_fits(int client, int id) const;
  void apply(LiveEvent event);
  void reset();
  void step();
  void pace();
  void send_state();
  void send_curves();
  void send_frames();
  void send_rows();
  void change_weights();
  void start_recording();
  void end_recording();
  void tell(int client, const std::string& message);
  void refuse(int client, const std::string& text, const std::string& why);
  void busy(const char* what);

  Simulation& simulation_;
  LiveControls& controls_;
  LiveOptions options_;
  LiveOutput& output_;
  LiveFrames frames_;
  State start_;
  std::shared_ptr<const std::string> mesh_;

  mutable std::mutex mutex_;  // of the six that follow
  std::condition_variable woken_;
  std::deque<Letter> letters_;
  std::map<int, int> waiting_;  // letters of each viewer
  std::set<int> told_;          // viewers that know that theirs wait
  std::map<int, int> dropped_;  // letters of each viewer that found no place
  std::shared_ptr<const std::string> weights_;

  std::map<int, Viewer> viewers_;
  bool paused_ = false, single_ = false, finished_ = false, dirty_ = false;
  std::uint32_t weights_number_ = 0;
  long controls_version_ = 0;                   // that viewers know of
  std::map<std::string, long> drawn_versions_;  // likewise, of materials
  std::vector<int> newcomers_;                  // viewers that know of none
  std::uint64_t version_ = 1;                   // of what frames show: bodies and pulls
  std::string loss_, busy_;
  LiveScript script_;
  Json rows_ = Json::array();
  Clock::time_point rows_sent_{}, frame_sent_{}, due_{};
  std::deque<Clock::time_point> steps_;  // of the last second
  double rate_ = 0;
  std::map<int, std::string> field_parts_;  // by field, the last known
  std::map<int, Clock::time_point> field_due_;
  std::optional<Recorder> recorder_;
  std::string recording_;
  int recordings_ = 0;
};

}  // namespace sinew

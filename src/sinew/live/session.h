// A simulation that viewers watch and pull at: what they ask for is done between steps, what they see is sent after
// each. One thread simulates; messages come from others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/live/controls.h"
#include "sinew/live/events.h"
#include "sinew/live/frame_sender.h"
#include "sinew/live/frames.h"
#include "sinew/live/mailbox.h"
#include "sinew/live/output.h"
#include "sinew/live/pace.h"
#include "sinew/live/recording.h"
#include "sinew/live/texts.h"
#include "sinew/live/wall_clock.h"
#include "sinew/live/weights.h"

namespace sinew {

class MessageFields;

struct LiveOptions {
  // Of recordings and of what viewers see at first; the folder of recording k is `record.folder`_k.
  RecorderSettings record;
  std::vector<std::string> methods;  // that viewers may choose
  double speed = 1;                  // simulated over wall time, at most; 0: as fast as it goes
  WallNow now = WallClock::now;
};

// The methods that viewers may choose.
std::vector<std::string> offered_methods();

class LiveSession {
 public:
  // controls: of the simulation; both must outlive the session. Others may apply events too, between steps.
  LiveSession(Simulation& simulation, LiveControls& controls, LiveOptions options, LiveOutput& output);

  // ---- From any thread.
  void opened(int client) { mailbox_.opened(client); }
  void closed(int client) { mailbox_.closed(client); }
  void message(int client, std::string_view text) { mailbox_.message(client, text); }
  // Tells viewers whose messages have waited for some time, as a step takes long, that they wait; called now and then.
  void tell_waiting();
  std::shared_ptr<const std::string> mesh() const { return frames_.mesh(); }
  std::shared_ptr<const std::string> weights() const { return weights_.bytes(); }  // null: none

  // ---- From the thread that simulates.
  // Does what viewers ask for. A script that steps by itself calls this before each step and publish() after it.
  void handle();
  void publish(const StepReport& report);
  void show();  // handle(), and the present state to viewers
  // Whether to step now: not while paused, but for the one step that a viewer asked for.
  bool take_step();
  void end();  // Throws SimulationError where the disk refuses.
  // Steps until stop(). Throws SimulationError where the disk refuses a recording.
  void run(const std::function<bool()>& stop);

  // As a viewer would, for what a session starts with. Throws InputError.
  void set(const std::string& key, const Json& value);
  void pause(bool paused);
  bool paused() const { return paused_; }
  // Called with each message of type set that a viewer sends, and with pulls and releases; for scripts.
  std::function<void(const LiveEvent&)> on_event;

 private:
  void open(int client);
  void leave(int client);
  void answer(int client, const std::string& text);
  void follow(int client, const MessageFields& fields);
  void follow_curves(int client, const MessageFields& fields);
  void change_setting(int client, const MessageFields& fields);
  void change_method(int client, const std::string& name);
  void renew_weights();
  void record(bool on);
  void reset();
  void apply(LiveEvent event);
  void step();
  void wait_for_step(const std::function<bool()>& stop);
  void send();
  void send_state();
  void busy(const char* what);

  Simulation& simulation_;
  LiveControls& controls_;
  const std::vector<std::string> methods_;
  const State start_;
  LiveFrames frames_;
  LiveWeights weights_;
  Mailbox mailbox_;
  LiveTexts texts_;
  FrameSender frame_sender_;
  LiveRecording recording_;
  Pace pace_;

  bool paused_ = false, single_ = false, finished_ = false;
  std::string loss_, busy_;    // as in messages of type state
  long controls_version_ = 0;  // that viewers know of
  bool dirty_ = false;         // the state has changed since it was sent
};

}  // namespace sinew

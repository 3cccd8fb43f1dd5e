// Runs a simulation that viewers watch and pull. It applies their requests between steps and sends frames after each
// step. One thread simulates; messages come from other threads.
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
  // For recordings and the first view. Recording k goes to the folder `record.folder`_k.
  RecorderSettings record;
  std::vector<std::string> methods;  // methods that viewers may choose
  double speed = 1;                  // limit of simulated time over wall time; 0: no limit
  WallNow now = WallClock::now;
};

// Returns the methods that viewers may choose.
std::vector<std::string> offered_methods();

class LiveSession {
 public:
  // controls: those of the simulation. Both must outlive the session. Other code may apply events between steps.
  // The session listens to the simulation.
  LiveSession(Simulation& simulation, LiveControls& controls, LiveOptions options, LiveOutput& output);
  ~LiveSession() { simulation_.set_listener({}); }
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  // ---- From any thread.
  void opened(int client) { mailbox_.opened(client); }
  void closed(int client) { mailbox_.closed(client); }
  void message(int client, std::string_view text) { mailbox_.message(client, text); }
  // Call several times a second: tells viewers that their messages wait for a long step.
  void tell_waiting();
  std::shared_ptr<const std::string> mesh() const { return frames_.mesh(); }
  std::shared_ptr<const std::string> weights() const { return weights_.bytes(); }  // null: the method has no weights

  // ---- From the thread that simulates.
  // Applies viewers' requests. A script that steps the simulation calls this
  // before each step and publish() after it.
  void handle();
  void publish(const StepReport& report);
  void show();  // calls handle() and sends the current state
  // Whether to step now: yes, unless the session is paused and no viewer has requested a single step.
  bool take_step();
  void end();  // ends the recording; throws SimulationError if writing fails
  // Steps until stop() returns true. Throws SimulationError if a recording cannot be written.
  void run(const std::function<bool()>& stop);

  // Changes a setting like a viewer, before a session starts. Throws InputError.
  void set(const std::string& key, const Json& value);
  void pause(bool paused);
  bool paused() const { return paused_; }
  // Called with each event of a viewer, for scripts.
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
  void follow_space();
  void edited(std::span<const Edit> edits);
  void state_set(std::string_view what);
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
  std::string loss_, busy_;    // texts in messages of type state
  long controls_version_ = 0;  // version of the controls that viewers know
  std::pair<int, int> space_;  // Simulation::space() of the weights
  bool acts_ = false;          // whether edits are actions of a viewer
  bool dirty_ = false;         // the state has changed since it was last sent
};

}  // namespace sinew

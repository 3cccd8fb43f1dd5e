#include "sinew/live/session.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/live/edit_event.h"
#include "sinew/live/fields.h"

namespace sinew {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_pulls = 64;  // of all viewers
constexpr double rounding = 1e-9;       // over the scene's diagonal: less is not lost but rounded
constexpr auto stop_interval = 100ms;   // in which somebody looks whether to stop
constexpr auto pause_interval = 20ms;   // in which a paused simulation looks for what is to be shown

SinkSettings sink_settings(const RecorderSettings& record) {
  SinkSettings settings;
  settings.folder = record.folder;
  settings.facts = record.facts;
  settings.scene = record.scene;
  settings.every = record.every;
  settings.fields = record.fields;
  return settings;
}

LiveEvent event_of(int client, LiveAction action) {
  LiveEvent event;
  event.client = client;
  event.action = action;
  return event;
}

LiveEvent read_pull(int client, const MessageFields& fields, const LiveFrames& frames) {
  LiveEvent event = event_of(client, LiveAction::pull);
  event.id = fields.whole("id", 0, 1 << 30);
  const int object = fields.whole("object", 0, 1 << 30);
  if (object >= static_cast<int>(frames.body_count()))
    fail_input(code::live_event, "object: found {}, expected the number of a body, 0 to {}", object,
               frames.body_count() - 1);
  const std::vector<Index>& vertices = frames.object_vertices(object);
  event.vertex = vertices[fields.whole("vertex", 0, static_cast<int>(vertices.size()) - 1)];
  event.target = fields.vector("target");
  if (!fields.has("stiffness")) return event;
  event.stiffness = fields.number("stiffness");
  if (!(event.stiffness > 0))
    fail_input(
        code::live_event,
        "stiffness: found {}, expected a positive number [N/m], or no number to use a stiffness that suits the body",
        event.stiffness);
  return event;
}

// So that no viewer can make steps slow. Scripts pull at as many places as they like.
void require_pull_fits(const std::vector<LivePull>& pulls, const LiveEvent& event) {
  std::size_t count = 0;
  for (const LivePull& pull : pulls) {
    if (pull.client == event.client && pull.id == event.id) return;
    if (pull.client != 0) ++count;
  }
  if (count >= most_pulls)
    fail_input(code::live_event,
               "pull: viewers already pull {} vertices, the most that a live session allows. Release one, or pull from "
               "a script (Simulation.pull, sinew run --script)",
               count);
}

LiveEvent read_release(int client, const MessageFields& fields) {
  LiveEvent event = event_of(client, LiveAction::release);
  event.id = fields.whole("id", 0, 1 << 30);
  return event;
}

// The number of the field that a viewer asks for; -1: none.
int read_field(const MessageFields& fields, std::span<const ReportField> known) {
  const Json& name = fields.any("field");
  if (name.is_null()) return -1;
  for (std::size_t f = 0; f < known.size(); ++f)
    if (name.is_string() && name.get<std::string>() == known[f].name) return static_cast<int>(f);
  fail_input(code::live_event, "field: found {}, expected a field of the mesh", name.dump());
}

// In words; empty where nothing was lost.
std::string words_of(const StateLoss& loss, const System& system) {
  const double least = rounding * system.diagonal;
  if (!(loss.position > least || loss.velocity > least / system.setup.time.step)) return "";
  return fmt::format("up to {:.3g} m of the positions and {:.3g} m/s of the velocities", loss.position, loss.velocity);
}

std::string words_of_left_out(int messages) {
  return fmt::format(
      "{} messages were dropped: {} messages of this viewer already wait, which is the limit; send fewer", messages,
      Mailbox::most_waiting);
}

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

std::vector<std::string> offered_methods() {
  return method_names();
}

LiveSession::LiveSession(Simulation& simulation, LiveControls& controls, LiveOptions options, LiveOutput& output)
    : simulation_(simulation),
      controls_(controls),
      methods_(std::move(options.methods)),
      start_(simulation.state()),
      frames_(simulation.system(), sink_settings(options.record)),
      mailbox_(options.now),
      texts_(output, options.now),
      frame_sender_(simulation, controls, frames_, output, options.now),
      recording_(std::move(options.record), simulation, controls),
      pace_(options.speed, options.now) {
  renew_weights();
  simulation.set_listener(
      {[this](std::span<const Edit> edits) { edited(edits); }, [this](std::string_view what) { state_set(what); }});
}

// ---- What happens, in its order: messages are followed, a step is made, viewers see it.

void LiveSession::run(const std::function<bool()>& stop) {
  while (!stop()) {
    handle();
    if (take_step()) {
      step();
      // A load step of statics takes no time of the wall.
      const TimeSetup& time = simulation_.system().setup.time;
      if (time.integrator != Integrator::statics) pace_.plan_after(time.step);
    } else {
      send();
      pace_.plan_in(pause_interval);
    }
    wait_for_step(stop);
  }
  end();
}

void LiveSession::handle() {
  const Mailbox::Delivery delivery = mailbox_.take();
  for (const int client : delivery.told) texts_.end_waiting(client);
  for (const Letter& letter : delivery.letters) {
    switch (letter.kind) {
      case Letter::Kind::opened:
        open(letter.client);
        break;
      case Letter::Kind::closed:
        leave(letter.client);
        break;
      case Letter::Kind::message:
        answer(letter.client, letter.text);
        break;
    }
  }
  for (const auto& [client, count] : delivery.left_out)
    if (texts_.has(client)) texts_.send_error(client, words_of_left_out(count));
  if (controls_.version() != controls_version_) {  // scripts apply events too
    controls_version_ = controls_.version();
    frame_sender_.bodies_changed();
    dirty_ = true;
  }
  follow_space();
  if (dirty_) {
    dirty_ = false;
    send_state();
    texts_.send_curves(controls_);
  }
}

bool LiveSession::take_step() {
  const bool step = !paused_ || single_;
  single_ = false;
  return step;
}

void LiveSession::step() {
  try {
    publish(simulation_.step());
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {  // the load is on, or the step cannot be computed: the state is that before it
    const TimeSetup& time = simulation_.system().setup.time;
    finished_ =
        simulation_.path_ended() || (time.integrator == Integrator::statics && simulation_.clock().step >= time.steps);
    pause(true);
    texts_.send_error(error.text());
  }
}

void LiveSession::publish(const StepReport& report) {
  follow_space();
  pace_.count_step();
  texts_.add_row(recording_.runs() ? recording_.record(report) : step_row(report, simulation_.system().sensors));
  frame_sender_.bodies_changed();
  send();
}

void LiveSession::show() {
  handle();
  send();
}

void LiveSession::send() {
  frame_sender_.send(/*at_rest=*/paused_);
  texts_.send_rows(pace_.rate());
}

// Until the next step is due messages are done as they come, so that pulls act on it.
void LiveSession::wait_for_step(const std::function<bool()>& stop) {
  while (pace_.left() > 0ms) {
    mailbox_.wait(std::min<WallClock::duration>(pace_.left(), stop_interval));
    if (stop()) return;
    handle();
    if (single_) return;
    // Also before a step that is far off.
    if (paused_ || pace_.left() > stop_interval) frame_sender_.send(/*at_rest=*/paused_);
  }
}

void LiveSession::end() {
  if (recording_.end()) dirty_ = true;
}

// ---- What viewers ask for.

void LiveSession::tell_waiting() {
  mailbox_.tell_waiting([this](int client) { texts_.send_waiting(client); });
}

void LiveSession::open(int client) {
  texts_.open(client);
  frame_sender_.open(client);
  dirty_ = true;
}

void LiveSession::leave(int client) {
  if (!texts_.close(client)) return;
  frame_sender_.close(client);
  for (LiveEvent& event : controls_.releases(client)) apply(std::move(event));
  dirty_ = true;
}

void LiveSession::answer(int client, const std::string& text) {
  if (!texts_.has(client)) return;
  try {
    const Json json = parse_shallow(text);
    if (json.is_discarded())
      fail_input(code::live_event, "found text that is not JSON, or JSON nested more than {} levels deep",
                 deepest_json);
    follow(client, MessageFields(json));
  } catch (const Error& error) {
    texts_.refuse(client, text, error.text());
  }
}

void LiveSession::follow(int client, const MessageFields& fields) {
  const std::string type = fields.text("type");
  if (type == "pull") {
    LiveEvent event = read_pull(client, fields, frames_);
    if (fields.has("pin") && fields.flag("pin")) event.stiffness = controls_.pin_stiffness(event.vertex);
    require_pull_fits(controls_.pulls(), event);
    apply(std::move(event));
  } else if (type == "release") {
    apply(read_release(client, fields));
  } else if (type == "set") {
    change_setting(client, fields);
  } else if (type == "method") {
    change_method(client, fields.text("name"));
  } else if (type == "curves") {
    follow_curves(client, fields);
  } else if (type == "pause") {
    pause(fields.flag("on"));
  } else if (type == "step") {
    single_ = true;
  } else if (type == "reset") {
    reset();
  } else if (type == "color") {
    frame_sender_.choose_field(client, read_field(fields, frames_.fields()));
  } else if (type == "record") {
    record(fields.flag("on"));
  } else if (type == "seen") {
    frame_sender_.seen(client, static_cast<std::uint32_t>(fields.whole("frame", 0, 2'000'000'000)));
  } else {
    fail_input(code::live_event, "type: found \"{}\", which this server does not know", type);
  }
}

void LiveSession::change_setting(int client, const MessageFields& fields) {
  LiveEvent event = event_of(client, LiveAction::set);
  event.key = fields.text("key");
  event.value = fields.any("value");
  if (event.key == "speed") {  // of the session, not of the simulation
    const double speed = fields.number("value");
    if (!(speed >= 0 && speed <= Pace::fastest))
      fail_input(code::live_event, "speed: found {:g}, expected 0 (unlimited) to {:g}", speed, Pace::fastest);
    pace_.set_speed(speed);
  } else {
    apply(std::move(event));
  }
  dirty_ = true;
}

void LiveSession::change_method(int client, const std::string& name) {
  LiveEvent event = event_of(client, LiveAction::method);
  event.key = name;
  if (std::ranges::find(methods_, name) == methods_.end()) find_method(name);
  busy("changing the method");
  try {
    apply(std::move(event));
    loss_ = words_of(controls_.loss(), simulation_.system());
    renew_weights();
  } catch (...) {
    busy("");
    throw;
  }
  busy("");
}

// The refusal names the material, so that a page can tell whose curves stay what they are.
void LiveSession::follow_curves(int client, const MessageFields& fields) {
  LiveEvent event = event_of(client, LiveAction::curves);
  try {
    read_curves(fields, event);
    apply(event);
  } catch (const Error& error) {
    texts_.refuse_curves(client, event.key, error.text());
  }
}

void LiveSession::record(bool on) {
  if (on == recording_.runs()) return;
  if (on) {
    recording_.start();
  } else {
    recording_.end();
  }
  dirty_ = true;
}

// The start again, with the settings as they are now.
void LiveSession::reset() {
  recording_.end();
  acts_ = true;
  for (LiveEvent& event : controls_.releases()) controls_.apply(event);
  acts_ = false;
  simulation_.replace(start_);
  finished_ = false;
  pace_.plan_now();
  frame_sender_.bodies_changed();
  frame_sender_.renew();
  frame_sender_.renew_fields();
  dirty_ = true;
}

void LiveSession::pause(bool paused) {
  paused_ = paused;
  pace_.plan_now();
  dirty_ = true;
}

void LiveSession::set(const std::string& key, const Json& value) {
  LiveEvent event = event_of(0, LiveAction::set);
  event.key = key;
  event.value = value;
  apply(std::move(event));
}

void LiveSession::apply(LiveEvent event) {
  event.step = simulation_.clock().step;
  acts_ = true;
  try {
    controls_.apply(event);
  } catch (...) {
    acts_ = false;
    throw;
  }
  acts_ = false;
  if (event.action == LiveAction::set && event.key == "time.step")
    pace_.plan_now();  // the old step may have put the next one far off
  recording_.add(event);
  frame_sender_.bodies_changed();
  controls_version_ = controls_.version();
  if (event.action != LiveAction::pull && event.action != LiveAction::release) dirty_ = true;
  if (on_event) on_event(event);
}

// ---- What scripts do.

void LiveSession::edited(std::span<const Edit> edits) {
  if (acts_) return;
  if (recording_.runs()) {
    LiveEvent event = event_of_edits(edits, simulation_.system());
    event.step = simulation_.clock().step;
    recording_.add(event);
  }
  frame_sender_.bodies_changed();
  dirty_ = true;
}

// A recording holds actions, but no state other than its first.
void LiveSession::state_set(std::string_view what) {
  frame_sender_.bodies_changed();
  dirty_ = true;
  if (!recording_.runs()) return;
  LiveEvent event = event_of(0, LiveAction::state);
  event.key = what;
  recording_.add(event);
  const std::string text = fmt::format(
      "the script has set {} during the recording {}: \"sinew run --script\" can repeat it only up to this step", what,
      recording_.folder());
  log::warning("{}", text);
  texts_.send_error(text);
}

// Targets, fixes and releases may set up the subspace again.
void LiveSession::follow_space() {
  if (simulation_.space() != space_) renew_weights();
}

// ---- What viewers are told.

void LiveSession::send_state() {
  Json settings = controls_.settings();
  settings["speed"] = {{"value", pace_.speed()}, {"unit", ""}, {"least", 0.1}, {"most", 10}, {"log", true}};
  texts_.send_state({{"type", "state"},
                     {"paused", paused_},
                     {"finished", finished_},
                     {"method", resolved_method(simulation_.system().setup.solver)},
                     {"methods", methods_},
                     {"settings", settings},
                     {"recording", recording_.runs() ? Json(recording_.folder()) : Json()},
                     {"viewers", texts_.viewer_count()},
                     {"weights", weights_.number()},
                     {"loss", or_null(loss_)},
                     {"busy", or_null(busy_)}});
}

void LiveSession::renew_weights() {
  weights_.renew(frames_, simulation_);
  space_ = simulation_.space();
  frame_sender_.renew();
  dirty_ = true;
}

void LiveSession::busy(const char* what) {
  busy_ = what;
  send_state();
}

}  // namespace sinew

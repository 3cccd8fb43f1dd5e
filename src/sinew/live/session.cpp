#include "sinew/live/session.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/checkpoint.h"
#include "sinew/live/fields.h"

namespace sinew {
namespace {

using namespace std::chrono_literals;

constexpr int protocol_version = 1;
constexpr std::size_t most_pulls = 64;        // of all viewers
constexpr int most_letters = 256;             // of a viewer that are not done yet
constexpr std::uint32_t most_on_the_way = 2;  // frames
constexpr std::size_t most_rows = 256;        // that are sent at once; older ones are left out
constexpr double longest_wait = 1e6;          // for a step [s]
constexpr double rounding = 1e-9;             // over the scene's diagonal: less is not lost but rounded
constexpr auto frame_interval = 16ms, row_interval = 50ms, field_interval = 100ms;
constexpr double fastest = 1e3;        // simulated over wall time
constexpr auto patience = 400ms;       // of a message that waits, before its viewer is told so
constexpr auto stop_interval = 100ms;  // in which somebody looks whether to stop

std::shared_ptr<const std::string> text_of(const Json& json) {
  return std::make_shared<const std::string>(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

SinkSettings sink_settings(const RecorderSettings& record) {
  SinkSettings settings;
  settings.folder = record.folder;
  settings.facts = record.facts;
  settings.scene = record.scene;
  settings.every = record.every;
  return settings;
}

}  // namespace

std::vector<std::string> offered_methods() {
  return method_names();
}

LiveSession::LiveSession(Simulation& simulation, LiveControls& controls, LiveOptions options, LiveOutput& output)
    : simulation_(simulation),
      controls_(controls),
      options_(std::move(options)),
      output_(output),
      frames_(simulation.system(), sink_settings(options_.record)),
      start_(simulation.state()),
      mesh_(std::make_shared<const std::string>(frames_.mesh())) {
  script_.scene = simulation.system().setup.name;
  change_weights();
}

LiveSession::~LiveSession() = default;

std::shared_ptr<const std::string> LiveSession::weights() const {
  const std::lock_guard lock(mutex_);
  return weights_;
}

void LiveSession::opened(int client) {
  const std::lock_guard lock(mutex_);
  letters_.push_back({Letter::Kind::opened, client, {}, options_.now()});
  woken_.notify_one();
}

void LiveSession::closed(int client) {
  const std::lock_guard lock(mutex_);
  letters_.push_back({Letter::Kind::closed, client, {}, options_.now()});
  woken_.notify_one();
}

void LiveSession::message(int client, std::string_view text) {
  const std::lock_guard lock(mutex_);
  int& waiting = waiting_[client];
  if (waiting >= most_letters) {
    // A flood, or a drag during a long step: what is waiting is done, the rest is not. But where the last one is a pull
    // it is replaced: by its next place, or by its release, which must not be lost.
    const auto last = std::ranges::find(letters_.rbegin(), letters_.rend(), client, &Letter::client);
    if (last != letters_.rend() && last->text.find("\"pull\"") != std::string::npos) {
      last->text = text;
    } else {
      ++dropped_[client];
    }
    return;
  }
  ++waiting;
  letters_.push_back({Letter::Kind::message, client, std::string(text), options_.now()});
  woken_.notify_one();
}

void LiveSession::tell_waiting() {
  const std::lock_guard lock(mutex_);
  for (const Letter& letter : letters_) {
    if (letter.kind != Letter::Kind::message || options_.now() - letter.came < patience) continue;
    if (letter.text.find("\"seen\"") != std::string::npos || !told_.insert(letter.client).second) continue;
    output_.send(
        letter.client,
        text_of({{"type", "waiting"},
                 {"message", "the simulation is still at work on a step; what you asked for waits for its end"}}));
  }
}

void LiveSession::handle() {
  std::deque<Letter> letters;
  std::set<int> told;
  std::map<int, int> dropped;
  {
    const std::lock_guard lock(mutex_);
    letters.swap(letters_);
    told.swap(told_);
    dropped.swap(dropped_);
    waiting_.clear();
  }
  for (const int client : told) output_.send(client, text_of({{"type", "waiting"}, {"message", nullptr}}));
  for (const Letter& letter : letters) {
    switch (letter.kind) {
      case Letter::Kind::opened:
        open(letter.client);
        break;
      case Letter::Kind::closed:
        leave(letter.client);
        break;
      case Letter::Kind::message:
        if (!viewers_.contains(letter.client)) break;
        try {
          follow(letter.client, letter.text);
        } catch (const Error& error) {
          refuse(letter.client, letter.text, error.what());
        }
        break;
    }
  }
  for (const auto& [client, count] : dropped)
    if (viewers_.contains(client))
      tell(client, fmt::format("{} messages were left out: {} waited already, the most of a viewer; send fewer", count,
                               most_letters));
  if (controls_.version() != controls_version_) {
    controls_version_ = controls_.version();
    ++version_;
    dirty_ = true;
  }
  if (dirty_) {
    dirty_ = false;
    send_state();
    send_curves();
  }
}

void LiveSession::open(int client) {
  viewers_[client] = {};
  output_.send(client, text_of({{"type", "hello"}, {"version", protocol_version}, {"client", client}}));
  newcomers_.push_back(client);
  dirty_ = true;
}

void LiveSession::leave(int client) {
  if (viewers_.erase(client) == 0) return;
  for (LiveEvent& event : controls_.releases(client)) apply(std::move(event));
  dirty_ = true;
}

void LiveSession::follow(int client, const std::string& text) {
  const Json json = parse_shallow(text);
  if (json.is_discarded()) fail_input("found no JSON, or some nested more than {} levels deep", deepest_json);
  const MessageFields fields(json);
  const std::string type = fields.text("type");
  LiveEvent event;
  event.client = client;
  if (type == "pull") {
    event.action = LiveAction::pull;
    event.id = fields.whole("id", 0, 1 << 30);
    const int object = fields.whole("object", 0, 1 << 30);
    if (object >= static_cast<int>(frames_.body_count()))
      fail_input("object: found {}, expected that of a body, 0 to {}", object, frames_.body_count() - 1);
    const std::vector<Index>& vertices = frames_.object_vertices(object);
    event.vertex = vertices[fields.whole("vertex", 0, static_cast<int>(vertices.size()) - 1)];
    event.target = fields.vector("target");
    if (fields.has("stiffness")) {
      event.stiffness = fields.number("stiffness");
      if (!(event.stiffness > 0))
        fail_input("stiffness: found {}, expected a positive number [N/m], or none for one that suits the body",
                   event.stiffness);
    }
    require_pull_fits(client, event.id);
    apply(std::move(event));
  } else if (type == "release") {
    event.action = LiveAction::release;
    event.id = fields.whole("id", 0, 1 << 30);
    apply(std::move(event));
  } else if (type == "set") {
    event.action = LiveAction::set;
    event.key = fields.text("key");
    event.value = fields.any("value");
    if (event.key == "speed") {
      const double speed = fields.number("value");
      if (!(speed >= 0 && speed <= fastest))
        fail_input("speed: found {:g}, expected 0 (as fast as it goes) to {:g}", speed, fastest);
      options_.speed = speed;
      due_ = {};
    } else {
      apply(std::move(event));
    }
    dirty_ = true;
  } else if (type == "method") {
    event.action = LiveAction::method;
    event.key = fields.text("name");
    if (std::ranges::find(options_.methods, event.key) == options_.methods.end()) find_method(event.key);
    busy("changing the method");
    try {
      apply(std::move(event));
      const StateLoss& loss = controls_.loss();
      const double least = rounding * simulation_.system().diagonal;
      loss_ = loss.position > least || loss.velocity > least / simulation_.system().setup.time.step
                  ? fmt::format("up to {:.3g} m of the positions and {:.3g} m/s of the velocities", loss.position,
                                loss.velocity)
                  : "";
      change_weights();
    } catch (...) {
      busy("");
      throw;
    }
    busy("");
  } else if (type == "curves") {
    follow_curves(client, fields);
  } else if (type == "pause") {
    pause(fields.flag("on"));
  } else if (type == "step") {
    single_ = true;
  } else if (type == "reset") {
    reset();
  } else if (type == "color") {
    const Json& field = fields.any("field");
    int chosen = -1;
    const std::span<const ReportField> known = frames_.fields();
    for (std::size_t f = 0; f < known.size(); ++f)
      if (field.is_string() && field.get<std::string>() == known[f].name) chosen = static_cast<int>(f);
    if (chosen < 0 && !field.is_null()) fail_input("field: found {}, expected a field of the mesh", field.dump());
    Viewer& viewer = viewers_[client];
    viewer.field = chosen;
    viewer.fresh = true;
  } else if (type == "record") {
    if (fields.flag("on") == recorder_.has_value()) return;
    if (recorder_) {
      end_recording();
    } else {
      start_recording();
    }
    dirty_ = true;
  } else if (type == "seen") {
    Viewer& viewer = viewers_[client];
    const auto frame = static_cast<std::uint32_t>(fields.whole("frame", 0, 2'000'000'000));
    if (frame <= viewer.sent) viewer.seen = std::max(viewer.seen, frame);
  } else {
    fail_input("type: found \"{}\", which is none that this server knows", type);
  }
}

// So that no viewer can make steps slow. Scripts pull at as many places as they like.
void LiveSession::require_pull_fits(int client, int id) const {
  std::size_t count = 0;
  for (const LivePull& pull : controls_.pulls()) {
    if (pull.client == client && pull.id == id) return;
    if (pull.client != 0) ++count;
  }
  if (count >= most_pulls)
    fail_input(
        "pull: found a new place, but viewers pull at {} already, the most that a live session allows them together; "
        "let go of one, or pull from a script, which has no limit (Simulation.pull, sinew run --script)",
        count);
}

// The refusal names the material, so that a page can tell whose curves stay what they are.
void LiveSession::follow_curves(int client, const MessageFields& fields) {
  LiveEvent event;
  event.client = client;
  event.action = LiveAction::curves;
  try {
    read_curves(fields, event);
    apply(event);
  } catch (const Error& error) {
    output_.send(client, text_of({{"type", "error"}, {"material", event.key}, {"message", error.what()}}));
  }
}

void LiveSession::apply(LiveEvent event) {
  event.step = simulation_.clock().step;
  controls_.apply(event);
  if (event.action == LiveAction::set && event.key == "time.step")
    due_ = {};  // which the old step may have put far off
  // A pull that moves on before the next step has but its last place.
  const auto replaces = [&](const LiveEvent& last) {
    return event.action == LiveAction::pull && last.action == LiveAction::pull && last.step == event.step &&
           last.client == event.client && last.id == event.id;
  };
  if (recorder_) {
    if (!script_.events.empty() && replaces(script_.events.back()))
      script_.events.back() = event;
    else
      script_.events.push_back(event);
  }
  ++version_;
  controls_version_ = controls_.version();
  if (event.action != LiveAction::pull && event.action != LiveAction::release) dirty_ = true;
  if (on_event) on_event(event);
}

void LiveSession::set(const std::string& key, const Json& value) {
  LiveEvent event;
  event.action = LiveAction::set;
  event.key = key;
  event.value = value;
  apply(std::move(event));
}

void LiveSession::pause(bool paused) {
  paused_ = paused;
  due_ = {};
  dirty_ = true;
}

// The start again, with the settings as they are now.
void LiveSession::reset() {
  end_recording();
  for (LiveEvent& event : controls_.releases()) controls_.apply(event);
  simulation_.replace(start_);
  finished_ = false;
  due_ = {};
  ++version_;
  for (auto& [client, viewer] : viewers_) viewer.fresh = true;
  field_due_.clear();
  dirty_ = true;
}

void LiveSession::change_weights() {
  auto weights = LiveFrames::has_weights(simulation_)
                     ? std::make_shared<const std::string>(frames_.weights(simulation_, ++weights_number_))
                     : nullptr;
  {
    const std::lock_guard lock(mutex_);
    weights_ = std::move(weights);
  }
  for (auto& [client, viewer] : viewers_) viewer.fresh = true;
  dirty_ = true;
}

void LiveSession::send_state() {
  Json settings = controls_.settings();
  settings["speed"] = {{"value", options_.speed}, {"unit", ""}, {"least", 0.1}, {"most", 10}, {"log", true}};
  const Json state = {{"type", "state"},
                      {"paused", paused_},
                      {"finished", finished_},
                      {"method", resolved_method(simulation_.system().setup.solver)},
                      {"methods", options_.methods},
                      {"settings", settings},
                      {"recording", recording_.empty() || !recorder_ ? Json() : Json(recording_)},
                      {"viewers", viewers_.size()},
                      {"weights", weights() ? Json(weights_number_) : Json()},
                      {"loss", loss_.empty() ? Json() : Json(loss_)},
                      {"busy", busy_.empty() ? Json() : Json(busy_)}};
  const auto text = text_of(state);
  for (const auto& [client, viewer] : viewers_) output_.send(client, text);
}

// What has changed to all, everything to who has just come.
void LiveSession::send_curves() {
  Json changed = Json::object(), all = Json::object();
  for (const auto& [name, version] : controls_.drawn_versions()) {
    long& told = drawn_versions_[name];
    if (told == version && newcomers_.empty()) continue;
    const Json drawn = controls_.drawn(name);
    if (told != version) changed[name] = drawn;
    told = version;
    all[name] = drawn;
  }
  const auto send = [&](int client, const Json& materials) {
    if (!materials.empty()) output_.send(client, text_of({{"type", "curves"}, {"materials", materials}}));
  };
  for (const auto& [client, viewer] : viewers_)
    send(client, std::ranges::find(newcomers_, client) == newcomers_.end() ? changed : all);
  newcomers_.clear();
}

// The answer to a message that was not followed: with what it was about, so that a page can show what there is.
void LiveSession::refuse(int client, const std::string& text, const std::string& why) {
  Json answer = {{"type", "error"}, {"message", why}};
  const Json message = parse_shallow(text);
  for (const char* name : {"key", "id"})
    if (message.is_object() && message.contains(name) && (message[name].is_string() || message[name].is_number()))
      answer[name] = message[name];
  output_.send(client, text_of(answer));
}

void LiveSession::busy(const char* what) {
  busy_ = what;
  send_state();
}

void LiveSession::tell(int client, const std::string& message) {
  output_.send(client, text_of({{"type", "error"}, {"message", message}}));
}

void LiveSession::send_frames() {
  const auto now = options_.now();
  if (now - frame_sent_ < frame_interval) return;
  std::map<int, std::string> by_field;
  for (auto& [client, viewer] : viewers_) {
    if (!viewer.fresh && (viewer.version == version_ || viewer.sent - viewer.seen >= most_on_the_way)) continue;
    viewer.version = version_;
    const int field = viewer.field;
    if (!by_field.contains(field)) {
      std::string& part = field_parts_[field];
      if (field >= 0 && (part.empty() || now >= field_due_[field] || paused_)) {
        // A field costs time of the order of the mesh: at most a fifth of it all.
        part = frames_.field_part(simulation_, static_cast<std::size_t>(field));
        field_due_[field] = options_.now() + std::max<Clock::duration>(field_interval, 4 * (options_.now() - now));
      }
      by_field[field] =
          frames_.frame(simulation_, controls_.pulls(), static_cast<std::size_t>(std::max(field, 0)), part);
    }
    std::string bytes = by_field[field];
    LiveFrames::number(bytes, ++viewer.sent);
    viewer.fresh = false;
    output_.set_frame(client, std::make_shared<const std::string>(std::move(bytes)));
  }
  frame_sent_ = now;
}

void LiveSession::send_rows() {
  const auto now = options_.now();
  if (rows_.empty() || now - rows_sent_ < row_interval) return;
  rows_sent_ = now;
  const auto text = text_of({{"type", "rows"}, {"rate", rate_}, {"rows", std::move(rows_)}});
  rows_ = Json::array();
  for (const auto& [client, viewer] : viewers_) output_.send(client, text);
}

void LiveSession::publish(const StepReport& report) {
  const auto now = options_.now();
  steps_.push_back(now);
  while (now - steps_.front() > 1s) steps_.pop_front();
  const double span = std::chrono::duration<double>(now - steps_.front()).count();
  rate_ = span > 0 ? static_cast<double>(steps_.size() - 1) / span : 0;
  if (recorder_) {
    rows_.push_back(recorder_->record(report));
  } else {
    rows_.push_back(step_row(report));
  }
  if (rows_.size() > most_rows) rows_.erase(rows_.begin());
  ++version_;
  send_frames();
  send_rows();
}

void LiveSession::show() {
  handle();
  send_frames();
  send_rows();
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
    const bool statics = simulation_.system().setup.time.integrator == Integrator::statics;
    finished_ = statics && simulation_.clock().step >= simulation_.system().setup.time.steps;
    pause(true);
    for (const auto& [client, viewer] : viewers_) tell(client, error.what());
  }
}

// Simulated time passes no faster than `speed` times that of the wall.
void LiveSession::pace() {
  if (!(options_.speed > 0) || simulation_.system().setup.time.integrator == Integrator::statics) return;
  const auto now = options_.now();
  const double seconds = std::min(simulation_.system().setup.time.step / options_.speed, longest_wait);
  const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  due_ = std::max(due_ == Clock::time_point{} ? now : due_ + step, now - 2 * step);
}

void LiveSession::run(const std::function<bool()>& stop) {
  while (!stop()) {
    handle();
    if (single_ || !paused_) {
      single_ = false;
      step();
      pace();
    } else {
      send_frames();
      send_rows();
      due_ = options_.now() + 20ms;
    }
    // Until the next step is due messages are done as they come, so that pulls act on it.
    for (;;) {
      std::unique_lock lock(mutex_);
      const auto now = options_.now();
      if (due_ == Clock::time_point{} || now >= due_) break;
      woken_.wait_until(lock, std::min(due_, now + stop_interval), [&] { return !letters_.empty(); });
      lock.unlock();
      if (stop()) break;
      handle();
      if (single_) break;
      if (paused_ || due_ - options_.now() > stop_interval) send_frames();  // also before a step that is far off
    }
  }
  end_recording();
}

void LiveSession::start_recording() {
  namespace fs = std::filesystem;
  RecorderSettings settings = options_.record;
  std::error_code ignored;
  do {
    settings.folder = fmt::format("{}_{}", options_.record.folder, ++recordings_);
  } while (fs::exists(settings.folder, ignored));
  simulation_.restart_clock();
  if (settings.scene.built.is_null()) settings.scene.built = settings.scene.completed;
  settings.scene.completed = controls_.completed();
  settings.facts.method = resolved_method(simulation_.system().setup.solver);
  if (settings.formats.empty()) settings.formats = {"html"};  // there is to be something to look at
  settings.checkpoint = std::numeric_limits<int>::max();      // at the end, so that the run may go on
  recorder_.emplace(settings, simulation_);
  recording_ = settings.folder;
  // What a replay starts from: settings and pulls as events, the state as a file.
  script_.start = "start.h5";
  script_.events = controls_.all();
  script_.before_start = static_cast<int>(
      std::ranges::count_if(script_.events, [](const LiveEvent& event) { return event.action != LiveAction::pull; }));
  try {
    write_checkpoint(recording_ + "/" + script_.start, settings.scene, simulation_);
  } catch (...) {
    recorder_.reset();
    throw;
  }
}

void LiveSession::end_recording() {
  if (!recorder_) return;
  recorder_->renew_checkpoint();  // settings may have changed since the last step
  recorder_->finish();
  recorder_.reset();
  script_.steps = simulation_.clock().step;
  write_live_script(recording_ + "/script.json", script_);
  script_.events.clear();
  log::info("recorded {}", recording_);
  dirty_ = true;
}

}  // namespace sinew

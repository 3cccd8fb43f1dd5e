#include "small_scene.h"
#include "target.h"
#include "targets.h"

#include "sinew/live/session.h"
#include "sinew/scene/scene.h"

namespace sinew::fuzz {
namespace {

struct NoViewers : LiveOutput {
  void send(int, std::shared_ptr<const std::string>) override {}
  void set_frame(int, std::shared_ptr<const std::string>) override {}
};

struct Running {
  Scene scene = parse_scene(small_scene(), ".");
  std::shared_ptr<System> system = build_system(scene);
  Simulation simulation{system};
  NoViewers viewers;
  std::unique_ptr<LiveControls> controls;
  std::unique_ptr<LiveSession> session;

  Running() {
    simulation.allow_changes(system);
    controls = std::make_unique<LiveControls>(scene.completed, simulation);
    LiveOptions options;
    options.record.scene = {scene.completed, ".", "", ""};
    session = std::make_unique<LiveSession>(simulation, *controls, std::move(options), viewers);
    session->opened(1);
    session->handle();
  }
};

}  // namespace

// A message a line; none of them writes files.
void live_message(std::string_view input) {
  if (input.find("record") != std::string_view::npos) return;
  static Running running;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    running.session->message(1, input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  running.session->handle();
}

void live_script(std::string_view input) {
  allow_input_error([&] { read_live_script(file_with("script.json", input)); });
}

}  // namespace sinew::fuzz

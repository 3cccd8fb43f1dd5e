// sinew live: a simulation that is shown in the browser, and pulled at there, while it runs.

#include <cerrno>
#include <cstring>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/browser.h"
#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/initial_state.h"
#include "sinew/lint/memory.h"
#include "sinew/lint/scene_check.h"
#include "sinew/live/live_page.h"
#include "sinew/reduced/coarse_surface.h"

namespace sinew::app {
namespace {

// Iterations of a step, of methods that may have a budget, where the scene has none. In contact fewer would hold bodies
// up where parts of them are about to touch.
int live_budget(const System& system) {
  return system.setup.contact.enabled && may_touch_others(system) ? 5 : 3;
}

struct LiveCommandOptions {
  SceneOptions scene;
  std::string folder;
  live::ServerSettings server;
  bool open = false, paused = false;
  double speed = 1;
};

// Viewers take leave before the session goes, whatever ends it.
struct Farewell {
  LivePage& page;
  ~Farewell() { page.stop(); }
};

int execute(LiveCommandOptions options) {
  if (options.folder.empty()) options.folder = "out/" + scene_stem(options.scene) + "_live";
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  SceneCheck check({.intersections = true});
  Scene scene = read_scene(options.scene);
  check.look_at(scene.setup);
  LivePage page(options.server);  // before what takes long: the port may be taken
  const std::shared_ptr<System> system = build_system(scene);
  check_memory(*system, resolved_method(system->setup.solver));
  const std::optional<InitialMotion> motion = read_start(scene.initial, *system, scene.source);
  std::unique_ptr<Simulation> simulation;
  {
    const activity::Listening listening(setup_listener());
    simulation = start_simulation(system, motion, scene.source);
  }
  simulation->allow_changes(system);
  check.look_at(scene, *system, simulation->state(), motion);
  check.tell(check_command(options.scene));
  simulation->set_interrupt(InterruptGuard::requested);

  LiveOptions live;
  live.record.folder = options.folder;
  live.record.formats = scene.output.formats;
  live.record.every = scene.output.every;
  live.record.sound = scene.output.sound;
  live.record.fields = scene.output.fields;
  live.record.nodal_fields = scene.output.nodal_fields;
  live.record.facts = {system->setup.name, resolved_method(system->setup.solver), thread_count()};
  live.record.scene = scene_text(scene);
  live.record.scene.system_hash = system_hash(*system);                            // before anything is changed
  if (system->setup.solver.error_every < 0) system->setup.solver.error_every = 0;  // unless asked for
  live.methods = offered_methods();
  live.speed = options.speed;
  LiveControls controls(scene.completed, *simulation, measurements_of(scene.fits));
  LiveSession session(*simulation, controls, std::move(live), page);
  // A frame in time is worth more than the last digit: converged steps are a slider away.
  const bool budgeted = find_method(resolved_method(system->setup.solver)).uses("iterations");
  const bool given = system->setup.solver.iterations >= 0;  // also 0, until the tolerance
  if (budgeted && !given && iteration_budget(system->setup.solver) == 0)
    session.set("solver.iterations", live_budget(*system));
  session.pause(options.paused);
  page.start(session);
  const Farewell farewell{page};
  fmt::print("{} is live at {} (Ctrl-C stops)\n", scene.source, page.url());
  if (std::fflush(stdout) != 0)
    throw SimulationError(code::output_write, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  if (options.open && has_display()) open_browser(page.url());
  try {
    session.run(InterruptGuard::requested);
  } catch (const Interrupted&) {  // in the midst of a step
  }
  session.end();
  return 0;
}

}  // namespace

Action add_live(CLI::App& app) {
  const auto options = std::make_shared<LiveCommandOptions>();
  options->scene.add_to(app);
  options->scene.add_method_to(app);
  app.add_option("--port", options->server.port, "Port (default: any free one)")->check(whole_number(0, 65535));
  app.add_option("--address", options->server.address, "Address to listen on; all but 127.0.0.1 need --token")
      ->check(not_empty("a numeric address, such as 0.0.0.0"));
  app.add_option("--token", options->server.token, "Word that each request must carry as ?token=WORD");
  app.add_option("--allow-origin", options->server.origins,
                 "Also accept pages served from http://HOST:PORT (repeatable)")
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--open", options->open, "Show the page in a browser");
  app.add_flag("--paused", options->paused, "Start paused; press Play in the browser");
  app.add_option("--speed", options->speed, "Largest ratio of simulated time to wall time; 0: unlimited (default: 1)")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
      "-o,--output", options->folder,
      "Folder of recordings; _1, _2, ... is appended to its name (default: out/, the scene's name and _live)");
  return [options] { return execute(*options); };
}

}  // namespace sinew::app

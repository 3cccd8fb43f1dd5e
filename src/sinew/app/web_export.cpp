#include "sinew/app/web_export.h"

#include <filesystem>

#include <fmt/format.h>

#include "sinew/app/interrupt.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/web_page.h"

namespace sinew::app {

int export_web(const WebExport& options) {
  std::error_code error;
  if (!options.overwrite && std::filesystem::exists(options.page, error))
    fail_input(code::output_exists, "'{}' exists; give --overwrite to replace it", options.page);
  require_folder_of(options.page);
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  const activity::Listening listening(setup_listener());
  Scene scene = read_scene(options.scene);
  keep_inputs(scene, "--web", options.page);
  const std::shared_ptr<System> system = build_system(scene);
  const Simulation simulation(system);
  const std::size_t size = write_web_page(options.page, simulation, options.triangles);
  fmt::print("{}: {:.2f} MB, {} tets, {} vertices\n", options.page, 1e-6 * static_cast<double>(size),
             system->tet_count(), system->dynamic_count);
  return 0;
}

}  // namespace sinew::app

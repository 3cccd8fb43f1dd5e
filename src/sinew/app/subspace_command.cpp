// sinew subspace: the clusters, handles and functions that `multilevel` would use, as numbers and as a page.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/scene_options.h"
#include "sinew/app/subspace_facts.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/io/subspace_page.h"
#include "sinew/lint/handle_warnings.h"

namespace sinew::app {
namespace {

struct SubspaceOptions {
  SceneOptions scene;
  int handles = 0;  // 0: the scene's
  bool cubature = false;
  std::string html, json;
};

// The facts, then each list of numbers in a line.
void write_json(const std::string& path, Json facts, const Json& lists) {
  std::string text = facts.dump(2);
  text.erase(text.rfind("\n}"));
  for (const auto& [name, list] : lists.items()) text += fmt::format(",\n  \"{}\": {}", name, list.dump());
  write_file_atomically(path, text + "\n}\n");
}

int execute(SubspaceOptions options) {
  for (const std::string* path : {&options.html, &options.json})
    if (!path->empty()) require_folder_of(*path);
  keep_apart("--html", options.html, "--json", options.json);
  if (options.handles > 0) options.scene.overrides.push_back(fmt::format("solver.handles={}", options.handles));
  if (options.cubature) options.scene.overrides.emplace_back("solver.multilevel.printed.hessian=cubature");
  options.scene.method = "multilevel";  // its settings count, whatever method the scene names
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;

  Scene scene = read_scene(options.scene);
  keep_inputs(scene, "--html", options.html);
  keep_inputs(scene, "--json", options.json);
  const std::shared_ptr<const System> system = build_system(scene);
  warn_of_handles(*system, system->setup.solver, scene.source);
  const std::shared_ptr<const Hierarchy> hierarchy = [&] {
    const activity::Listening listening(setup_listener());
    return make_hierarchy(*system, prescribed_at_start(*system));
  }();
  const SubspaceFacts facts = subspace_facts(*system, *hierarchy);
  fmt::print("{}", text(facts));
  if (!options.json.empty()) write_json(options.json, json(facts), clusters_json(*system, *hierarchy));
  if (!options.html.empty()) {
    write_subspace_page(options.html, {*system, *hierarchy, scene.completed, json(facts)});
    fmt::print("{}\n", options.html);
  }
  return 0;
}

}  // namespace

Action add_subspace(CLI::App& app) {
  const auto options = std::make_shared<SubspaceOptions>();
  options->scene.add_to(app);
  app.add_option("--handles", options->handles, "Handles, in place of the scene's solver.handles")
      ->check(whole_number(1, 10000000));
  app.add_flag("--cubature", options->cubature,
               "Also make the cubature, like --set solver.multilevel.printed.hessian=cubature");
  app.add_option("--html", options->html, "Write a page with clusters, handles and functions to this file")
      ->check(not_empty("the name of a file"));
  app.add_option("--json", options->json, "Write the numbers to this file too")->check(not_empty("the name of a file"));
  return [options] { return execute(*options); };
}

}  // namespace sinew::app

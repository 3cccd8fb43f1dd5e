// sinew export: scenes as files of other programs.
#include <CLI/CLI.hpp>

#include "sinew/app/commands.h"
#include "sinew/app/web_export.h"

namespace sinew::app {

Action add_export(CLI::App& app) {
  const auto options = std::make_shared<WebExport>();
  options->scene.add_to(app);
  options->scene.add_method_to(app);
  app.add_option("--web", options->page, "Page that simulates the scene by itself, for method reduced (docs/web.md)")
      ->required()
      ->check(not_empty("the path of a page"));
  app.add_option("--triangles", options->triangles, "Most triangles of the surfaces on the page (default: 30000)")
      ->check(whole_number(100, 10000000));
  app.add_flag("--overwrite", options->overwrite, "Replace the page if it exists");
  return [options] { return export_web(*options); };
}

}  // namespace sinew::app

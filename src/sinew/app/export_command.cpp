// sinew export: the surfaces of a run as files of other programs, or a scene as a page that simulates.
#include <CLI/CLI.hpp>

#include "sinew/app/commands.h"
#include "sinew/app/surface_export.h"
#include "sinew/app/web_export.h"
#include "sinew/core/error.h"

namespace sinew::app {

Action add_export(CLI::App& app) {
  const auto files = std::make_shared<SurfaceExport>();
  const auto page = std::make_shared<WebExport>();
  app.add_option("INPUT", page->scene.path,
                 "Output folder of a run with frames of format vtu; with --web a scene (JSON)")
      ->required();
  CLI::Option* out = app.add_option("-o,--output", files->out,
                                    "File to write. One .glb or .usda holds all frames. Files .obj and .ply are "
                                    "OUT_0000, OUT_0001, ... for each "
                                    "frame. Files .mdd and .pc2 are OUT_PART for each body and obstacle")
                         ->check(not_empty("the name of a file"));
  CLI::Option* web =
      app.add_option("--web", page->page, "Page that simulates the scene by itself, for method reduced (docs/web.md)")
          ->excludes(out)
          ->check(not_empty("the path of a page"));
  app.add_option("--field", files->fields, "Field at vertices, for .ply; may be given several times")
      ->delimiter(',')
      ->needs(out);
  app.add_option("--triangles", page->triangles, "Most triangles of the surfaces on the page (default: 30000)")
      ->needs(web)
      ->check(whole_number(100, 10000000));
  page->scene.add_edits_to(app);
  page->scene.add_method_to(app);
  for (const char* option : {"--set", "--threads", "--method", "--steps"}) app.get_option(option)->needs(web);
  app.add_flag("--overwrite", files->overwrite, "Replace existing files");
  return [files, page] {
    if (files->out.empty() && page->page.empty()) {
      fail_input(code::usage, "export: missing -o or --web, for example: sinew export out/ball_drop -o ball.glb");
    }
    files->input = page->scene.path;
    page->overwrite = files->overwrite;
    return page->page.empty() ? export_surfaces(*files) : export_web(*page);
  };
}

}  // namespace sinew::app

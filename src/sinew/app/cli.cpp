#include "sinew/app/cli.h"

#include <charconv>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/command/program.h"
#include "sinew/core/utf8.h"
#include "sinew/dynamics/methods.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/perturbation/contact_words.h"
#include "sinew/render/color_map.h"

namespace sinew::app {
namespace {

constexpr command::Command commands[] = {
    {"run", "Simulate a scene and write the results to a folder", "sinew run scenes/ball_drop.json -o out", add_run},
    {"check", "Check a scene and print what would run, without running it", "sinew check scenes/ball_drop.json",
     add_check},
    {"live", "Simulate a scene live in the browser, where you can drag its bodies",
     "sinew live scenes/gallery/creature.json", add_live},
    {"compare", "Compare the speed and accuracy of methods on one scene",
     "sinew compare scenes/ball_drop.json --methods newton,newton-pcg", add_compare},
    {"sweep", "Run a scene with many settings, here or on a cluster, and compare the runs",
     "sinew sweep scenes/ball_drop.json --set materials.rubber.young=1e5,2e5,4e5 --jobs 2", add_sweep},
    {"subspace", "Show the clusters and basis functions of the method multilevel",
     "sinew subspace scenes/ball_drop.json --html subspace.html", add_subspace},
    {"modes", "Compute modes of a scene's bodies: vibration or inertia modes, or modes of a run's frames",
     "sinew modes scenes/ball_drop.json --count 20 -o modes.npz", add_modes},
    {"buckling", "Compute the load factors at which a static scene buckles, and the shapes in which it does",
     "sinew buckling scenes/column.json --count 3", add_buckling},
    {"response", "Compute amplitude and phase of a static scene's sensors under harmonic loads",
     "sinew response scenes/shaken_beam.json --from 1 --to 100 -o response.csv", add_response},
    {"bench", "Measure how fast this machine runs sinew's kernels", "sinew bench spmv", add_bench},
    {"info", "Describe a mesh file", "sinew info ball.msh", add_info},
    {"convert", "Write a mesh in another format", "sinew convert ball.mesh ball.msh", add_convert},
    {"fit", "Fit the parameters of a material to measured curves",
     "sinew fit mooney_rivlin --uniaxial rubber.csv -o rubber.json", add_fit},
    {"view", "Show the report of a run in the browser", "sinew view out/ball_drop", add_view},
    {"render", "Make a video or a picture of a run or a scene", "sinew render out/ball_drop -o ball.mp4", add_render},
    {"plot", "Plot sensors and other numbers of a run", "sinew plot out/press --x press.displacement --y press.force",
     add_plot},
    {"export",
     "Write the surfaces of a run for film and game programs (glTF, USD, OBJ, PLY, MDD, PC2), or a page that simulates",
     "sinew export out/ball_drop -o ball.glb", add_export},
    {"explain", "Explain the code at the end of an error, warning or finding", "sinew explain E-scene-key",
     add_explain},
};

std::vector<command::OptionValues> option_values() {
  return {{"--method", method_names()},
          {"--reach", method_names()},
          {"--kind", mode_kind_names()},
          {"--products", {"exact", "sampled"}},
          {"--contact", contact_words()},
          {"--camera", {"fixed", "orbit", "follow"}},
          {"--quality", {"draft", "good", "best"}},
          {"--map", color_map_names()}};
}

constexpr command::Program program = {
    .name = "sinew",
    .description = "contacting hyperelastic solids",
    .commands = commands,
    .out_of_memory = "use a coarser mesh, or --method newton-pcg, which needs less",
    .values = option_values,
};

}  // namespace

CLI::Validator whole_number(long low, long high) {
  const auto check = [low, high](std::string& text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = error == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
    if (good) return std::string();
    return fmt::format("found \"{}\", expected a whole number from {} to {}", shortened(text), low, high);
  };
  return {check, fmt::format("from {} to {}", low, high), ""};
}

CLI::Validator not_empty(const char* expected) {
  const auto check = [expected](std::string& text) {
    return text.empty() ? fmt::format("found \"\", expected {}", expected) : std::string();
  };
  return {check, "", ""};
}

int run_cli(int argc, const char* const* argv) {
  return command::run(program, argc, argv);
}

}  // namespace sinew::app

// sinew render: a video or pictures of a run, or of a scene that is run for it.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/film.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/app/render_options.h"
#include "sinew/app/run.h"
#include "sinew/app/video_file.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/io/file_stem.h"
#include "sinew/render/png.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* sound_name = "sound.wav";
constexpr int most_pictures = 100000;

// A finite number in a range. CLI11's own takes "nan".
CLI::Validator number_between(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value >= low && value <= high)
          return std::string();
        return fmt::format("found \"{}\", expected a number from {:g} to {:g}", shortened(text), low, high);
      },
      "");
}

// What the name of the output says.
enum class OutputKind { video, still, numbered };

// The places of a number in a name, as printf writes it: %d, %4d or %04d. Empty: none.
struct NumberPattern {
  std::size_t begin = 0, end = 0;
  int digits = 0;
};
// Folders, and videos such as "50 %.mp4", may have any % in their names.
std::optional<NumberPattern> pattern_in(const std::string& name) {
  const std::size_t file = name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1;
  const std::size_t begin = name.find('%', file);
  if (begin == std::string::npos) return std::nullopt;
  std::size_t end = begin + 1;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  const bool good = end < name.size() && name[end] == 'd' && end - begin <= 3 && name.find('%', end) == name.npos;
  if (!good && is_video(name) && !lower_extension(name).starts_with(".jp")) return std::nullopt;
  if (!good) fail_input(code::usage, "-o: found \"{}\", expected one number such as %04d in the name", shortened(name));
  const std::string digits = name.substr(begin + 1, end - begin - 1);
  return NumberPattern{begin, end + 1, digits.empty() ? 1 : std::atoi(digits.c_str())};
}

std::string numbered_name(const std::string& name, const NumberPattern& pattern, int number) {
  return fmt::format("{}{:0{}}{}", name.substr(0, pattern.begin), number, pattern.digits, name.substr(pattern.end));
}

OutputKind kind_of(const std::string& output) {
  const std::string ending = lower_extension(output);
  const bool numbered = pattern_in(output).has_value();
  if (ending == ".png") return numbered ? OutputKind::numbered : OutputKind::still;
  if (numbered) fail_input(code::usage, "-o: found \"{}\", expected .png for numbered pictures", shortened(output));
  if (ending == ".jpg" || ending == ".jpeg") return OutputKind::still;
  if (is_video(output)) return OutputKind::video;
  fail_input(code::usage,
             "-o: found \"{}\", expected a name that ends in .mp4, .webm, .webp, .gif, .png or .jpg, or numbered "
             "pictures such as frame_%04d.png",
             shortened(output));
}

void check_options(const RenderOptions& options, OutputKind kind) {
  const bool still = kind == OutputKind::still;
  if (still)
    for (const char* option : {"--fps", "--speed", "--turn"})
      if (options.given(option))
        fail_input(code::usage, "{}: found with a single picture, expected a video or numbered pictures", option);
  if (!still)
    for (const char* option : {"--step", "--time"})
      if (options.given(option))
        fail_input(code::usage, "{}: found with a video, expected a single picture such as -o picture.png", option);
  if (still && options.camera == "orbit")
    fail_input(code::usage, "--camera: found \"orbit\" with a single picture; turn the view with --view");
  require_folder_of(options.output);
  std::error_code error;
  if (kind != OutputKind::numbered && !options.overwrite && fs::exists(options.output, error) &&
      !takes_bytes(options.output))
    fail_input(code::output_exists, "'{}' exists; give --overwrite to replace it", options.output);
}

// A folder for a run that nobody keeps.
class ScratchRun {
 public:
  ScratchRun() : path_((fs::temp_directory_path() / "sinew-render-XXXXXX").string()) {
    if (!::mkdtemp(path_.data()))
      throw SimulationError(code::output_write, fmt::format("{}: cannot make a folder for the run", path_));
  }
  ~ScratchRun() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchRun(const ScratchRun&) = delete;
  ScratchRun& operator=(const ScratchRun&) = delete;
  std::string folder() const { return path_ + "/run"; }

 private:
  std::string path_;
};

// Whether the scene asks for sound. A scene that cannot be read is refused later.
bool wants_sound(const std::string& scene) {
  const nlohmann::json json = nlohmann::json::parse(read_whole_file(scene, "the scene"), nullptr, false, true);
  if (!json.is_object() || !json.contains("output") || !json["output"].is_object()) return false;
  const nlohmann::json formats = json["output"].value("formats", nlohmann::json::array());
  return formats.is_array() && std::ranges::count(formats, nlohmann::json("wav")) > 0;
}

void run_scene(const RenderOptions& options, const std::string& folder) {
  SceneOptions scene = options.scene;
  std::string formats = options.keep.empty() ? "\"vtu\"" : "\"vtu\", \"html\"";
  if (wants_sound(scene.path)) formats += ", \"wav\"";
  scene.overrides.push_back("output.formats=[" + formats + "]");
  if (options.keep.empty()) scene.overrides.emplace_back("output.checkpoint=1000000000");
  try {
    run_into(scene, folder, options.overwrite);
  } catch (const Error& error) {
    if (!options.keep.empty() || std::string(error.code().id) != code::interrupted.id) throw;
    throw SimulationError(code::interrupted, "interrupted; nothing was written");
  }
}

// written: numbered pictures that stay.
void require_uninterrupted(int written = 0) {
  if (!InterruptGuard::requested()) return;
  throw SimulationError(code::interrupted, written > 0 ? fmt::format("interrupted after {} pictures", written)
                                                       : "interrupted; nothing was written");
}

void write_still(const RenderOptions& options, const FilmSettings& settings, const RecordedRun& run, Film& film) {
  std::size_t k = 0;
  if (options.given("--step")) {
    while (k < run.size() && run.step(k) != options.step) ++k;
    if (k == run.size())
      fail_input(code::usage, "--step: found {}, expected a step with a frame, from {} to {}", options.step,
                 run.step(0), run.step(run.size() - 1));
  } else if (!options.given("--time")) {
    k = best_moment(run);
  } else if (options.time < film.begin() || options.time > film.end()) {
    fail_input(code::usage, "--time: found {}, expected {:.6g} to {:.6g} s, the times of the run", options.time,
               film.begin(), film.end());
  }
  const ColorImage image = options.given("--time") ? film.draw(options.time) : film.frame(k);
  require_uninterrupted();
  if (is_video(options.output)) {
    VideoFile file(options.output, {settings.width, settings.height, 1, ""});
    file.add(image);
    file.finish();
  } else {
    write_file_atomically(options.output, png_bytes(image.values, image.width, image.height));
  }
  if (options.given("--time")) {
    fmt::print("{}: {} x {} pixels, time {:.4g} s\n", options.output, image.width, image.height, options.time);
  } else {
    fmt::print("{}: {} x {} pixels, step {}\n", options.output, image.width, image.height, run.step(k));
  }
}

// Whether a video of the run can have its sound.
bool has_sound(const RenderOptions& options, const RecordedRun& run) {
  const std::string ending = lower_extension(options.output);
  std::error_code error;
  return (ending == ".mp4" || ending == ".webm") && fs::exists(run.folder() + "/" + sound_name, error);
}

// The sound of a run that is shown from its beginning at its own speed.
std::string sound_of(const RenderOptions& options, const RecordedRun& run) {
  const bool fits = has_sound(options, run) && options.speed == 1 && run.step(0) == 0;
  return fits ? run.folder() + "/" + sound_name : "";
}

void write_pictures(const RenderOptions& options, const FilmSettings& settings, const RecordedRun& run, Film& film) {
  const double duration = (film.end() - film.begin()) / options.speed;
  const double wanted = std::floor(duration * options.fps + 1e-6) + 1;
  if (wanted > most_pictures)
    fail_input(code::usage,
               "--speed: the video would have {:.0f} pictures, expected at most {}; raise --speed or lower --fps",
               wanted, most_pictures);
  const int count = static_cast<int>(wanted);
  const std::optional<NumberPattern> pattern = pattern_in(options.output);
  std::error_code error;
  // A picture after the last would be taken for one of this video.
  for (int n = 0; pattern && n <= count; ++n) {
    const std::string name = numbered_name(options.output, *pattern, n);
    if (!options.overwrite && fs::exists(name, error))
      fail_input(code::output_exists, "'{}' exists; give --overwrite to replace it", name);
  }
  std::optional<VideoFile> video;
  if (!pattern)
    video.emplace(options.output, VideoSettings{settings.width, settings.height, options.fps, sound_of(options, run)});
  const Stopwatch watch;
  const auto tell = changing_line();
  for (int n = 0; n < count; ++n) {
    require_uninterrupted(pattern ? n : 0);
    const ColorImage image = film.draw(std::min(film.begin() + n * options.speed / options.fps, film.end()));
    if (video) {
      video->add(image);
    } else {
      write_file_atomically(numbered_name(options.output, *pattern, n),
                            png_bytes(image.values, image.width, image.height));
    }
    const double each = watch.seconds() / (n + 1);
    tell(fmt::format("picture {} of {}, {:.2g} s each, {:.0f} s left", n + 1, count, each, each * (count - n - 1)));
  }
  if (video) video->finish();
  // Of an earlier video that was longer.
  for (int n = count; pattern && fs::remove(numbered_name(options.output, *pattern, n), error); ++n) {
  }
  tell("");
  fmt::print("{}: {} picture{} of {} x {} pixels, {:.3g} s at {} a second\n", options.output, count,
             count == 1 ? "" : "s", settings.width, settings.height, static_cast<double>(count) / options.fps,
             options.fps);
  if (video && has_sound(options, run) && sound_of(options, run).empty())
    fmt::print("without the sound of the run, which fits a video of all of it at --speed 1\n");
  const bool statics = run.system().setup.time.integrator == Integrator::statics;
  if (run.size() == 1)
    fmt::print("the run has one frame, so nothing moves; a smaller output.every records more\n");
  else if (video && !statics && duration < 1 && options.speed == 1)
    fmt::print("the video shows {:.3g} s in real time; slow it down with --speed, for example {:.1g}\n", duration,
               std::max(duration / 4, 1e-9));
}

int execute(const RenderOptions& options) {
  const OutputKind kind = kind_of(options.output);
  FilmSettings settings = film_settings(options);
  settings.single = kind == OutputKind::still;
  check_options(options, kind);
  if (is_video(options.output)) VideoFile::check(options.output, {settings.width, settings.height, options.fps, ""});
  std::error_code error;
  const bool is_run = fs::is_directory(options.scene.path, error);
  for (const char* option : {"--set", "--method", "--steps", "--keep"})
    if (is_run && options.given(option))
      fail_input(code::usage, "{}: found with the folder of a run, expected a scene", option);
  if (!is_run && !fs::exists(options.scene.path, error))
    fail_input(code::run_folder, "{}: expected the output folder of a run or a scene file, found nothing",
               options.scene.path);
  const ThreadLimit threads(options.scene.threads);
  std::optional<ScratchRun> scratch;
  std::string folder = options.scene.path;
  if (!is_run) {
    folder = options.keep;
    if (folder.empty()) folder = scratch.emplace().folder();
    run_scene(options, folder);
  }
  const InterruptGuard guard;
  const RecordedRun run(folder);
  Film film(run, settings);
  if (kind == OutputKind::still) {
    write_still(options, settings, run, film);
  } else {
    write_pictures(options, settings, run, film);
  }
  return 0;
}

}  // namespace

Action add_render(CLI::App& app) {
  const auto options = std::make_shared<RenderOptions>();
  options->command = &app;
  app.add_option("INPUT", options->scene.path, "Output folder of a run, or a scene (JSON) to run for this")->required();
  options->scene.add_edits_to(app);
  options->scene.add_method_to(app);
  app.add_option("-o,--output", options->output,
                 "Video (.mp4, .webm), animated picture (.webp, .gif; both repeat), picture (.png, .jpg), or numbered "
                 "pictures (frame_%04d.png)")
      ->required()
      ->check(not_empty("a file, such as ball.mp4"));
  app.add_option("--size", options->size, "WIDTHxHEIGHT in pixels (default 1280x720)");
  app.add_option("--fps", options->fps, "Pictures a second (default 30)")->check(whole_number(1, 240));
  app.add_option("--speed", options->speed, "Time of the run in a second of the video (default 1: real time)")
      ->check(number_between(1e-9, 1e9));
  app.add_option("--step", options->step, "Step of a single picture (default: of the largest deformation)")
      ->check(whole_number(0, 2000000000))
      ->excludes(
          app.add_option("--time", options->time, "Time of a single picture [s]")->check(number_between(-1e9, 1e9)));
  app.add_option("--camera", options->camera,
                 "fixed (default), orbit: turns around the scene, or follow: goes with the bodies");
  app.add_option("--turn", options->turn, "Angle of an orbit in degrees, over the whole video (default 360)")
      ->check(number_between(-1e6, 1e6));
  app.add_option("--view", options->view,
                 "AZIMUTH,ELEVATION[,ZOOM] in degrees; azimuth 0 is from the front, 90 from the right (default: the "
                 "side on which the motion is wider, elevation 21). With = before a negative number: --view=-40,20");
  app.add_option("--from", options->from, "X,Y,Z: position of the camera [m], with --to");
  app.add_option("--to", options->to, "X,Y,Z: what the camera looks at [m], with --from");
  app.add_option("--color", options->color,
                 "Colours of bodies or materials (body, material, auto; default auto: as on the page of the run)");
  app.add_option("--field", options->field,
                 "Colours of a field: von_mises, displacement, speed, contact_force, strain, or one of output.fields");
  app.add_option("--map", options->map, "Colours of the field: viridis (default), cividis, coolwarm");
  app.add_option("--range", options->range, "LOW:HIGH of the field's colours (default: 98 % of the run's values)");
  app.add_flag("--no-legend", options->no_legend, "Leave out what the field's colours mean");
  app.add_option("--background", options->background, "light (default), dark, or a colour \"#rrggbb\"");
  app.add_option("--quality", options->quality, "Smoothness of shadows: draft, good (default), best");
  app.add_option("--keep", options->keep, "Keep the run of a scene in this folder")
      ->check(not_empty("a folder, such as out/drop"));
  app.add_flag("--overwrite", options->overwrite, "Replace OUTPUT, and an earlier run in the folder of --keep");
  return [options] { return execute(*options); };
}

}  // namespace sinew::app

#include "sinew/app/render_options.h"

#include <charconv>
#include <cmath>

#include <CLI/CLI.hpp>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"

namespace sinew::app {
namespace {

// Numbers with a separator between them. shape: for the message.
std::vector<double> numbers_of(const char* option, const std::string& text, char separator, std::size_t least,
                               std::size_t most, const char* shape) {
  std::vector<double> numbers;
  bool good = true;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    good = good && error == std::errc() && stop == text.data() + end && std::isfinite(value);
    numbers.push_back(value);
    begin = end + 1;
  }
  if (good && numbers.size() >= least && numbers.size() <= most) return numbers;
  fail_input(code::usage, "{}: found \"{}\", expected {}", option, shortened(text), shape);
}

template <class Value>
Value choice(const char* option, const std::string& word, const std::vector<std::pair<std::string, Value>>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) {
    if (name == word) return value;
    names.push_back(name);
  }
  fail_input(code::usage, "{}: found \"{}\", expected one of {}{}", option, shortened(word), quoted_list(names),
             did_you_mean(word, names));
}

std::pair<Rgb, Rgb> background_of(const std::string& text) {
  if (text == "dark") return {color_of_hex("#39414d", "--background"), color_of_hex("#15181d", "--background")};
  if (!text.starts_with("#"))
    fail_input(code::usage, "--background: found \"{}\", expected light, dark, or a colour \"#rrggbb\"",
               shortened(text));
  const Rgb color = color_of_hex(text, "--background");
  return {color, color};
}

Vec3 place_of(const char* option, const std::string& text) {
  const std::vector<double> numbers = numbers_of(option, text, ',', 3, 3, "X,Y,Z in metres");
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

bool RenderOptions::given(const char* option) const {
  return command->count(option) > 0;
}

FilmSettings film_settings(const RenderOptions& options) {
  FilmSettings film;
  const std::size_t cross = options.size.find('x');
  const auto side = [&](const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 16 && value <= largest_picture)
      return value;
    fail_input(code::usage, "--size: found \"{}\", expected WIDTHxHEIGHT with 16 to {} pixels each",
               shortened(options.size), largest_picture);
  };
  film.width = side(options.size.substr(0, cross));
  film.height = side(cross == std::string::npos ? "" : options.size.substr(cross + 1));
  film.motion = choice<CameraMotion>(
      "--camera", options.camera,
      {{"fixed", CameraMotion::fixed}, {"orbit", CameraMotion::orbit}, {"follow", CameraMotion::follow}});
  if (!options.view.empty()) {
    const std::vector<double> view =
        numbers_of("--view", options.view, ',', 2, 3, "AZIMUTH,ELEVATION or AZIMUTH,ELEVATION,ZOOM");
    if (std::abs(view[1]) > 89) fail_input(code::usage, "--view: found elevation {}, expected -89 to 89", view[1]);
    film.azimuth = view[0];
    film.elevation = view[1];
    if (view.size() > 2) film.zoom = view[2];
    if (!(film.zoom >= 0.01 && film.zoom <= 100))
      fail_input(code::usage, "--view: found zoom {}, expected 0.01 to 100", film.zoom);
  }
  if (options.from.empty() != options.to.empty())
    fail_input(code::usage, "--{}: found it alone, expected --from and --to", options.from.empty() ? "to" : "from");
  if (!options.from.empty()) {
    film.place = {place_of("--from", options.from), place_of("--to", options.to)};
    if (film.place->first == film.place->second)
      fail_input(code::usage, "--from: found the place of --to, expected another one");
    if (!options.view.empty() || film.motion != CameraMotion::fixed)
      fail_input(code::usage, "--from: found with --{}, expected one of both",
                 options.view.empty() ? "camera" : "view");
  }
  if (options.given("--turn") && film.motion != CameraMotion::orbit)
    fail_input(code::usage, "--turn: expected --camera orbit with it");
  film.turn = options.turn;
  film.colors =
      choice<ColorBy>("--color", options.color,
                      {{"auto", ColorBy::automatic}, {"body", ColorBy::body}, {"material", ColorBy::material}});
  film.field = options.field;
  film.map = choice<ColorMap>(
      "--map", options.map,
      {{"viridis", ColorMap::viridis}, {"cividis", ColorMap::cividis}, {"coolwarm", ColorMap::coolwarm}});
  for (const char* option : {"--map", "--range", "--no-legend"})
    if (options.given(option) && options.field.empty())
      fail_input(code::usage, "{}: expected --field with it, whose colours it is for", option);
  if (options.given("--color") && !options.field.empty())
    fail_input(code::usage, "--color: found with --field, expected one of both");
  if (!options.range.empty()) {
    const std::vector<double> range = numbers_of("--range", options.range, ':', 2, 2, "LOW:HIGH");
    if (!(range[0] < range[1]))
      fail_input(code::usage, "--range: found \"{}\", expected the lower number first", options.range);
    film.range = {range[0], range[1]};
  }
  film.legend = !options.no_legend;
  if (options.background != "light") film.background = background_of(options.background);
  film.quality = choice<StudioQuality>(
      "--quality", options.quality,
      {{"draft", StudioQuality::draft}, {"good", StudioQuality::good}, {"best", StudioQuality::best}});
  return film;
}

}  // namespace sinew::app

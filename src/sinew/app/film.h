// Pictures of a recorded run for `sinew render`: what is shown, from where, and when.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sinew/io/studio_picture.h"
#include "sinew/render/color_bar.h"

namespace sinew::app {

enum class CameraMotion { fixed, orbit, follow };

struct FilmSettings {
  int width = 1280, height = 720;  // pixels
  CameraMotion motion = CameraMotion::fixed;
  std::optional<double> azimuth, elevation;    // [degrees]
  double zoom = 1;                             // nearer by this factor
  bool single = false;                         // one picture: a fixed camera frames its moment, not the whole run
  double turn = 360;                           // of an orbit, from the first to the last picture [degrees]
  std::optional<std::pair<Vec3, Vec3>> place;  // position and target of the camera, in place of the above [m]
  ColorBy colors = ColorBy::automatic;
  std::string field;  // empty: colours of bodies or materials
  ColorMap map = ColorMap::viridis;
  std::optional<std::pair<double, double>> range;  // of the field's colours; none: of the run
  bool legend = true;
  std::optional<std::pair<Rgb, Rgb>> background;  // in the middle and at the border; none: light
  StudioQuality quality = StudioQuality::good;
};

class Film {
 public:
  // Reads all frames once. Throws InputError for a field that the run does not have.
  Film(const RecordedRun& run, FilmSettings settings);

  double begin() const { return times_.front(); }  // [s]; a static run shows ten frames a second
  double end() const { return times_.back(); }
  std::size_t frame_count() const { return times_.size(); }

  ColorImage frame(std::size_t k) { return draw(times_[k]); }
  // Between frames, positions go straight from one to the next.
  ColorImage draw(double time);

 private:
  struct Loaded {
    std::size_t number = 0;
    RecordedFrame frame;
    VecX values;
  };
  const Loaded& load(std::size_t k);
  void find_range();
  Camera camera_at(double time) const;
  const RenderBox& focus_at(double time) const;
  RenderBox followed_box(double time) const;
  bool is_dark() const;

  const RecordedRun& run_;
  FilmSettings settings_;
  StudioPicture picture_;
  RunExtent extent_;
  std::vector<double> times_;  // by frame [s]
  std::pair<double, double> range_{0, 1};
  std::array<std::optional<Loaded>, 2> loaded_;
  StudioRenderer renderer_;
};

}  // namespace sinew::app

// The surfaces of a recorded run as pictures of the studio show them (render/studio_renderer.h): colours and looks as
// on the run's page.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/io/picture_scene.h"
#include "sinew/io/recorded_run.h"
#include "sinew/io/report_spread.h"
#include "sinew/io/report_surface.h"
#include "sinew/render/studio_renderer.h"

namespace sinew {

// The places that bodies reach over all frames of a run.
struct RunExtent {
  std::vector<double> times;     // by frame [s]
  std::vector<RenderBox> focus;  // by frame: of most of the bodies (focus_box.h)
  RenderBox action;              // where it happens, with obstacles near it
  RenderBox room;                // of all focus boxes, with obstacles around
  double lowest = 0;             // along `up`, of the bodies in all frames [m]
  Vec3 up = {0, 1, 0};
  double azimuth = 31;  // of the usual view: from the side on which the action is wider [degrees]
};

enum class ColorBy { automatic, body, material };

class StudioPicture {
 public:
  explicit StudioPicture(const System& system, ColorBy colors = ColorBy::automatic);

  // Reads all frames.
  RunExtent extent(const RecordedRun& run) const;

  // field: shown by colours of `map` in place of those of bodies.
  StudioScene at(const RecordedFrame& frame, const RunExtent& extent, const PictureField* field = nullptr,
                 ColorMap map = ColorMap::viridis) const;

  // Values of the field at the vertices that are seen, for the range of colours.
  Spread spread(const VecX& field) const;

  const Vec3& up() const { return up_; }

 private:
  struct Part {
    std::shared_ptr<const RenderMesh> mesh;
    std::vector<StudioGroup> groups;
    std::shared_ptr<const TexturePlaces> places;  // null: no group has a texture
    bool body = true;
  };
  Points positions(std::size_t object, const RecordedFrame& frame) const;

  const System& system_;
  ReportSurface surface_;
  std::vector<Part> parts_;
  Vec3 up_;
};

// The direction from a scene to a camera: azimuth from the front to the right, elevation above the horizon [degrees].
Vec3 view_direction(const Vec3& up, double azimuth, double elevation);

// Between two frames, by straight ways. share: 0 is the first, 1 the second.
RecordedFrame between(const RecordedFrame& first, const RecordedFrame& second, double share);

// The frame with the largest deformation: mean strain, or displacement if nothing is strained.
std::size_t best_moment(const RecordedRun& run);

}  // namespace sinew

// Draws scenes without a display: colours with light and shadows, depths, and numbers of objects and triangles. Equal
// scenes give equal pictures.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/render/camera.h"
#include "sinew/render/render_scene.h"

namespace sinew {

// Pixels row by row from the top; `channels` values each.
template <class Value, int channels>
struct Image {
  int width = 0, height = 0;
  std::vector<Value> values;
};
using ColorImage = Image<std::uint8_t, 3>;
using DepthImage = Image<float, 1>;                // along the view axis [m]; infinite where nothing is
using SegmentationImage = Image<std::int32_t, 2>;  // id and triangle of an object; -1 where nothing is

inline constexpr int largest_picture = 4096;  // pixels along a side

class Renderer {
 public:
  // Throws SimulationError where pictures cannot be made (OffscreenContext).
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Throw InputError for a size outside 1 to largest_picture and for an unsuitable camera.
  ColorImage color(const RenderScene& scene, const Camera& camera, int width, int height);
  DepthImage depth(const RenderScene& scene, const Camera& camera, int width, int height);
  SegmentationImage segmentation(const RenderScene& scene, const Camera& camera, int width, int height);

 private:
  class Device;
  std::unique_ptr<Device> device_;
};

// A renderer for the use of one thread at a time. Idle ones serve later requests of any thread, since a
// renderer keeps textures and programs.
class LentRenderer {
 public:
  LentRenderer();
  ~LentRenderer();
  LentRenderer(const LentRenderer&) = delete;
  LentRenderer& operator=(const LentRenderer&) = delete;
  Renderer* operator->() const { return renderer_.get(); }

 private:
  std::unique_ptr<Renderer> renderer_;
};

}  // namespace sinew

// Pictures in the look of a run's page: materials in the light of a studio, with soft shadows, ambient occlusion and
// clear bodies. They are for the eye: a picture takes many times as long as one of Renderer. Equal scenes give equal
// pictures.
#pragma once

#include <memory>
#include <vector>

#include "sinew/render/renderer.h"
#include "sinew/render/texture_places.h"

namespace sinew {

// How a part of a surface takes light.
struct StudioLook {
  Rgb color = obstacle_color;
  double roughness = 0.9, metalness = 0, opacity = 1;
  std::shared_ptr<const ColorImage> texture = {};  // multiplies the colour
  bool has_coordinates = false;                    // the texture lies at the coordinates of StudioScene::places
  double texture_width = 1;                        // of a projected texture [m]
};

// Consecutive triangles of an object's mesh.
struct StudioGroup {
  Index first = 0, count = 0;
  StudioLook look;
};

struct StudioScene {
  RenderScene scene;                                         // ids and colours of objects do not matter
  std::vector<std::vector<StudioGroup>> groups;              // by object
  std::vector<std::shared_ptr<const TexturePlaces>> places;  // by object with textures; null: without
  std::vector<bool> grids;                                   // by plane: drawn with lines, or only where shadows fall
  RenderBox room = {Vec3::Constant(-1), Vec3::Constant(1)};  // of a whole run, whose size and place shadows have
  Vec3 front = {0, 0, 1};                                    // towards the usual camera: where the key light comes from
  bool field = false;                                        // colours mean values: light is even
  Rgb middle = {0.984f, 0.980f, 0.973f}, border = {0.851f, 0.867f, 0.890f};  // of the background
};

// Directions from which light is followed: more make smoother shadows.
enum class StudioQuality { draft, good, best };

class StudioRenderer {
 public:
  // Throws SimulationError where pictures cannot be made (OffscreenContext).
  explicit StudioRenderer(StudioQuality quality = StudioQuality::good);
  ~StudioRenderer();
  StudioRenderer(const StudioRenderer&) = delete;
  StudioRenderer& operator=(const StudioRenderer&) = delete;

  // Throws InputError as Renderer does.
  ColorImage draw(const StudioScene& scene, const Camera& camera, int width, int height);

 private:
  class Device;
  std::unique_ptr<Device> device_;
};

}  // namespace sinew

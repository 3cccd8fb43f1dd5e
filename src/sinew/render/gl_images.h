// Images of textures in OpenGL, with smaller versions for surfaces far away. They stay from picture to picture.
#pragma once

#include <map>
#include <memory>

#include "sinew/render/gl_functions.h"
#include "sinew/render/renderer.h"

namespace sinew {

class GlImages {
 public:
  explicit GlImages(const GlFunctions& gl) : gl_(gl) {}
  ~GlImages();
  GlImages(const GlImages&) = delete;
  GlImages& operator=(const GlImages&) = delete;

  // The texture of an image in sRGB, whose pixels do not change. It repeats on all sides.
  GLuint texture(const std::shared_ptr<const ColorImage>& image);

 private:
  const GlFunctions& gl_;
  std::map<std::shared_ptr<const ColorImage>, GLuint> textures_;
};

}  // namespace sinew
